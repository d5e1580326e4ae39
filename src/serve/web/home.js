// The start page: a game in one press, or chosen in detail.

import { get, newKey, post } from './api.js'
import { Board } from './board.js'
import { h, icon, replace, s, stone } from './dom.js'
import { starPoints } from './drawing.js'
import { draft, games, keep, save, saved } from './store.js'
import { points, t } from './text.js'
import { complain } from './panels.js'

/** What the server says of itself, and until it has answered, what every server says. */
let config = {
  sizes: [5, 7, 9, 13, 19],
  levels: ['beginner', 'intermediate', 'advanced'],
  rules: ['as-is', 'chinese', 'japanese'],
  default_komi: { 'as-is': 6.5, chinese: 7.5, japanese: 6.5 },
  handicap_max: { 5: 0, 7: 4, 9: 9, 13: 9, 19: 9 },
  name_max: 24,
}

/** A picture of an empty board. */
function small(size) {
  const step = 40 / (size - 1)
  let lines = ''
  for (let i = 0; i < size; i++) lines += `M4 ${4 + i * step}h40M${4 + i * step} 4v40`
  const stars = starPoints(size).map(([x, y]) => s('circle', { cx: 4 + x * step, cy: 4 + y * step, r: 1.7 }))
  return s('svg', { class: 'small-board', viewBox: '0 0 48 48', 'aria-hidden': 'true' }, s('path', { d: lines }), stars)
}

/** Where handicap stones stand, for the picture only: the server places those of the game. */
function handicapPoints(size, count) {
  const near = size < 9 ? 1 : size < 13 ? 2 : 3
  const far = size - 1 - near
  const mid = (size - 1) / 2
  const all = [[far, near], [near, far], [far, far], [near, near], [near, mid], [far, mid], [mid, near], [mid, far]]
  const used = all.slice(0, count - (count % 2 && count > 4 ? 1 : 0)).slice(0, count)
  if (count % 2 && count > 4) used.push([mid, mid])
  return used
}

/** A few stones, so that the picture is of a game and not of a table. */
const OPENINGS = {
  5: { X: [[2, 2]], O: [[3, 3]] },
  7: { X: [[3, 3], [4, 5]], O: [[2, 4]] },
  9: { X: [[4, 4], [2, 5]], O: [[6, 3], [5, 6]] },
  13: { X: [[9, 3], [8, 5], [3, 9]], O: [[3, 3], [9, 9], [10, 7]] },
  19: { X: [[15, 3], [13, 2], [3, 16], [5, 13]], O: [[3, 3], [16, 15], [14, 16], [16, 5]] },
}

function picture(size, handicap) {
  const rows = Array.from({ length: size }, () => Array(size).fill('.'))
  const men = handicap > 1 ? { X: handicapPoints(size, handicap), O: [] } : OPENINGS[size]
  for (const man of ['X', 'O']) for (const [x, y] of men[man]) rows[y][x] = man
  return rows.map(row => row.join(''))
}

/** A choice among few: all of them seen, one press each. */
function group(name, title, options, value, onchange) {
  return h('fieldset', { class: `group ${name}` }, h('legend', { text: title }), h('div', { class: 'options' },
    options.map(([option, ...label]) => h('label', { class: 'option' },
      h('input', { type: 'radio', name, value: option, checked: String(option) === String(value), onchange: () => onchange(option) }),
      h('span', { class: 'face' }, label)))))
}

function select(id, title, options, value, onchange) {
  return h('div', { class: 'field' }, h('label', { for: id, text: title }),
    h('select', { id, onchange: event => onchange(event.target.value) },
      options.map(([option, text]) => h('option', { value: option, text, selected: String(option) === String(value) }))))
}

/** Begins a game and goes there. The key makes the request safe to repeat, also after a reload: the same wish is the same game. */
export async function begin(wish, go) {
  const text = JSON.stringify(wish)
  const begun = JSON.parse(draft('begun') ?? '{}')
  const key = begun.wish === text ? begun.key : newKey()
  draft('begun', JSON.stringify({ wish: text, key }))
  const made = await post('/games', { ...wish, key })
  draft('begun', null)
  const opponent = made.seat === 'both' ? null : made.state[made.seat === 'black' ? 'white' : 'black']
  keep({ id: made.id, token: made.token, seat: made.seat, size: made.state.size, against: opponent?.level ?? null, invitation: made.invitation })
  go(`/g/${made.id}`)
}

export function showHome(main, go) {
  const wish = {
    size: 9, against: 'beginner', color: 'black', handicap: 0, komi: '', rules: 'as-is', ...JSON.parse(draft('wish') ?? '{}'),
  }
  const board = h('div', { class: 'picture' })
  const form = h('div', { class: 'card form' })
  /** A record to play on from, and its name. */
  let record = null
  const alone = () => wish.against !== 'friend' && wish.against !== 'both'

  function drawBoard() {
    const shown = new Board({ size: wish.size, coordinates: false })
    shown.show({ rows: picture(wish.size, wish.handicap) }, true)
    replace(board, shown.element)
  }

  function change(name, value) {
    wish[name] = value
    wish.handicap = Math.min(wish.handicap, config.handicap_max[wish.size] ?? 0)
    draft('wish', JSON.stringify(wish))
    if (name === 'size' || name === 'handicap') drawBoard()
    draw()
    form.querySelector(`[name="${name}"]:checked, #${name}`)?.focus({ preventScroll: true })
  }

  async function start(given) {
    const button = form.querySelector('.start')
    button.disabled = true
    try {
      await begin(given, go)
    } catch (error) {
      button.disabled = false
      complain(error)
    }
  }

  function request() {
    const seat = wish.against === 'both' ? 'both' : wish.color === 'either' ? (Math.random() < 0.5 ? 'black' : 'white') : wish.color
    const other = alone() ? `cpu:${wish.against}` : 'human'
    return {
      // A record brings its own board, komi and handicap.
      ...(record ? { sgf: record.text } : { size: wish.size, handicap: wish.handicap, ...(wish.komi !== '' && { komi: Number(wish.komi) }) }),
      rules: wish.rules,
      black: seat === 'white' ? other : 'human',
      white: seat === 'black' ? other : 'human',
      ...(!alone() && { seat }),
      ...(wish.against === 'friend' && saved('name') && { name: saved('name') }),
    }
  }

  async function load(file) {
    record = file ? { name: file.name, text: await file.text() } : null
    draw()
  }

  function draw() {
    const most = config.handicap_max[wish.size] ?? 0
    const counts = [[0, t('handicap.none')]]
    for (let n = 2; n <= most; n++) counts.push([n, t('handicap.stones', { n })])
    const usual = wish.handicap ? 0.5 : config.default_komi[wish.rules]
    const komis = ['', 7.5, 6.5, 5.5, 3.5, 0.5, 0, -5.5, -11.5]
    const open = form.querySelector('details')?.open
    replace(form, 
      group('size', t('new.size'), config.sizes.map(size => [size, small(size), h('b', { text: `${size}×${size}` })]), wish.size, size => change('size', size)),
      h('p', { class: 'note', text: t(`size.${wish.size}`) }),
      group('against', t('new.against'), [
        ...config.levels.map(level => [level, t(`level.${level}`)]), ['friend', t('against.friend')], ['both', t('against.both')],
      ], wish.against, against => change('against', against)),
      h('p', { class: 'note', text: t(`about.${wish.against}`) }),
      wish.against === 'both' ? null : group('color', t('new.color'), [
        ['black', stone('black'), t('black')], ['white', stone('white'), t('white')], ['either', stone('either'), t('color.either')],
      ], wish.color, color => change('color', color)),
      wish.against !== 'friend' ? null : h('div', { class: 'field' }, h('label', { for: 'name', text: t('new.name') }),
        h('input', { id: 'name', maxlength: config.name_max, autocomplete: 'nickname', value: saved('name'), oninput: event => save('name', event.target.value.trim()) })),
      h('details', { open }, h('summary', { text: t('new.more') }),
        h('div', { class: 'fields' },
          most < 2 ? null : select('handicap', t('new.handicap'), counts, wish.handicap, value => change('handicap', Number(value))),
          select('komi', t('new.komi'), komis.map(k => [k, k === '' ? t('komi.usual', { n: points(usual) }) : points(k)]), wish.komi, value => change('komi', value)),
          select('rules', t('new.rules'), config.rules.map(rules => [rules, t(`rules.${rules}`)]), wish.rules, value => change('rules', value))),
        h('p', { class: 'note', text: t(`rules.${wish.rules}.words`) }),
        h('p', { class: 'note', text: t('komi.words') }),
        h('label', { class: 'quiet file' }, icon('book'), h('span', { text: record ? record.name : t('new.record') }),
          h('input', { type: 'file', accept: '.sgf', class: 'hidden', onchange: event => load(event.target.files[0]) }))),
      h('button', { type: 'button', class: 'primary start', text: t(wish.against === 'friend' ? 'new.invite' : 'new.start'), onclick: () => start(request()) }))
  }

  drawBoard()
  draw()
  const mine = games().slice(0, 6)
  replace(main, h('div', { class: 'home' },
    h('section', { class: 'welcome' }, h('h1', { text: t('home.title') }), h('p', { text: t('home.words') }), board),
    form,
    h('section', { class: 'card first' }, h('h2', { text: t('home.first') }),
      h('div', { class: 'ways' },
        h('a', { class: 'way', href: '/#lesson' }, icon('book'), h('b', { text: t('lesson.title') }), h('span', { text: t('lesson.words') })),
        h('button', { type: 'button', class: 'way', onclick: () => start({ size: 7, black: 'human', white: 'cpu:beginner', first_capture: 1 }) },
          stone('white'), h('b', { text: t('capture.title') }), h('span', { text: t('capture.words') })))),
    mine.length === 0 ? null : h('section', { class: 'card mine' }, h('h2', { text: t('home.mine') }),
      h('ul', {}, mine.map(game => h('li', {}, h('a', { href: `/g/${game.id}` },
        stone(game.seat === 'both' ? 'either' : game.seat),
        h('span', { text: `${game.size}×${game.size}, ${game.seat === 'both' ? t('against.both') : game.against ? t(`level.${game.against}`) : t('against.friend')}` }),
        h('span', { class: 'when', text: t(game.over ? 'game.over' : 'game.goes-on') }))))))))

  get('/config').then(answer => {
    const known = Object.fromEntries(Object.keys(config).filter(key => key in answer).map(key => [key, answer[key]]))
    const differs = JSON.stringify({ ...config, ...known }) !== JSON.stringify(config)
    config = { ...config, ...known }
    if (differs && form.isConnected) draw()
  }).catch(() => {})
}
