// What a board is made of: wood, star points, and the signs on points.

import { s } from './dom.js'

/** The marked points of an empty board, by column and row. */
export function starPoints(size) {
  const middle = (size - 1) / 2
  if (size < 9) return size === 5 || size === 7 ? [[middle, middle]] : []
  const near = size < 13 ? 2 : 3
  const far = size - 1 - near
  const points = [[near, near], [far, near], [near, far], [far, far], [middle, middle]]
  if (size >= 19) points.push([near, middle], [far, middle], [middle, near], [middle, far])
  return points
}

/** Numbers that look random and are always the same. */
export function scatter(seed) {
  let state = seed
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648
    return state / 2147483648
  }
}

/** The lines of the wood's year rings: nearly straight, at uneven distances. */
export function grain(from, to) {
  const next = scatter(7)
  const lines = s('g', { class: 'grain', 'aria-hidden': 'true' })
  const width = to - from
  for (let x = from; x < to; x += width * (0.006 + 0.022 * next())) {
    const lean = width * 0.02 * (next() - 0.5)
    const bow = width * 0.02 * (next() - 0.5)
    const y = part => from + width * part
    lines.append(s('path', {
      d: `M${x.toFixed(0)} ${y(0)}C${(x + bow).toFixed(0)} ${y(0.35)} ${(x - bow + lean).toFixed(0)} ${y(0.65)} ${(x + lean).toFixed(0)} ${y(1)}`,
      'stroke-width': (width * (0.001 + 0.0035 * next() ** 2)).toFixed(1),
      opacity: (0.1 + 0.35 * next() ** 2).toFixed(2),
    }))
  }
  return lines
}

/** A sign on a point. Every kind has its own shape, so that none is known by its color alone. */
export function mark(kind, cx, cy, on = 'empty', text = '') {
  const at = { class: `mark ${kind} on-${on}`, transform: `translate(${cx} ${cy})` }
  switch (kind) {
    case 'last': return s('g', at, s('circle', { r: 25, class: 'ring' }), s('circle', { r: 8, class: 'dot' }))
    case 'atari': return s('g', at, s('circle', { r: 41, class: 'ring' }))
    case 'open': return s('g', at, s('path', { d: 'M0 -30L30 0L0 30L-30 0Z' }))
    case 'closed': return s('g', at, s('path', { d: 'M-11 -11L11 11M11 -11L-11 11' }))
    case 'refused': return s('g', at, s('circle', { r: 30 }), s('path', { d: 'M-20 -20L20 20' }))
    case 'ko': return s('g', at, s('rect', { x: -20, y: -20, width: 40, height: 40 }))
    case 'dead': return s('g', at, s('path', { d: 'M-22 -22L22 22M22 -22L-22 22' }))
    case 'hint': return s('g', at, s('circle', { r: 40 }), s('text', { text, y: 2 }))
    default: return s('g', at, s('text', { text, y: 2 }))
  }
}
