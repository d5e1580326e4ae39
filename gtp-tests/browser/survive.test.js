// Nothing is lost: the server is killed, the connection goes, requests come twice.

const assert = require('node:assert/strict')
const {test} = require('node:test')
const {setTimeout: sleep} = require('node:timers/promises')
const {drawn, hands, isTurn, opened, sit, stones, until} = require('./table.js')

const {server, browser} = opened()

/** Marks a page, to see later that it was not loaded again. */
const sign = page => page.evaluate(() => { window.signed = true })
const isSigned = page => page.evaluate(() => window.signed === true)

test('both pages of a game go on by themselves after the server was killed', async () => {
  const game = await server.game({size: 9, black: 'human', white: 'human', seat: 'black'})
  const {body: white} = await server.call('POST', '/join', {body: {invitation: game.invitation}})
  const pages = [await browser.page(server), await browser.page(server)]
  await sit(pages[0], server, game)
  await sit(pages[1], server, white)
  for (const page of pages) await sign(page)
  const moves = 'E5 C3 G7 C7 G3 E3'.split(' ')
  for (const [i, move] of moves.entries()) {
    const page = pages[i % 2]
    await until(() => isTurn(page), `turn ${i}`)
    if (i % 2 === 0) {
      await hands.mouse(page, move)
      await until(async () => (await server.state(game)).moves.length === i + 1, 'acknowledged')
      await server.kill()
      await server.run()
      assert.equal((await server.state(game)).moves.length, i + 1, 'the acknowledged move is there')
    } else {
      // Pressed while nobody listens: it is made as soon as somebody does.
      await server.kill()
      await hands.mouse(page, move)
      await page.locator('#link-state').waitFor()
      await server.run()
    }
    for (const other of pages) await until(async () => await stones(other) === i + 1, `${move} is seen`)
  }
  assert.deepEqual((await server.state(game)).moves, moves)
  for (const page of pages) {
    assert.ok(await isSigned(page), 'without a reload')
    await page.locator('#link-state').waitFor({state: 'hidden'})
    await page.context().close()
  }
})

test('a move pressed without a connection is made once it is back, and only once', async () => {
  const game = await server.game({size: 9, black: 'human', white: 'cpu:beginner', seed: 1})
  const page = await browser.page(server)
  await sit(page, server, game)
  await sign(page)
  await page.context().setOffline(true)
  await hands.mouse(page, 'E5')
  await page.locator('#link-state').waitFor()
  await hands.mouse(page, 'C3')
  await page.context().setOffline(false)
  await until(async () => await stones(page) === 2 && await isTurn(page), 'the move and its answer')
  const {moves} = await server.state(game)
  assert.equal(moves[0], 'E5')
  assert.equal(moves.length, 2)
  assert.ok(await isSigned(page))
  await page.context().close()
})

test('an answer that is lost on the way costs nothing: the move is sent again and made once', async () => {
  const game = await server.game({size: 9, black: 'human', white: 'cpu:beginner', seed: 1})
  const page = await browser.page(server)
  await sit(page, server, game)
  let lost = 0
  await page.route('**/moves', async route => {
    if (lost++ > 0) return route.continue()
    await route.fetch()
    await route.abort('connectionreset')
  })
  await hands.mouse(page, 'E5')
  await until(async () => await stones(page) === 2 && await isTurn(page), 'the move and its answer')
  await until(() => lost === 2, 'it was sent again')
  assert.equal((await server.state(game)).moves.length, 2)
  await page.context().close()
})

test('a move made on another device is not made twice', async () => {
  const game = await server.game({size: 9, black: 'human', white: 'human', seat: 'both'})
  const page = await browser.page(server)
  await sit(page, server, game)
  // This page has not heard yet of what the other device did.
  await page.route('**/moves', async route => {
    await server.play(game, ['C3'])
    await route.continue()
  }, {times: 1})
  await hands.mouse(page, 'E5')
  await until(async () => await stones(page) === 1, 'the page shows what is')
  await sleep(200)
  assert.deepEqual((await server.state(game)).moves, ['C3'])
  await page.context().close()
})

test('a page that is opened again goes on with the game', async () => {
  const page = await browser.page(server)
  await page.goto(server.base)
  await page.locator('.start').click()
  await page.waitForSelector('.points')
  await hands.mouse(page, 'E5')
  await until(async () => await stones(page) === 2, 'answered')
  const board = await drawn(page)
  await page.reload()
  await until(async () => await stones(page).catch(() => 0) === 2, 'the board is back')
  assert.deepEqual(await drawn(page), board)
  await until(() => isTurn(page), 'my seat is mine')
  await page.goto(server.base)
  await page.locator('.mine a').first().click()
  await page.waitForSelector('.points')
  assert.deepEqual(await drawn(page), board)
  await page.context().close()
})
