// The count at the end: region by region on the board, and as a sum beside it.

import { placeOf } from './board.js'
import { h, replace, stone } from './dom.js'
import { saved } from './store.js'
import { points, t } from './text.js'

/** Time for all regions together, and for one, in milliseconds. */
const WHOLE = 7000
const STEP = 900

export class CountView {
  constructor(state, onchange) {
    this.data = state.count
    this.size = state.size
    this.onchange = onchange
    this.shown = 0
    const { regions } = this.data
    this.owned = regions.filter(region => region.color)
    this.neutral = regions.filter(region => !region.color)
    this.element = h('div', { class: 'count' })
    this.draw()
  }

  start(atOnce) {
    this.stop()
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches
    this.shown = atOnce || still ? this.owned.length + 1 : 0
    this.draw()
    if (this.isDone()) return
    const step = Math.min(STEP, WHOLE / (this.owned.length + 1))
    this.timer = setInterval(() => {
      this.shown += 1
      this.draw()
      this.onchange()
      if (this.isDone()) this.stop()
    }, step)
  }

  stop() {
    clearInterval(this.timer)
  }

  isDone() {
    return this.shown > this.owned.length
  }

  /** What of the count is on the board by now. */
  view() {
    const areas = []
    const marks = []
    this.owned.slice(0, this.shown).forEach((region, i) => {
      const fresh = i === this.shown - 1
      const middle = this.middle(region)
      for (const at of region.points) {
        if (at !== middle) areas.push({ at, color: region.color, fresh })
      }
      marks.push({ at: middle, kind: `sum-${region.color}`, text: String(region.points.length) })
    })
    if (this.isDone()) for (const region of this.neutral) for (const at of region.points) areas.push({ at, color: 'neutral' })
    return { areas, marks, last: null }
  }

  /** The empty point of a region that lies nearest to its middle: where its number stands. */
  middle(region) {
    const dead = new Set(region.dead)
    const places = region.points.filter(at => !dead.has(at)).map(at => ({ at, ...placeOf(this.size, at) }))
    if (places.length === 0) return region.points[0]
    const mean = axis => places.reduce((sum, place) => sum + place[axis], 0) / places.length
    const [x, y] = [mean('x'), mean('y')]
    const distance = place => (place.x - x) ** 2 + (place.y - y) ** 2
    return places.reduce((best, place) => (distance(place) < distance(best) ? place : best)).at
  }

  /** Points of the regions shown so far. */
  soFar(color) {
    return this.owned.slice(0, this.shown).filter(region => region.color === color)
      .reduce((sum, region) => sum + region.points.length, 0)
  }

  draw() {
    const { area, japanese, counted } = this.data
    const done = this.isDone()
    const open = n => (done ? points(n) : '…')
    const territory = color => (done ? points(counted === 'area' ? area[color].territory : japanese[color].territory) : String(this.soFar(color)))
    const byArea = live => table(t('count.area'), [
      [t('count.surrounded'), live ? territory('black') : points(area.black.territory), live ? territory('white') : points(area.white.territory)],
      [t('count.stones'), live ? open(area.black.stones) : points(area.black.stones), live ? open(area.white.stones) : points(area.white.stones)],
      [t('count.komi'), '', points(area.komi)],
      ...(area.handicap ? [[t('count.handicap'), '', points(area.handicap)]] : []),
    ], live && !done ? ['…', '…'] : [points(area.black.total), points(area.white.total + area.komi + area.handicap)])
    const byTerritory = live => table(t('count.japanese'), [
      [t('count.surrounded'), live ? territory('black') : points(japanese.black.territory), live ? territory('white') : points(japanese.white.territory)],
      [t('count.prisoners'), ...['black', 'white'].map(color => (live ? open : points)(japanese[color].captured + japanese[color].dead))],
      [t('count.komi'), '', points(japanese.komi)],
    ], live && !done ? ['…', '…'] : [points(japanese.black.total), points(japanese.white.total + japanese.komi)])
    const main = counted === 'area' ? byArea(true) : byTerritory(true)
    const parts = [main]
    if (area.neutral && done) parts.push(h('p', { class: 'note', text: t('count.neutral', { n: area.neutral }) }))
    if (saved('helpCount') && done) parts.push(this.beside(counted === 'area' ? byTerritory(false) : byArea(false)))
    replace(this.element, ...parts)
  }

  /** The other way of counting, and why it may differ. */
  beside(other) {
    const { area, japanese, why } = this.data
    const result = count => (count.winner ? t('count.result', { color: t(count.winner), n: points(count.margin) }) : t('result.draw'))
    const reasons = why.map(code => t(`why.${code}${code === 'one-more-stone' && japanese.placed < 0 ? '.white' : ''}`, { n: Math.abs(japanese.placed ?? 1) }))
    const second = this.data.counted === 'area' ? japanese : area
    const roomy = matchMedia('(min-width: 52rem)').matches
    return h('details', { class: 'beside', open: roomy }, h('summary', { text: t(`count.beside.${second === japanese ? 'japanese' : 'area'}`, { result: result(second) }) }),
      other, reasons.length ? reasons.map(text => h('p', { class: 'note', text })) : h('p', { class: 'note', text: t('why.same') }))
  }
}

function table(title, rows, sums) {
  const cell = (tag, text) => h(tag, { text })
  return h('table', {}, h('caption', { text: title }),
    h('thead', {}, h('tr', {}, h('td'), ...['black', 'white'].map(color => h('th', { scope: 'col' }, stone(color), t(color))))),
    h('tbody', {}, rows.map(([name, ...cells]) => h('tr', {}, h('th', { scope: 'row', text: name }), cells.map(text => cell('td', text))))),
    h('tfoot', {}, h('tr', {}, h('th', { scope: 'row', text: t('count.total') }), sums.map(text => cell('td', text)))))
}
