// Points where one may not play: by mouse, touch, keyboard and API nothing is placed, and it is said why.

const assert = require('node:assert/strict')
const {test} = require('node:test')
const {both, button, drawn, hands, opened, said, sit, until} = require('./table.js')

/** Three kos; each color takes in turn until the sixth move would bring the first position back. */
const TRIPLE_KO = {
  size: 9,
  moves: ('B9 C9 A8 D8 B7 C7 B6 C6 A5 D5 B4 C4 B3 C3 A2 D2 B1 C1 C2 B8 J1 B5').split(' '),
  cycle: 'C8 B2 C5 B8 C2'.split(' '),
  closed: 'B5',
}

const POSITIONS = {
  suicide: {size: 5, moves: 'A5 C4 B5 B3 E1 D3 E2 C2'.split(' '), closed: 'C3', words: 'no liberty'},
  ko: {size: 5, moves: 'B4 C4 A3 D3 B2 C2 E1 B3 C3'.split(' '), closed: 'B3', words: 'ko'},
  superko: {...TRIPLE_KO, moves: [...TRIPLE_KO.moves, ...TRIPLE_KO.cycle], words: 'earlier position'},
  occupied: {size: 5, moves: ['C3'], closed: 'C3', words: 'a stone already'},
}

const {server, browser} = opened()

for (const [reason, {size, moves, closed, words}] of Object.entries(POSITIONS)) {
  test(`${reason}: the point is closed to every hand, and says why`, async () => {
    const game = await server.game(both(size))
    await server.play(game, moves)
    const state = await server.state(game)
    if (reason !== 'occupied') assert.equal(state.closed[closed], reason)
    const pages = {mouse: await browser.page(server), touch: await browser.page(server, 'phone'), key: await browser.page(server)}
    for (const [hand, page] of Object.entries(pages)) {
      await sit(page, server, game)
      assert.equal(await button(page, closed).getAttribute('aria-disabled'), 'true', hand)
      await hands[hand](page, closed)
      await until(async () => (await page.locator('.status span').textContent()).includes(words), `${hand}: the reason is shown`)
      assert.ok((await said(page)).includes(words), `${hand}: the reason is said`)
      assert.deepEqual(await drawn(page), state.board, hand)
      assert.equal(await page.locator('.ghost:not(.closed)').count(), 0, hand)
      if (reason !== 'occupied') assert.match(await button(page, closed).getAttribute('aria-label'), /not allowed/)
      await page.context().close()
    }
    const answer = await server.call('POST', `/games/${game.id}/moves`, {body: {version: state.version, move: closed}, token: game.token})
    assert.equal(answer.status, 409)
    assert.equal(answer.body.reason, reason)
    assert.equal((await server.state(game)).version, state.version)
  })
}

test('a closed point opens when the position allows it', async () => {
  const game = await server.game(both(5))
  await server.play(game, POSITIONS.ko.moves)
  const page = await browser.page(server)
  await sit(page, server, game)
  for (const [i, move] of ['E5', 'E4', 'B3'].entries()) {
    await until(async () => await button(page, move).getAttribute('aria-disabled') !== 'true', `${move} is open`)
    await hands.mouse(page, move)
    await until(async () => (await server.state(game)).moves.length === POSITIONS.ko.moves.length + i + 1, `${move} is played`)
  }
  assert.deepEqual((await server.state(game)).captured, {black: 1, white: 1})
})

test('nothing can be pressed while the other side is to move', async () => {
  const game = await server.game({size: 9, black: 'human', white: 'human', seat: 'white'})
  const page = await browser.page(server)
  await sit(page, server, game)
  assert.equal(await page.locator('.points button:not([aria-disabled="true"])').count(), 0)
  await hands.mouse(page, 'C3')
  await until(async () => (await page.locator('.status span').textContent()).includes('not come'), 'why')
})
