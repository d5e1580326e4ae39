// The board: how it looks and how it is pressed. It knows no rules; what may be pressed, it is told.

import { h, s } from './dom.js'
import { grain, mark, scatter, starPoints } from './drawing.js'

const COLUMNS = 'ABCDEFGHJKLMNOPQRST'
/** Side of a square between lines, in units of the drawing. */
const CELL = 100
/** Share of a square, on each side of the middle between two points, that belongs to neither. */
const DEAD_ZONE = 0.06
/** Points smaller than this are hard to hit with a finger, in CSS pixels. */
const SMALL = 30

/** The name of the point in this column and row, counted from the left and the top. */
export const nameOf = (size, x, y) => COLUMNS[x] + (size - y)

/** Column and row of a name, or null where there is no such point. */
export function placeOf(size, name) {
  const match = /^([A-HJ-T])(\d{1,2})$/.exec(name.toUpperCase())
  const place = match && { x: COLUMNS.indexOf(match[1]), y: size - Number(match[2]) }
  return place && place.x < size && place.y >= 0 && place.y < size ? place : null
}

let boards = 0

export class Board {
  /**
   * `label` names the board for readers; `describe(name)` says what stands on a point; `onpick(name, how)` hears of a press by `mouse`,
   * `touch` or `key`, `onaim(name or null, how)` of a pointer passing over a point.
   */
  constructor({ size, coordinates = true, label = '', describe = null, onpick = null, onaim = null }) {
    Object.assign(this, { size, describe, onpick, onaim })
    this.id = `b${++boards}`
    this.stones = new Map()
    this.view = { rows: Array(size).fill('.'.repeat(size)), closed: new Set() }
    this.buttons = new Map()
    this.at = nameOf(size, (size - 1) >> 1, (size - 1) >> 1)
    this.svg = s('svg', { 'aria-hidden': 'true', focusable: 'false' })
    this.element = h('div', { class: 'board' }, this.svg)
    this.draw(coordinates)
    if (onpick) this.addPoints(label)
  }

  /** The middle of a point in the drawing. */
  middle(name) {
    const { x, y } = placeOf(this.size, name)
    return { cx: x * CELL, cy: y * CELL }
  }

  /** Draws everything that does not change during a game. */
  draw(coordinates) {
    const { size, id } = this
    const last = (size - 1) * CELL
    const margin = coordinates ? 105 : 75
    this.margin = margin
    const total = last + 2 * margin
    const gradient = (name, stops) => s('radialGradient', { id: `${id}-${name}`, cx: '.36', cy: '.3', r: '.78' },
      stops.map(([offset, tone]) => s('stop', { offset, class: tone })))
    const defs = s('defs', {},
      gradient('black', [[0, 'b0'], [0.35, 'b1'], [0.75, 'b2'], [1, 'b3']]),
      gradient('white', [[0, 'w0'], [0.5, 'w1'], [0.85, 'w2'], [1, 'w3']]),
      s('radialGradient', { id: `${id}-shade` }, s('stop', { offset: 0.72, class: 's0' }), s('stop', { offset: 1, class: 's1' })),
      s('linearGradient', { id: `${id}-wood`, x1: 0, y1: 0, x2: 1, y2: 1 },
        s('stop', { offset: 0, class: 'wood0' }), s('stop', { offset: 0.5, class: 'wood1' }), s('stop', { offset: 1, class: 'wood2' })))
    const lines = s('g', { class: 'lines' })
    for (let i = 0; i < size; i++) {
      const edge = i === 0 || i === size - 1 ? 'edge' : null
      lines.append(s('path', { class: edge, d: `M0 ${i * CELL}H${last}M${i * CELL} 0V${last}` }))
    }
    const stars = starPoints(size).map(([x, y]) => s('circle', { class: 'star', cx: x * CELL, cy: y * CELL, r: size > 13 ? 11 : 9 }))
    const letters = s('g', { class: 'coordinates', 'font-size': 20 + size * 1.3 })
    for (let i = 0; coordinates && i < size; i++) {
      const text = (x, y, text) => s('text', { x, y, text })
      for (const edge of [-72, last + 72]) {
        letters.append(text(i * CELL, edge, COLUMNS[i]), text(edge, i * CELL, String(size - i)))
      }
    }
    this.layers = {}
    const layers = ['areas', 'shades', 'men', 'marks', 'ghosts'].map(name => this.layers[name] = s('g', { class: name }))
    this.svg.setAttribute('viewBox', `${-margin} ${-margin} ${total} ${total}`)
    const whole = { x: -margin, y: -margin, width: total, height: total }
    this.svg.replaceChildren(defs, s('g', { id: `${id}-all` },
      s('rect', { ...whole, class: 'wood', fill: `url(#${id}-wood)` }), grain(-margin, last + margin),
      lines, ...stars, letters, ...layers))
    this.element.style.setProperty('--size', size)
    this.element.style.setProperty('--edge', `${(100 * (margin - CELL / 2)) / total}%`)
    this.stones.clear()
  }

  /** Shows or hides the coordinates. */
  setCoordinates(on) {
    this.draw(on)
    const view = this.view
    this.view = { ...view, rows: Array(this.size).fill('.'.repeat(this.size)) }
    this.show(view, true)
  }

  /** The points as buttons over the drawing: what keyboards and readers meet, and what is pressed. */
  addPoints(label) {
    const { size } = this
    this.grid = h('div', { class: 'points', role: 'grid', 'aria-label': label })
    for (let y = 0; y < size; y++) {
      const row = h('div', { role: 'row' })
      for (let x = 0; x < size; x++) {
        const name = nameOf(size, x, y)
        const button = h('button', { type: 'button', tabindex: '-1', 'data-point': name })
        this.buttons.set(name, button)
        row.append(h('div', { role: 'gridcell' }, button))
      }
      this.grid.append(row)
    }
    this.buttons.get(this.at).tabIndex = 0
    const { grid } = this
    grid.addEventListener('keydown', event => this.key(event))
    grid.addEventListener('focusin', event => this.moveTab(event.target.dataset.point))
    grid.addEventListener('pointermove', event => this.move(event))
    grid.addEventListener('pointerdown', event => this.down(event))
    grid.addEventListener('pointerup', event => this.up(event))
    for (const name of ['pointerleave', 'pointercancel']) grid.addEventListener(name, event => this.leave(event))
    grid.addEventListener('contextmenu', event => this.pressed?.how === 'touch' && event.preventDefault())
    // Presses by keyboard and readers come as a click without a pointer; those of a pointer are dealt with above.
    grid.addEventListener('click', event => {
      const name = event.target.dataset.point
      if (event.detail === 0 && name) this.onpick(name, 'key')
    })
    this.element.append(grid)
    // Where points are small a finger slides to aim, and does not move the page.
    new ResizeObserver(() => this.element.classList.toggle('small', this.isSmall())).observe(this.element)
  }

  /** The point under a pointer, or null between points and beside the board. */
  under(event) {
    const box = this.grid.getBoundingClientRect()
    const x = ((event.clientX - box.left) / box.width) * this.size
    const y = ((event.clientY - box.top) / box.height) * this.size
    const between = at => Math.abs(at - Math.floor(at) - 0.5) > 0.5 - DEAD_ZONE
    if (x < 0 || y < 0 || x >= this.size || y >= this.size || between(x) || between(y)) return null
    return nameOf(this.size, Math.floor(x), Math.floor(y))
  }

  /** Whether points are too small for a finger to hit at once. */
  isSmall() {
    return this.element.clientWidth / (this.size + 1.1) < SMALL
  }

  down(event) {
    if (event.button !== 0) return
    const how = event.pointerType === 'mouse' ? 'mouse' : 'touch'
    const name = this.under(event)
    this.pressed = { name, how, last: name, slides: how === 'touch' && this.isSmall() }
    if (this.pressed.slides) {
      this.grid.setPointerCapture(event.pointerId)
      this.aim(name, 'touch')
      this.magnify(event)
    }
  }

  move(event) {
    const name = this.under(event)
    if (this.pressed && name && name !== this.pressed.name) this.pressed.moved = true
    if (this.pressed?.slides) {
      this.pressed.last = name ?? this.pressed.last
      this.aim(this.pressed.last, 'touch')
      this.magnify(event)
    } else if (event.pointerType !== 'touch') {
      this.aim(name, 'mouse')
    }
  }

  up(event) {
    const { pressed } = this
    this.pressed = null
    this.magnify(null)
    if (!pressed) return
    const name = this.under(event) ?? (pressed.slides ? pressed.last : null)
    // A finger that slid has aimed, and does no more; elsewhere a press that ends on another point was a slip.
    if (name && name === pressed.name && !pressed.moved) this.onpick(name, pressed.how)
    else if (name && pressed.slides) this.onpick(name, 'slide')
  }

  leave(event) {
    if (event.type === 'pointercancel') {
      this.pressed = null
      this.magnify(null)
    }
    if (!this.pressed) this.aim(null, 'mouse')
  }

  aim(name, how) {
    if (name === this.aimed) return
    this.aimed = name
    if (this.onaim) this.onaim(name, how)
  }

  /** A glass over the finger, which hides what is under it. */
  magnify(event) {
    if (!event) {
      this.glass?.remove()
      this.glass = null
      return
    }
    if (!this.glass) {
      this.glass = s('svg', { class: 'glass', 'aria-hidden': 'true' }, s('use', { href: `#${this.id}-all` }))
      this.element.append(this.glass)
    }
    const box = this.grid.getBoundingClientRect()
    const x = ((event.clientX - box.left) / box.width) * this.size - 0.5
    const y = ((event.clientY - box.top) / box.height) * this.size - 0.5
    this.glass.setAttribute('viewBox', `${(x - 1.7) * CELL} ${(y - 1.7) * CELL} ${3.4 * CELL} ${3.4 * CELL}`)
    const outer = this.element.getBoundingClientRect()
    const left = Math.min(Math.max(event.clientX - outer.left - 64, 0), outer.width - 128)
    const above = event.clientY - outer.top - 168
    this.glass.style.left = `${left}px`
    this.glass.style.top = `${above < -60 ? event.clientY - outer.top + 48 : above}px`
  }

  key(event) {
    const place = placeOf(this.size, event.target.dataset.point ?? '')
    if (!place || event.altKey || event.ctrlKey || event.metaKey) return
    const last = this.size - 1
    const step = {
      ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
      Home: [-last, 0], End: [last, 0], PageUp: [0, -last], PageDown: [0, last],
    }[event.key]
    if (!step) return
    event.preventDefault()
    const within = at => Math.min(Math.max(at, 0), last)
    this.focus(nameOf(this.size, within(place.x + step[0]), within(place.y + step[1])))
  }

  /** Makes this point the one that the tab key reaches. */
  moveTab(name) {
    if (!name) return
    this.buttons.get(this.at).tabIndex = -1
    this.at = name
    this.buttons.get(name).tabIndex = 0
  }

  focus(name = this.at) {
    this.moveTab(name)
    this.buttons.get(name)?.focus({ preventScroll: true })
  }

  /**
   * Shows a position. `rows` from the top in `.XO`; `presses` is `empty` or `stones`, or nothing when nothing may be pressed; `closed`
   * the empty points that cannot be pressed; `last` the point of the last move; `marks` a list of `{ at, kind, text }`; `areas` a list of `{ at, color }`; `dead` points.
   */
  show(view, atOnce = false) {
    const { size } = this
    this.view = { closed: new Set(), marks: [], areas: [], dead: [], ...view }
    const wanted = new Map()
    this.view.rows.forEach((row, y) => [...row].forEach((man, x) => man !== '.' && wanted.set(nameOf(size, x, y), man)))
    for (const [name, man] of this.stones) {
      if (wanted.get(name) === man.color) continue
      this.stones.delete(name)
      man.shade.remove()
      man.node.classList.add('gone')
      setTimeout(() => man.node.remove(), atOnce ? 0 : 400)
    }
    const fresh = this.stones.size > 0 || wanted.size === 1
    for (const [name, color] of wanted) {
      if (!this.stones.has(name)) this.stones.set(name, this.put(name, color, fresh && !atOnce))
    }
    for (const [name, man] of this.stones) man.node.classList.toggle('dead', this.view.dead.includes(name))
    this.showMarks()
    this.showButtons()
  }

  put(name, color, drops) {
    const { cx, cy } = this.middle(name)
    const next = scatter(cx * 31 + cy * 17 + 5)
    // People do not put stones exactly on the crossing.
    const x = cx + 5 * (next() - 0.5)
    const y = cy + 5 * (next() - 0.5)
    const shade = s('circle', { cx: x + 4, cy: y + 7, r: 51, fill: `url(#${this.id}-shade)` })
    const node = s('g', { class: `man ${color === 'X' ? 'black' : 'white'}${drops ? ' drops' : ''}`, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` },
      s('circle', { class: 'body', r: 47.5, fill: `url(#${this.id}-${color === 'X' ? 'black' : 'white'})` }))
    if (color === 'O') {
      // The growth lines of the shell.
      const shell = s('g', { class: 'shell', transform: `rotate(${Math.floor(next() * 360)})` })
      for (let i = 0; i < 5; i++) shell.append(s('path', { d: `M-${34 - i} ${i * 13 - 26}Q0 ${i * 13 - 44 + i * 2} ${34 - i} ${i * 13 - 26}` }))
      node.append(shell)
    }
    this.layers.shades.append(shade)
    this.layers.men.append(node)
    return { color, node, shade }
  }

  showMarks() {
    const { last, marks, areas, dead } = this.view
    const nodes = []
    const add = (name, kind, text) => {
      const { cx, cy } = this.middle(name)
      nodes.push(mark(kind, cx, cy, this.colorAt(name), text))
    }
    const areaNodes = areas.map(({ at, color, fresh }) => {
      const { cx, cy } = this.middle(at)
      return color === 'neutral'
        ? s('circle', { class: 'neutral', cx, cy, r: 12 })
        : s('rect', { class: `area ${color}${fresh ? ' fresh' : ''}`, x: cx - 17, y: cy - 17, width: 34, height: 34, rx: 5 })
    })
    for (const name of dead) add(name, 'dead')
    for (const { at, kind, text } of marks) add(at, kind, text)
    if (last) add(last, 'last')
    this.layers.marks.replaceChildren(...nodes)
    this.layers.areas.replaceChildren()
    // Territory under dead stones is seen as well.
    this.layers.ghosts.replaceChildren(...areaNodes)
    this.ghost = null
    this.aimed = null
  }

  colorAt(name) {
    const { x, y } = placeOf(this.size, name)
    return { X: 'black', O: 'white' }[this.view.rows[y][x]] ?? 'empty'
  }

  showButtons() {
    for (const [name, button] of this.buttons) {
      const label = this.describe ? this.describe(name) : name
      if (button.getAttribute('aria-label') !== label) button.setAttribute('aria-label', label)
      const stones = this.view.presses === 'stones'
      const shut = !this.view.presses || this.view.closed.has(name) || (this.colorAt(name) !== 'empty') !== stones
      if ((button.getAttribute('aria-disabled') === 'true') !== shut) button.setAttribute('aria-disabled', String(shut))
    }
  }

  /**
   * Shows a stone that is not played yet (of a color, `firm` once it is proposed, or `sent`), or that the point is closed (`kind` is
   * `closed`), or neither.
   */
  setGhost(name, kind, firm = false) {
    this.ghost?.remove()
    this.ghost = null
    if (!name) return
    const { cx, cy } = this.middle(name)
    const body = kind === 'closed' ? mark('refused', 0, 0)
      : s('circle', { class: 'body', r: 47.5, fill: `url(#${this.id}-${kind})` })
    this.ghost = s('g', { class: `ghost ${kind}${firm === 'sent' ? ' sent' : firm ? ' firm' : ''}`, transform: `translate(${cx} ${cy})` }, body)
    if (firm === true) this.ghost.append(s('path', { class: 'aim', d: 'M-70 0H-56M56 0H70M0 -70V-56M0 56V70' }))
    this.layers.ghosts.append(this.ghost)
  }
}
