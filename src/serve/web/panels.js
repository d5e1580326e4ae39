// What stands beside the board or over it: settings, links, the invitation, the end of a game.

import { Refusal, newKey, post } from './api.js'
import { Board } from './board.js'
import { h, icon, replace, sheet, stone } from './dom.js'
import { draft, gameOf, games, keep, save, saved } from './store.js'
import { has, points, t } from './text.js'

/** Tells why something did not work, in words. */
export function complain(error) {
  const code = error instanceof Refusal ? error.code : 'unknown'
  if (!(error instanceof Refusal)) console.error(error)
  sheet(t('error.title'), [
    h('p', { text: t(has(`error.${code}`) ? `error.${code}` : 'error') }),
    h('div', { class: 'row' }, h('button', { type: 'button', class: 'primary', 'data-close': '', text: t('ok') })),
  ], null, 'low')
}

const toggle = (name, onchange) => h('label', { class: 'switch' },
  h('input', { type: 'checkbox', role: 'switch', checked: saved(name), onchange: event => { save(name, event.target.checked); onchange(); } }),
  h('span', { text: t(`settings.${name}`) }))

/** Light or dark as chosen; else the system's wish holds. */
export function applyTheme() {
  const theme = saved('theme')
  if (theme === 'auto') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

export function showSettings() {
  const changed = () => document.dispatchEvent(new Event('keima-settings'))
  const pick = (name, options, run = changed) => h('div', { class: 'field' }, h('label', { for: `set-${name}`, text: t(`settings.${name}`) }),
    h('select', { id: `set-${name}`, onchange: event => { save(name, event.target.value); run(); } },
      options.map(option => h('option', { value: option, selected: saved(name) === option, text: t(`settings.${name}.${option}`) }))))
  sheet(t('settings'), [
    h('div', { class: 'fields' }, pick('theme', ['auto', 'light', 'dark'], applyTheme), pick('confirm', ['auto', 'always', 'never'])),
    toggle('coordinates', changed),
    h('h3', { text: t('settings.helps') }),
    ...['helpAtari', 'helpClosed', 'helpPass', 'helpCount'].map(name => toggle(name, changed)),
    h('div', { class: 'row' }, h('button', { type: 'button', class: 'primary', 'data-close': '', text: t('ok') })),
  ])
}

/** A link to hand on: seen, copied with one press, or given to the device's own sharing. */
function linkField(title, words, address) {
  const field = h('input', { readonly: true, value: address, 'aria-label': title, onfocus: event => event.target.select() })
  const done = h('span', { class: 'note', role: 'status' })
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address)
    } catch {
      field.select()
      document.execCommand('copy')
    }
    done.textContent = t('copied')
  }
  return h('div', { class: 'link' }, h('h3', { text: title }), h('p', { class: 'note', text: words }),
    h('div', { class: 'row' }, field, h('button', { type: 'button', class: 'primary', text: t('copy'), onclick: copy }),
      navigator.share ? h('button', { type: 'button', class: 'quiet', text: t('share'), onclick: () => navigator.share({ url: address }).catch(() => {}) }) : null),
    done)
}

/** A game waits for its second player. */
export function invitePanel(view) {
  const { state } = view
  const known = gameOf(view.id)?.invitation
  if (!state.you) return h('div', { class: 'card' }, h('p', { text: t('invite.watch') }))
  const renew = async () => {
    const answer = await post(`/games/${view.id}/invite`, {}, view.token).catch(complain)
    if (!answer) return
    keep({ id: view.id, invitation: answer.invitation })
    view.panelShown = null
    view.renderPanel()
  }
  return h('div', { class: 'card' },
    known ? linkField(t('invite.title'), t('invite.words'), `${location.origin}/j#${known}`) : h('p', { text: t('invite.lost') }),
    h('div', { class: 'row' }, h('button', { type: 'button', class: 'quiet', text: t(known ? 'invite.renew' : 'invite.make'), onclick: renew })))
}

/** The end: who won, and what may follow. The count comes first, so that no button stands where one of the game stood. */
export function overPanel(view) {
  const { state } = view
  const asked = state.rematch.by.includes(state.you)
  const wanted = state.you && state.you !== 'both' && state.rematch.by.length && !asked
  const rematch = async () => {
    const answer = await view.write('rematch')
    const id = answer?.state?.rematch.id
    if (!id || view.leaving) return
    view.leaving = true
    keep({ ...gameOf(view.id), id, over: false, invitation: null })
    view.go(`/g/${id}`)
  }
  return h('div', { class: 'card over' },
    view.count?.element,
    wanted ? h('p', { text: t('rematch.wanted') }) : null,
    asked && !state.rematch.id ? h('p', { text: t('rematch.asked') }) : null,
    h('div', { class: 'row' },
      state.you ? h('button', { type: 'button', class: 'primary', disabled: !state.can.rematch, text: t('rematch'), onclick: rematch }) : null,
      !state.you && state.rematch.id ? h('a', { class: 'primary', href: `/g/${state.rematch.id}`, text: t('rematch.watch') }) : null,
      h('a', { class: 'quiet', href: '/', text: t('new.game') }),
      state.can.undo ? h('button', { type: 'button', class: 'quiet', onclick: () => view.undo() }, icon('undo'), t('undo')) : null,
      h('button', { type: 'button', class: 'quiet', onclick: () => view.saveRecord() }, icon('save'), t('record'))))
}

/** What is needed seldom: rules in words, links, resigning. */
export function showMore(view) {
  const { state } = view
  if (!state) return
  const rules = state.first_capture ? t('capture.rules', { n: state.first_capture }) : t(`rules.${state.rules}.words`)
  const item = (name, key, run) => h('button', { type: 'button', class: 'item', 'data-close': key, onclick: run }, icon(name), t(key))
  const facts = [`${state.size}×${state.size}`, t('fact.komi', { n: points(state.komi) })]
  if (state.handicap) facts.push(t('handicap.stones', { n: state.handicap }))
  const here = `${location.origin}/g/${view.id}`
  sheet(t('more'), [
    h('div', { class: 'items' },
      state.can.resign ? item('flag', 'resign', () => setTimeout(() => view.resign())) : null,
      item('save', 'record', () => view.saveRecord()),
      state.spectators ? item('eye', 'watch.link', () => setTimeout(() => showLink('watch.link', 'watch.words', here))) : null,
      view.token && state.you ? item('device', 'device.link', () => setTimeout(() => showLink('device.link', 'device.words', `${here}#${view.token}`))) : null),
    toggle('coordinates', () => document.dispatchEvent(new Event('keima-settings'))),
    h('h3', { text: t('new.rules') }), h('p', { class: 'note', text: facts.join(' · ') }), h('p', { class: 'note', text: rules }),
    h('div', { class: 'row' }, h('button', { type: 'button', class: 'primary', 'data-close': '', text: t('close') })),
  ])
}

function showLink(title, words, address) {
  sheet(t(title), [linkField(t('link'), t(words), address),
    h('div', { class: 'row' }, h('button', { type: 'button', class: 'quiet', 'data-close': '', text: t('close') }))])
}

/** An invitation: what is offered, and a button that takes it. Looking takes nothing. */
export async function showInvitation(main, invitation, go) {
  const message = (title, ...rest) => replace(main, h('section', { class: 'card message' }, h('h1', { text: title }), rest))
  const home = () => h('a', { class: 'quiet', href: '/', text: t('home') })
  message(t('loading'))
  const mine = games().find(game => game.joined === invitation)
  if (invitation && mine) {
    go(`/g/${mine.id}`)
    return
  }
  let offer
  try {
    offer = await post('/invitation', { invitation })
  } catch (error) {
    message(t(has(`error.${error.code}`) ? `error.${error.code}` : 'error'), home())
    return
  }
  const taken = id => message(t('invited.taken'), h('p', { text: t('invited.watch') }),
    h('div', { class: 'row' }, h('a', { class: 'primary', href: `/g/${id}`, text: t('watch') }), home()))
  if (offer.taken) {
    taken(offer.id)
    return
  }
  const board = new Board({ size: offer.size, coordinates: false })
  board.show({ rows: Array(offer.size).fill('.'.repeat(offer.size)) }, true)
  const name = h('input', { id: 'name', maxlength: 24, autocomplete: 'nickname', value: saved('name') })
  const join = async () => {
    button.disabled = true
    const key = draft('join-key') ?? draft('join-key', newKey())
    save('name', name.value.trim())
    try {
      const answer = await post('/join', { invitation, key, ...(name.value.trim() && { name: name.value.trim() }) })
      keep({ id: answer.id, token: answer.token, seat: answer.seat, size: offer.size, joined: invitation })
      draft('invitation', null)
      draft('join-key', null)
      go(`/g/${answer.id}`)
    } catch (error) {
      button.disabled = false
      if (error instanceof Refusal && error.code === 'seat-taken') taken(error.body.id)
      else complain(error)
    }
  }
  const button = h('button', { type: 'button', class: 'primary', text: t('invited.join'), onclick: join })
  const rules = offer.first_capture ? t('capture.rules', { n: offer.first_capture }) : t(`rules.${offer.rules}.words`)
  message(offer.host ? t('invited.by', { name: offer.host }) : t('invited'),
    h('div', { class: 'offer' }, board.element, h('div', {},
      h('p', { class: 'seat' }, stone(offer.seat), t('invited.seat', { color: t(offer.seat) })),
      h('p', { text: `${offer.size}×${offer.size} · ${t('fact.komi', { n: points(offer.komi) })}${offer.handicap ? ` · ${t('handicap.stones', { n: offer.handicap })}` : ''}` }),
      h('p', { class: 'note', text: rules }),
      h('div', { class: 'field' }, h('label', { for: 'name', text: t('new.name') }), name))),
    h('div', { class: 'row' }, button, home()))
}
