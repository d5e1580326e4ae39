// The lesson: ten positions on the real board, each with one thing to find. What happens is written down here; no rules are needed.

import { Board } from './board.js'
import { h, replace } from './dom.js'
import { say } from './game.js'
import { begin } from './home.js'
import { complain } from './panels.js'
import { saved } from './store.js'
import { t } from './text.js'

/** `want`: the points that solve it, all where there are none; `closed`: points that cannot be pressed; `takes`: stones that go off. */
export const STEPS = [
  { rows: ['.....', '.....', '.....', '.....', '.....'] },
  { rows: ['.....', '..X..', '.XOX.', '.....', '.....'], want: 'C2', takes: ['C3'] },
  { rows: ['.....', '.XX..', 'XOO..', '.XX..', '.....'], want: 'D3', takes: ['B3', 'C3'] },
  { rows: ['.....', '..O..', '.OX..', '..O..', '.....'], want: 'D3', atari: ['C3'] },
  { rows: ['.....', '..O..', '.O.O.', '..O..', '.....'], want: 'C3', closed: { C3: 'suicide' } },
  { rows: ['.....', '.....', 'X....', 'OX...', '.OX..'], want: 'A1', takes: ['A2', 'B1'] },
  { rows: ['.....', '.OX..', 'O.OX.', '.OX..', '.....'], want: 'B3', closed: { B3: 'ko' }, last: 'C3' },
  { rows: ['.....', '.....', 'OOOO.', 'XXXXO', '...XO'], want: 'B1' },
  { rows: ['...XO..', '...XO..', '...XO..', '...XO..', '...XO..', '...XO..', '....O..'], want: 'D1' },
  { rows: ['...XO..', '...XO..', '...XO..', '...XO..', '...XO..', '...XO..', '...XO..'], want: 'pass' },
]

const set = (rows, name, man) => {
  const [x, y] = [name.charCodeAt(0) - 65, rows.length - Number(name.slice(1))]
  return rows.map((row, i) => (i === y ? row.slice(0, x) + man + row.slice(x + 1) : row))
}

/** The board after the move that was asked for. */
export const after = (step, move) => (step.takes ?? []).reduce((rows, name) => set(rows, name, '.'), set(step.rows, move, 'X'))

export function showLesson(main, go) {
  let at = 0
  const place = h('div', { class: 'board-place' })
  const words = h('p', { class: 'ask', role: 'status' })
  const title = h('h2', { tabindex: '-1' })
  const dots = h('div', { class: 'dots' })
  const buttons = h('div', { class: 'row' })
  replace(main, h('div', { class: 'game lesson' }, h('h1', { class: 'hidden', text: t('lesson.title') }), place,
    h('div', { class: 'desk card' }, title, words, buttons, dots)))
  document.body.classList.add('playing')
  let board
  const button = (key, run, kind = 'quiet') => h('button', { type: 'button', class: kind, text: t(key), onclick: run })

  function open(step) {
    at = step
    const { rows, want, closed = {}, atari = [], last } = STEPS[at]
    let done = false
    title.textContent = t('lesson.step', { n: at + 1, of: STEPS.length, title: t(`lesson.${at + 1}.title`) })
    words.textContent = t(`lesson.${at + 1}.ask`)
    replace(dots, ...STEPS.map((_, i) => h('button', {
      type: 'button', 'aria-label': t('lesson.go', { n: i + 1 }), 'aria-current': i === at ? 'step' : null, onclick: () => open(i),
    })))
    const view = { rows, last, presses: 'empty', closed: new Set(Object.keys(closed)), marks: atari.map(point => ({ at: point, kind: 'atari' })) }

    const finish = (shown, name) => {
      done = true
      board.show({ ...view, presses: null, ...shown })
      words.textContent = t(`lesson.${at + 1}.good`)
      say(words.textContent)
      ends(name)
    }
    const ends = () => {
      const last = at === STEPS.length - 1
      replace(buttons, ...(last
        ? [button('lesson.capture', () => play({ size: 7, first_capture: 1 }), 'primary'), button('lesson.play', () => play({ size: 9 }))]
        : [button('lesson.next', () => open(at + 1), 'primary')]), button('lesson.repeat', () => open(at)))
      buttons.firstChild.focus({ preventScroll: true })
    }
    const counted = () => {
      const areas = []
      for (let row = 1; row <= 7; row++) {
        for (const column of 'ABC') areas.push({ at: column + row, color: 'black' })
        for (const column of 'FG') areas.push({ at: column + row, color: 'white' })
      }
      const middle = { B4: '21', G4: '14' }
      return {
        areas: areas.filter(area => !(area.at in middle)),
        marks: [{ at: 'B4', kind: 'sum-black', text: '21' }, { at: 'G4', kind: 'sum-white', text: '14' }],
      }
    }
    const pick = name => {
      if (done) return
      if (closed[name]) {
        board.setGhost(name, 'closed')
        finish({})
        board.setGhost(name, 'closed')
      } else if (board.colorAt(name) === 'empty' && (!want || name === want)) {
        finish({ rows: after(STEPS[at], name), last: name, marks: [] })
      } else {
        words.textContent = `${t('lesson.again')} ${t(`lesson.${at + 1}.ask`)}`
      }
    }
    board = new Board({
      size: rows.length,
      coordinates: saved('coordinates'),
      label: t('board.label', { size: rows.length }),
      describe: name => {
        const color = board?.colorAt(name) ?? 'empty'
        return color === 'empty' ? t('point.empty', { point: name }) : t('point.stone', { point: name, color: t(color) })
      },
      onpick: pick,
      onaim: name => board.setGhost(done || !name || board.colorAt(name) !== 'empty' ? null : name, closed[name] ? 'closed' : 'black'),
    })
    replace(place, board.element)
    board.show(view, true)
    replace(buttons, 
      ...(want === 'pass' ? [button('pass', () => finish(counted()), 'primary')] : []),
      button('lesson.skip', () => (at + 1 < STEPS.length ? open(at + 1) : go('/'))))
    title.focus({ preventScroll: true })
  }

  const play = wish => begin({ black: 'human', white: 'cpu:beginner', ...wish }, go).catch(complain)
  open(0)
}
