// What a state of a game says in words: to eyes, and to readers.

import { nameOf } from './board.js'
import { saved } from './store.js'
import { list, points, t } from './text.js'

export const other = color => (color === 'black' ? 'white' : 'black')

/** Who plays a color. */
export function nameOfPlayer(state, color) {
  const player = state[color]
  if (player.kind === 'cpu') return 'Keima'
  if (player.name) return player.name
  if (state.you === color) return t('player.you')
  return state.you === 'both' || !state.you ? t(color) : t('player.friend')
}

/** A few of some points. */
export const some = names => list(names.length > 4 ? [...names.slice(0, 3), t('and-more')] : names)

/** How long somebody has been away. */
export function awayWords(seconds) {
  if (seconds === null) return t('away.never')
  if (seconds < 60) return t('away.seconds')
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return t('away.minutes', { n: minutes })
  const hours = Math.round(minutes / 60)
  return hours < 48 ? t('away.hours', { n: hours }) : t('away.days', { n: Math.round(hours / 24) })
}

/** What is going on, in one sentence. */
export function sentence(state) {
  if (state.phase === 'open') return t('status.open')
  if (state.phase === 'counting') return t('status.counting')
  if (state.phase === 'over') return result(state)
  if (state.thinking?.busy) return t('status.busy')
  if (state.thinking?.ahead) return t('status.queue', { n: state.thinking.ahead })
  if (state[state.to_move].kind === 'cpu') return t('status.thinking')
  if (state.you === 'both' || !state.you) return t('status.turn', { color: t(state.to_move) })
  return t(state.to_move === state.you ? 'status.yours' : 'status.theirs')
}

/** Who won, how, and by how much. */
export function result(state) {
  const { winner, by, margin } = state.result
  if (!winner) return t(by === 'no-result' ? 'result.none' : 'result.draw')
  const who = state.you === winner ? 'you-win' : state.you === other(winner) ? 'you-lose' : 'wins'
  return t(`result.${who}.${by}`, { color: t(winner), n: margin === null ? '' : points(margin) })
}

/** What to know beside that: one thing, the most useful. */
export function advice(state) {
  if (state.phase !== 'playing') return ''
  if (state.last === 'pass' && state.can.move) return t(state[other(state.to_move)].kind === 'cpu' ? 'pass.by-keima' : 'pass.by-other')
  const man = state.to_move === 'black' ? 'X' : 'O'
  const own = state.can.move && saved('helpAtari') ? state.atari.filter(name => manAt(state, name) === man) : []
  if (own.length) return t('atari.yours', { points: some(own) })
  return state.first_capture ? t('capture.goal', { n: state.first_capture }) : ''
}

const colorOf = man => t(man === 'X' ? 'black' : 'white')

function manAt(state, name) {
  const x = 'ABCDEFGHJKLMNOPQRST'.indexOf(name[0])
  return state.board[state.size - Number(name.slice(1))][x]
}

/** What a reader says of a point. */
export function pointWords(state, name) {
  const man = manAt(state, name)
  if (man !== '.') {
    const kind = name === state.last ? 'last' : state.dead.includes(name) ? 'dead' : state.atari.includes(name) && saved('helpAtari') ? 'atari' : 'stone'
    return t(`point.${kind}`, { point: name, color: colorOf(man) })
  }
  const why = state.can.move ? state.closed[name] : null
  if (why) return t('point.closed', { point: name, why: t(`closed.${why}.short`) })
  return t(isRisky(state, name) ? 'point.risky' : 'point.empty', { point: name })
}

/** Whether to warn that a stone on this point could be captured by the next move. */
export const isRisky = (state, name) => state.can.move && saved('helpAtari') && state.risky.includes(name)

/** Why a point cannot be taken; nothing where it can. */
export function whyNot(state, name) {
  if (!state.can.move) {
    if (!state.you) return t('closed.spectator')
    const reason = state.phase === 'playing' ? 'not-your-turn' : state.phase === 'open' ? 'not-open' : state.phase
    return t(`closed.${reason}`)
  }
  if (manAt(state, name) !== '.') return t('closed.occupied', { point: name })
  const reason = state.closed[name]
  return reason ? t(`closed.${reason}`, { point: name }) : null
}

/** The board, row by row. */
export function reading(state) {
  const rows = state.board.map((row, y) => {
    const stones = [...row].map((man, x) => man !== '.' && t('read.stone', { point: nameOf(state.size, x, y), color: colorOf(man) })).filter(Boolean)
    return stones.length ? t('read.row', { row: state.size - y, stones: list(stones) }) : null
  }).filter(Boolean)
  return rows.length ? rows.join(' ') : t('read.nothing')
}

export const prisoners = ({ captured }) => t('said.prisoners', captured)

/** What has changed since an earlier state, for those who do not see it. */
export function news(before, state) {
  const parts = []
  const more = state.moves.length - before.moves.length
  if (before.phase === 'open' && state.phase === 'playing') parts.push(t('said.joined'))
  for (let i = before.moves.length; i < state.moves.length; i++) {
    const point = state.moves[i]
    const color = t((i % 2 === 0) === (state.first === 'black') ? 'black' : 'white')
    const n = i === state.moves.length - 1 ? state.last_captured : 0
    parts.push(t(point === 'pass' ? 'said.pass' : n ? 'said.takes' : 'said.move', { color, point, n }))
  }
  if (more > 0 && state.last_captured) parts.push(prisoners(state))
  if (more < 0) parts.push(t('said.undo'))
  if (more !== 0 || before.phase !== state.phase || before.accepted.length !== state.accepted.length) parts.push(sentence(state))
  return parts.join(' ')
}
