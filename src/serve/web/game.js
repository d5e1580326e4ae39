// A game on the screen: what the server says is shown, what is pressed is sent.

import { Refusal, blob, get, post, watch } from './api.js'
import { Board, placeOf } from './board.js'
import { h, icon, replace, sheet, stone } from './dom.js'
import { CountView } from './count.js'
import { complain, invitePanel, overPanel, showMore } from './panels.js'
import { forget, gameOf, keep, saved } from './store.js'
import { has, list, t } from './text.js'
import { advice, awayWords, isRisky, nameOfPlayer, news, other, pointWords, prisoners, reading, sentence, some, whyNot } from './words.js'

/** How long a pass waits for advice, in milliseconds. */
const ADVICE = 4000

const live = document.getElementById('live')

/** Has a reader say something. */
export function say(text) {
  // The same words twice in a row would not be read again.
  live.textContent = live.textContent === text ? `${text}\u00a0` : text
}

export class GameView {
  constructor(main, id, go) {
    Object.assign(this, { main, id, go, detail: '', warning: '', marks: [], count: null })
    this.token = gameOf(id)?.token ?? null
    this.state = null
    this.ghost = null
    this.sending = false
    replace(main, h('p', { class: 'loading', text: t('loading') }))
    this.listeners = new AbortController()
    document.addEventListener('keydown', event => this.key(event), { signal: this.listeners.signal })
    document.addEventListener('keima-settings', () => this.settingsChanged(), { signal: this.listeners.signal })
    this.stop = watch(id, this.token, state => this.take(state), code => this.gone(code))
  }

  close() {
    this.stop()
    this.listeners.abort()
    this.count?.stop()
  }

  gone(code) {
    if (code === 'bad-token') {
      // The seat is not ours after all: look on.
      forget(this.id)
      this.token = null
      this.stop = watch(this.id, null, state => this.take(state), why => this.gone(why))
      return
    }
    if (code === 'no-game') forget(this.id)
    replace(this.main, h('section', { class: 'card message' },
      h('h1', { text: t(has(`error.${code}`) ? `error.${code}` : 'error') }), h('a', { class: 'primary', href: '/', text: t('home') })))
  }

  // What comes in.

  take(state) {
    const before = this.state
    if (before && state.version < before.version) return
    this.state = state
    if (!this.board) this.build()
    if (!before || state.version !== before.version) {
      this.detail = ''
      this.warning = ''
      this.marks = []
      this.setGhost(null)
    }
    if (this.token) {
      const opponent = state.you && state.you !== 'both' ? state[other(state.you)] : null
      keep({ id: this.id, token: this.token, seat: state.you, size: state.size, against: opponent?.level ?? null, over: state.phase === 'over' })
    }
    this.render()
    const changes = before ? news(before, state) : ''
    if (changes) say(changes)
    if (!state.can.answer_undo) document.querySelector('.undo-sheet')?.close()
    else if (state.undo_request !== before?.undo_request) this.askUndo()
    if (state.rematch.id && before && state.you && before.rematch.by.length && !this.leaving) {
      this.leaving = true
      keep({ ...gameOf(this.id), id: state.rematch.id, over: false, invitation: null })
      this.go(`/g/${state.rematch.id}`)
    }
  }

  // What is shown.

  build() {
    const { size } = this.state
    this.board = new Board({
      size,
      coordinates: saved('coordinates'),
      label: t('board.label', { size }),
      describe: name => pointWords(this.state, name),
      onpick: (name, how) => this.pick(name, how),
      onaim: (name, how) => this.aim(name, how),
    })
    const act = (name, key, run) => h('button', { type: 'button', class: `act ${name}`, 'aria-keyshortcuts': key, onclick: run }, icon(name), h('span', { text: t(name) }))
    this.buttons = {
      undo: act('undo', 'u', () => this.undo()),
      hint: act('hint', 'h', () => this.hint()),
      pass: act('pass', 'p', () => this.pass()),
      more: act('more', 'm', () => showMore(this)),
    }
    this.confirm = h('button', { type: 'button', class: 'primary confirm', onclick: () => this.ghost && this.play(this.ghost) }, icon('play'), h('span', { text: t('play') }))
    this.players = h('div', { class: 'players' })
    this.status = h('div', { class: 'status' }, h('strong'), h('span'))
    this.actions = h('div', { class: 'actions' }, this.confirm, h('div', { class: 'row' }, ...Object.values(this.buttons)))
    this.panel = h('div', { class: 'panel' })
    const typed = h('input', { id: 'typed', autocomplete: 'off', autocapitalize: 'characters', maxlength: 6, placeholder: t('typed.example') })
    const rows = h('p', { class: 'reading', tabindex: '-1' })
    replace(this.main, h('div', { class: `game size-${size}` },
      h('h1', { class: 'hidden', text: t('game.title', { size }) }),
      this.players,
      h('div', { class: 'board-place' }, this.board.element),
      h('div', { class: 'desk' }, this.status, this.actions, this.panel,
        h('details', { class: 'reader' }, h('summary', { text: t('reader.title') }),
          h('form', {
            class: 'typed',
            onsubmit: event => {
              event.preventDefault()
              this.typed(typed.value)
              typed.value = ''
            },
          }, h('label', { for: 'typed', text: t('typed.label') }), typed, h('button', { class: 'quiet', text: t('play') })),
          h('button', {
            type: 'button', class: 'quiet', text: t('read.board'),
            onclick: () => {
              rows.textContent = reading(this.state)
              rows.focus()
            },
          }), rows, h('p', { class: 'note', text: t('keys.words') })))))
    document.body.classList.add('playing')
    // Coming from another view, by keyboard one is on the board at once.
    if (document.activeElement === this.main) this.board.focus()
  }

  settingsChanged() {
    if (!this.state) return
    this.board.setCoordinates(saved('coordinates'))
    this.count?.draw()
    this.render()
  }

  render() {
    const { state, board } = this
    this.renderPlayers()
    const marks = [...this.marks]
    if (saved('helpAtari') && state.phase === 'playing' && !marks.length) for (const at of state.atari) marks.push({ at, kind: 'atari' })
    const presses = state.can.move ? 'empty' : state.can.mark ? 'stones' : null
    const closed = state.can.move ? Object.keys(state.closed) : []
    // A ko is always marked, as players expect it; other closed points for whoever wants to see them.
    for (const at of closed) {
      if (state.closed[at] !== 'suicide') marks.push({ at, kind: 'ko' })
      else if (saved('helpClosed')) marks.push({ at, kind: 'closed' })
    }
    const shown = this.count?.view() ?? {}
    this.view = {
      rows: state.board,
      last: state.last && state.last !== 'pass' ? state.last : null,
      presses,
      closed: new Set(closed),
      marks,
      dead: state.phase === 'counting' ? state.dead : state.count?.dead ?? [],
    }
    board.show({ ...this.view, ...shown, marks: [...this.view.marks, ...(shown.marks ?? [])] })
    board.element.classList.toggle('idle', !presses)
    if (this.ghost) board.setGhost(this.ghost, state.to_move, true)
    else if (this.sending && this.sent) board.setGhost(this.sent, state.to_move, 'sent')
    this.renderPanel()
    this.renderStatus()
    this.renderButtons()
    document.title = state.can.move && state.phase === 'playing' ? t('title.turn') : 'Keima'
  }

  renderPlayers() {
    const { state } = this
    const card = color => {
      const player = state[color]
      const away = player.kind === 'human' && state.you !== color && state.you !== 'both' && player.taken && player.away_s !== 0
      const turn = state.to_move === color && state.phase === 'playing'
      let more = ''
      if (player.kind === 'cpu') more = t(`level.${player.level}`)
      else if (away) more = awayWords(player.away_s)
      else if (state.you === color && player.name) more = t('player.you')
      return h('div', { class: `player ${color}${turn ? ' turn' : ''}` }, stone(color),
        h('div', { class: 'who' }, h('b', { text: nameOfPlayer(state, color) }), h('span', { class: 'note' }, away || nameOfPlayer(state, color) === t(color) ? null : t(color), more && h('span', { class: away ? null : 'extra', text: away ? more : ` · ${more}` }))),
        h('div', { class: 'taken', title: t('prisoners') }, h('span', { text: t('prisoners.short') }), h('b', { text: String(state.captured[color]) })))
    }
    replace(this.players, card('black'), card('white'))
  }

  renderStatus() {
    const [main, detail] = this.status.children
    const { state } = this
    main.textContent = sentence(state)
    detail.textContent = this.warning || this.detail || advice(state)
    this.status.classList.toggle('ended', state.phase !== 'playing')
    this.status.classList.toggle('busy', Boolean(state.thinking) || this.sending)
  }

  renderButtons() {
    const { can, phase } = this.state
    const held = document.activeElement
    for (const name of ['undo', 'hint', 'pass']) this.buttons[name].disabled = !can[name]
    this.confirm.disabled = !this.ghost
    const steps = this.hasTwoSteps('touch') && (saved('confirm') === 'always' || matchMedia('(any-pointer: coarse)').matches)
    this.confirm.hidden = !steps
    const seated = this.state.you !== null
    this.actions.classList.toggle('gone', phase !== 'playing')
    for (const name of ['undo', 'hint', 'pass']) this.buttons[name].classList.toggle('gone', !seated)
    if (!seated) this.confirm.hidden = true
    // A button that can no longer be pressed hands the focus on.
    if (this.actions.contains(held) && (held.disabled || !held.offsetParent)) this.board.focus()
  }

  renderPanel() {
    const { state } = this
    const key = JSON.stringify([state.phase, state.you, state.count, state.dead, state.accepted, state.rematch, state.result, state.can])
    if (key === this.panelShown) return
    const first = !this.panelShown
    this.panelShown = key
    const parts = []
    if (state.count) {
      const same = this.count && JSON.stringify(this.count.data) === JSON.stringify(state.count)
      if (!same) {
        // Whoever comes back later, or has changed a mark, sees the sum at once.
        const atOnce = first || this.count !== null
        this.count?.stop()
        this.count = new CountView(state, () => this.showCount())
        this.count.start(atOnce)
      }
    } else {
      this.count?.stop()
      this.count = null
    }
    if (state.phase === 'open') parts.push(invitePanel(this))
    if (state.phase === 'counting') parts.push(this.countingPanel())
    if (state.phase === 'over') parts.push(overPanel(this))
    if (state.can.claim) {
      parts.push(h('div', { class: 'card' }, h('p', { text: t('claim.words') }),
        h('button', { type: 'button', class: 'quiet', text: t('claim'), onclick: () => this.write('claim') })))
    }
    const held = this.panel.contains(document.activeElement)
    replace(this.panel, ...parts)
    if (held) this.panel.querySelector('button:enabled, a')?.focus({ preventScroll: true })
    if (this.count) this.showCount()
  }

  showCount() {
    if (!this.view || !this.count) return
    const shown = this.count.view()
    this.board.show({ ...this.view, ...shown, marks: [...this.view.marks, ...(shown.marks ?? [])] })
  }

  countingPanel() {
    const { state } = this
    const mine = state.you && state.accepted.includes(state.you)
    const theirs = state.you && state.accepted.includes(other(state.you))
    return h('div', { class: 'card' },
      h('p', { text: t(!state.you ? 'counting.watch' : state.rules === 'as-is' ? 'counting.fixed' : 'counting.words') }),
      theirs ? h('p', { text: t('counting.theirs') }) : null,
      mine ? h('p', { text: t('counting.mine') }) : null,
      state.you ? h('div', { class: 'row' },
        h('button', { type: 'button', class: 'primary accept', disabled: !state.can.accept, text: t('counting.accept'), onclick: () => this.write('accept') }),
        h('button', { type: 'button', class: 'quiet resume', disabled: !state.can.resume, text: t('counting.resume'), onclick: () => this.write('resume') })) : null,
      this.count?.element)
  }

  /** A remark under the status line, and to readers. */
  remark(text) {
    this.warning = ''
    this.detail = text
    this.renderStatus()
    say(text)
  }

  // What is pressed.

  /** Whether a press only proposes a stone, to be confirmed by another. */
  hasTwoSteps(how) {
    const setting = saved('confirm')
    if (setting !== 'auto') return setting === 'always' && how !== 'key'
    const { state } = this
    const friend = state.black.kind === 'human' && state.white.kind === 'human' && state.you !== 'both'
    return how === 'touch' && (friend || state.size > 9 || this.board.isSmall())
  }

  aim(name, how) {
    const { state, board } = this
    if (how === 'mouse' && this.ghost) return
    if (!name || !state?.can.move || this.sending || board.colorAt(name) !== 'empty') {
      if (how === 'mouse') board.setGhost(null)
      this.warning = ''
      this.renderStatus()
      return
    }
    board.setGhost(name, state.closed[name] ? 'closed' : state.to_move, how === 'touch')
    this.warning = isRisky(state, name) ? t('risky', { point: name }) : ''
    board.ghost.classList.toggle('risky', this.warning !== '')
    this.renderStatus()
  }

  setGhost(name) {
    this.ghost = name
    this.board?.setGhost(name, this.state.to_move, true)
    if (this.confirm) this.confirm.disabled = !name
  }

  pick(name, how) {
    const { state } = this
    if (state.can.mark) {
      if (this.board.colorAt(name) !== 'empty') this.write('mark', { point: name, dead: !state.dead.includes(name) })
      return
    }
    if (this.sending) return
    const why = whyNot(state, name)
    if (why) {
      if (this.ghost) this.setGhost(null)
      if (state.can.move && this.board.colorAt(name) === 'empty') this.board.setGhost(name, 'closed')
      this.remark(why)
      return
    }
    const risky = isRisky(state, name)
    // A mouse has shown the danger, and a reader has said it; a finger has not.
    if (this.hasTwoSteps(how === 'slide' ? 'touch' : how) || (risky && how === 'touch')) {
      if (this.ghost === name && how !== 'slide') {
        this.play(name)
      } else {
        this.setGhost(name)
        this.remark(t(risky ? 'ghost.risky' : 'ghost', { point: name }))
      }
    } else {
      this.play(name)
    }
  }

  typed(text) {
    const word = text.trim()
    if (!word) return
    if (/^(pass|パス|停|虚手|停一手)$/i.test(word)) {
      this.pass()
      return
    }
    if (!placeOf(this.state.size, word)) {
      this.remark(t('typed.unknown', { text: word }))
      return
    }
    this.pick(word.toUpperCase(), 'key')
  }

  play(move) {
    this.setGhost(null)
    this.sent = move === 'pass' || move === 'resign' ? null : move
    this.board.setGhost(this.sent, this.state.to_move, 'sent')
    return this.write('moves', { move })
  }

  /** Sends a write, and shows the state that it answers with. */
  async write(call, body = {}) {
    if (this.sending) return null
    this.sending = true
    this.renderStatus()
    try {
      const answer = await post(`/games/${this.id}/${call}`, { version: this.state.version, ...body }, this.token, () => this.remark(t('error.busy')))
      this.sending = false
      if (answer.state) this.take(answer.state)
      return answer
    } catch (error) {
      this.sending = false
      if (!(error instanceof Refusal)) throw error
      if (error.body.state) this.take(error.body.state)
      this.board.setGhost(null)
      const { code, body: { reason, point } } = error
      if (code === 'illegal' && has(`closed.${reason}`)) this.remark(t(`closed.${reason}`, { point }))
      else complain(error)
      return null
    } finally {
      this.sending = false
      this.renderStatus()
    }
  }

  undo() {
    if (this.state.can.undo && !this.sending) {
      const friend = this.state.you !== 'both' && this.state[other(this.state.you)].kind === 'human'
      this.write('undo').then(done => done && friend && this.remark(t('undo.asked')))
    }
  }

  askUndo() {
    sheet(t('undo.request'), [h('p', { text: t('undo.words') }), h('div', { class: 'row' },
      h('button', { type: 'button', class: 'primary', 'data-close': 'accept', text: t('undo.accept') }),
      h('button', { type: 'button', class: 'quiet', 'data-close': 'decline', text: t('undo.decline') }))],
    answer => this.state.can.answer_undo && this.write(answer === 'accept' ? 'undo/accept' : 'undo/decline'), 'undo-sheet')
  }

  async hint() {
    const { version, can } = this.state
    if (!can.hint || this.sending || this.hinting) return
    this.remark(t('hint.wait'))
    this.hinting = true
    // Moves need not wait for a hint; it is then too late and not shown.
    const answer = await post(`/games/${this.id}/hint`, { version }, this.token, () => this.remark(t('error.busy')))
      .catch(error => error.code === 'stale' ? null : complain(error))
    this.hinting = false
    if (!answer || this.state.version !== version) return
    const names = answer.hints.map(hint => hint.point)
    const places = names.filter(name => name !== 'pass').sort((a, b) => placeOf(this.state.size, a).x - placeOf(this.state.size, b).x)
    this.marks = places.map((at, i) => ({ at, kind: 'hint', text: 'ABC'[i] }))
    this.detail = places.length === 0 ? t('hint.pass') : t(places.length === 1 ? 'hint.one' : names.includes('pass') ? 'hint.or-pass' : 'hint.some', { points: list(places) })
    this.render()
    say(this.detail)
  }

  /** Passing ends games before beginners know it: first it is said what is still to be had. */
  async pass() {
    const { state } = this
    if (!state.can.pass || this.sending) return
    if (!saved('helpPass')) {
      this.play('pass')
      return
    }
    let left = { open: [], capturable: [], in_danger: [] }
    try {
      left = await get(`/games/${this.id}/advice`, this.token, ADVICE)
    } catch {
      // Against a friend nobody may advise.
    }
    const found = left.open.length + left.capturable.length + left.in_danger.length > 0
    this.marks = [
      ...left.open.map(at => ({ at, kind: 'open' })),
      ...[...left.capturable, ...left.in_danger].map(at => ({ at, kind: 'atari' })),
    ]
    this.render()
    const lines = []
    if (state.last === 'pass') lines.push(t('pass.ends'))
    if (left.open.length) lines.push(t('pass.open', { points: some(left.open) }))
    if (left.capturable.length) lines.push(t('pass.capturable', { points: some(left.capturable) }))
    if (left.in_danger.length) lines.push(t('pass.danger', { points: some(left.in_danger) }))
    if (!found && lines.length === 0) lines.push(t('pass.words'))
    sheet(t(found ? 'pass.early' : 'pass.sure'), [
      ...lines.map(text => h('p', { text })),
      h('div', { class: 'row' },
        h('button', { type: 'button', class: found ? 'primary' : 'quiet', 'data-close': '', text: t('pass.on') }),
        h('button', { type: 'button', class: found ? 'quiet' : 'primary', 'data-close': 'pass', text: t('pass') })),
    ], answer => {
      if (answer === 'pass') this.play('pass')
      this.marks = []
      this.render()
    }, 'low')
  }

  resign() {
    sheet(t('resign.sure'), h('div', { class: 'row' },
      h('button', { type: 'button', class: 'quiet', 'data-close': '', text: t('pass.on') }),
      h('button', { type: 'button', class: 'primary', 'data-close': 'resign', text: t('resign') })),
    answer => answer && this.play('resign'), 'low')
  }

  async saveRecord() {
    const record = await blob(`/games/${this.id}.sgf`, this.token).catch(complain)
    if (!record) return
    const link = h('a', { href: URL.createObjectURL(record), download: `keima-${this.id}.sgf` })
    document.body.append(link)
    link.click()
    link.remove()
    setTimeout(() => URL.revokeObjectURL(link.href), 10000)
  }

  /** Letters that act while the board has the focus. */
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || document.querySelector('dialog[open]') || !this.state) return
    const { target } = event
    if (target !== document.body && !this.board.element.contains(target)) return
    const run = { p: () => this.pass(), u: () => this.undo(), h: () => this.hint(), m: () => showMore(this), s: () => say(`${sentence(this.state)} ${prisoners(this.state)}`) }[event.key.toLowerCase()]
    if (event.key === 'Escape' && this.ghost) this.setGhost(null)
    if (!run) return
    event.preventDefault()
    run()
  }
}
