// A phone of 360 pixels: two steps where points are small, no stone by accident, buttons that stay where they are.

const assert = require('node:assert/strict')
const {test} = require('node:test')
const {button, hands, isTurn, middleOf, opened, sit, stones, until} = require('./table.js')

const {server, browser} = opened()

const boxes = page => page.$$eval('.act, .confirm:not([hidden]), .board', all => all.map(one => {
  const {x, y, width, height} = one.getBoundingClientRect()
  return [x, y + window.scrollY, width, height].map(Math.round)
}))

async function table(size, against = 'cpu:beginner') {
  const game = await server.game({size, black: 'human', white: against, seat: 'black', seed: 1})
  const page = await browser.page(server, 'phone')
  if (against === 'human') await server.call('POST', '/join', {body: {invitation: game.invitation}})
  await sit(page, server, game)
  await until(() => isTurn(page), 'the turn')
  return {game, page}
}

/** Drags a finger over the board. */
async function drag(page, from, to) {
  const client = await page.context().newCDPSession(page)
  const touch = (type, at) => client.send('Input.dispatchTouchEvent', {type, touchPoints: at ? [{x: at[0], y: at[1]}] : []})
  await touch('touchStart', from)
  for (let i = 1; i <= 8; i++) await touch('touchMove', [from[0] + (to[0] - from[0]) * i / 8, from[1] + (to[1] - from[1]) * i / 8])
  await touch('touchEnd')
}

for (const size of [13, 19]) {
  test(`on ${size}x${size} a touch shows a stone, and another or the button places it`, async () => {
    const {game, page} = await table(size)
    await hands.touch(page, 'D4')
    await page.locator('.ghost.firm').waitFor()
    assert.equal((await server.state(game)).moves.length, 0)
    await hands.touch(page, 'K10')
    assert.equal(await page.locator('.ghost.firm').count(), 1, 'the stone moves to the second point')
    assert.equal((await server.state(game)).moves.length, 0)
    await hands.touch(page, 'K10')
    await until(async () => (await server.state(game)).moves[0] === 'K10', 'placed by a second touch')
    await until(() => isTurn(page), 'answered')
    await hands.touch(page, 'C3')
    await page.locator('.confirm').tap()
    await until(async () => (await server.state(game)).moves[2] === 'C3', 'placed by the button')
    await page.context().close()
  })

  test(`on ${size}x${size} a finger that slides aims with a glass and places nothing`, async () => {
    const {game, page} = await table(size)
    await drag(page, await middleOf(page, 'D4'), await middleOf(page, 'F6'))
    await page.locator('.ghost.firm').waitFor()
    assert.equal(await page.locator('.glass').count(), 0, 'the glass is gone with the finger')
    await drag(page, await middleOf(page, 'F6'), await middleOf(page, 'F8'))
    await drag(page, await middleOf(page, 'F8'), await middleOf(page, 'F8'))
    await until(async () => (await server.state(game)).moves[0] === 'F8', 'a touch without sliding places it')
    await page.context().close()
  })
}

test('on 9x9 against Keima one touch places a stone, and undo takes it back', async () => {
  const {game, page} = await table(9)
  await hands.touch(page, 'E5')
  await until(async () => (await server.state(game)).moves.length === 2, 'placed and answered')
  await until(() => isTurn(page), 'shown')
  await page.locator('.act.undo').tap()
  await until(async () => await stones(page) === 0, 'taken back')
  await page.context().close()
})

test('against a friend every touch is confirmed', async () => {
  const {game, page} = await table(9, 'human')
  await hands.touch(page, 'E5')
  await page.locator('.ghost.firm').waitFor()
  assert.equal((await server.state(game)).moves.length, 0)
  await page.locator('.confirm').tap()
  await until(async () => (await server.state(game)).moves[0] === 'E5', 'placed')
  await page.context().close()
})

test('a drag over the board places nothing', async () => {
  const {game, page} = await table(9)
  await drag(page, await middleOf(page, 'C3'), await middleOf(page, 'G7'))
  await drag(page, await middleOf(page, 'C3'), await middleOf(page, 'C4'))
  await page.waitForTimeout(200)
  assert.equal((await server.state(game)).moves.length, 0)
  await page.context().close()
})

test('between two points lies a strip that belongs to neither', async () => {
  const {game, page} = await table(9)
  const [x1, y] = await middleOf(page, 'D4')
  const [x2] = await middleOf(page, 'E4')
  await page.touchscreen.tap((x1 + x2) / 2, y)
  await page.touchscreen.tap((x1 + x2) / 2 + (x2 - x1) * 0.05, y)
  await page.waitForTimeout(200)
  assert.equal((await server.state(game)).moves.length, 0)
  await page.touchscreen.tap((x1 + x2) / 2 + (x2 - x1) * 0.08, y)
  await until(async () => (await server.state(game)).moves[0] === 'E4', 'beside the strip it is the point')
  await page.context().close()
})

test('buttons and board stay where they are through a game, and Play is not where Pass is', async () => {
  const {page} = await table(13)
  const first = await boxes(page)
  const check = async what => assert.deepEqual(await boxes(page), first, what)
  await hands.touch(page, 'D4')
  await check('a stone is shown')
  await page.locator('.confirm').tap()
  await until(() => isTurn(page), 'answered')
  await check('answered')
  await page.locator('.act.hint').tap()
  await page.locator('.mark.hint').first().waitFor()
  await check('a hint')
  await hands.touch(page, 'D4')
  await check('a closed point')
  const [play, pass] = await Promise.all(['.confirm', '.act.pass'].map(name => page.locator(name).boundingBox()))
  assert.ok(play.y + play.height <= pass.y || pass.y + pass.height <= play.y, 'Play and Pass do not overlap')
  for (const box of first.slice(1)) assert.ok(box[2] >= 44 && box[3] >= 44, `${box} is large enough`)
  await page.context().close()
})

test('nothing is wider than the phone, and the whole board with its buttons fits on it', async () => {
  for (const size of [5, 7, 9, 13, 19]) {
    const {page} = await table(size)
    const {wide, bottom} = await page.evaluate(() => ({
      wide: document.documentElement.scrollWidth,
      bottom: document.querySelector('.actions .row').getBoundingClientRect().bottom,
    }))
    assert.ok(wide <= 360, `${size}: ${wide} pixels wide`)
    assert.ok(bottom <= 640, `${size}: the buttons end at ${bottom}`)
    assert.ok(await button(page, 'A1').isVisible())
    await page.context().close()
  }
})
