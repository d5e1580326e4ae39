// Whole games against Keima by mouse, on every board and with both colors: what the page shows is what the server says.

const assert = require('node:assert/strict')
const {test} = require('node:test')
const {accept, drawn, hands, isOver, isTurn, opened, pass, prisoners, until} = require('./table.js')

const {server, browser} = opened()

/** The next point for a person who plays anywhere sensible: not into an own eye. */
const choose = (page, nth) => page.evaluate(nth => {
  const points = [...document.querySelectorAll('.points button')]
  const size = Math.sqrt(points.length)
  const color = document.querySelector('.player.turn').classList.contains('black') ? 'Black' : 'White'
  const isOwn = (x, y) => x < 0 || y < 0 || x >= size || y >= size || points[y * size + x].ariaLabel.includes(color)
  const free = points.filter((point, i) => {
    const [x, y] = [i % size, Math.floor(i / size)]
    const eye = isOwn(x - 1, y) && isOwn(x + 1, y) && isOwn(x, y - 1) && isOwn(x, y + 1)
    return point.getAttribute('aria-disabled') !== 'true' && !eye
  })
  return free.length ? free[nth % free.length].dataset.point : null
}, nth)

const isCounted = page => page.locator('.accept:enabled').isVisible()
const settled = async page => await isTurn(page) || await isCounted(page) || await isOver(page)

/** Plays a game from the start page to its count. After `stones` moves the person only passes. */
async function playThrough(size, color, stones) {
  const page = await browser.page(server)
  await page.goto(server.base)
  await page.locator(`.size .option:has([value="${size}"])`).click()
  await page.locator(`.color .option:has([value="${color}"])`).click()
  await page.locator('.start').click()
  await page.waitForSelector('.points')
  const id = page.url().split('/').pop()
  const [seat] = await page.evaluate(() => JSON.parse(localStorage.getItem('keima.games')))
  const game = {id, token: seat.token}
  for (let turn = 0; ; turn++) {
    const state = await until(async () => {
      const state = await server.state(game)
      const waits = state.can.pass || state.can.accept || state.phase === 'over'
      return waits && await settled(page) && JSON.stringify(await drawn(page)) === JSON.stringify(state.board) && state
    }, 'my turn or the end, and the board is shown')
    assert.deepEqual(await prisoners(page), state.captured)
    const marks = await page.locator('.mark.last').count()
    if (state.phase === 'over') break
    if (state.phase === 'counting') {
      await accept(page)
      await page.locator('.over').waitFor()
      continue
    }
    assert.equal(marks, state.last && state.last !== 'pass' ? 1 : 0, 'the last move is marked')
    const point = turn < stones && state.last !== 'pass' ? await choose(page, turn * 7 + 3) : null
    if (point) await hands.mouse(page, point)
    else await pass(page)
    await until(async () => (await server.state(game)).version > state.version, 'the move is made')
  }
  const state = await server.state(game)
  assert.equal(state.result.by, 'score')
  const {area} = state.count
  await until(async () => /\d/.test(await page.locator('tfoot td').first().textContent()), 'the count is finished')
  const totals = await page.locator('table').first().locator('tfoot td').allTextContents()
  assert.deepEqual(totals.map(Number), [area.black.total, area.white.total + area.komi + area.handicap])
  const heading = await page.locator('.status strong').textContent()
  assert.ok(heading.includes(state.result.winner === color ? 'You win' : 'You lose'), heading)
  assert.ok(heading.includes(String(state.result.margin)), heading)
  await page.context().close()
}

// The large boards take minutes: 13x13 with one color, unless KEIMA_ALL asks for both and for 19x19.
const both = ['black', 'white']
const large = process.env.KEIMA_ALL ? [[13, 40, both], [19, 40, both]] : [[13, 40, ['black']]]
const plans = [[5, 60, both], [7, 80, both], [9, 120, both], ...large]
for (const [size, stones, sides] of plans) {
  for (const color of sides) {
    test(`a whole game on ${size}x${size} as ${color} is shown as the server has it`, () => playThrough(size, color, stones))
  }
}
