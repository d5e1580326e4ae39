// Without a mouse and without looking: a whole game by keyboard, names for every point, and every change said.

const assert = require('node:assert/strict')
const {test} = require('node:test')
const axe = require('axe-core')
const {both, button, opened, said, sit, until} = require('./table.js')

const {server, browser} = opened()

const focused = page => page.evaluate(() => document.activeElement.dataset.point ?? document.activeElement.textContent.trim())

/** Presses tab until something has the focus. */
async function tabTo(page, selector) {
  for (let i = 0; i < 60; i++) {
    if (await page.evaluate(wanted => document.activeElement.matches(wanted), selector)) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`${selector} is not reached by tab`)
}

/** Goes with the arrows to a point. */
async function walk(page, name) {
  for (let i = 0; i < 40; i++) {
    const at = await focused(page)
    if (at === name) return
    const [dx, dy] = [name.charCodeAt(0) - at.charCodeAt(0), Number(name.slice(1)) - Number(at.slice(1))]
    await page.keyboard.press(dx > 0 ? 'ArrowRight' : dx < 0 ? 'ArrowLeft' : dy > 0 ? 'ArrowUp' : 'ArrowDown')
  }
  assert.fail(`${name} is not reached`)
}

test('a whole game is played by keyboard alone, from the start page to the next game', async () => {
  const page = await browser.page(server)
  await page.goto(server.base)
  await page.waitForSelector('.start')
  await tabTo(page, '[name="size"]:checked')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await tabTo(page, '[name="against"]:checked')
  await page.keyboard.press('ArrowLeft')
  await tabTo(page, '.start')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.points')
  await until(async () => await focused(page) === 'C3', 'the board has the focus')
  for (const move of 'C3 D3 C2 D2 C4 D4 C1 D1 C5 D5'.split(' ')) {
    await walk(page, move)
    await page.keyboard.press('Enter')
    await until(async () => (await said(page)).includes(move), `${move} is said`)
    assert.equal(await focused(page), move, 'the focus stays')
  }
  for (const color of ['Black', 'White']) {
    await page.locator('.act.pass:enabled').waitFor()
    await page.keyboard.press('p')
    await page.waitForSelector('dialog[open]')
    await tabTo(page, '[data-close="pass"]')
    await page.keyboard.press('Enter')
    await until(async () => (await said(page)).includes(`${color} passes`), `${color} passes`)
    if (color === 'Black') await page.locator('.points').locator('button[tabindex="0"]').focus()
  }
  await page.locator('.accept:enabled').waitFor()
  await tabTo(page, '.accept')
  await page.keyboard.press('Enter')
  await page.locator('.over').waitFor()
  await tabTo(page, '.over a[href="/"]')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.start')
  await page.context().close()
})

test('moves, captures, prisoners and closed points are named and said', async () => {
  const game = await server.game(both(5))
  await server.play(game, 'C3 C4 E1 B3 E2 D3 E5'.split(' '))
  const page = await browser.page(server)
  await sit(page, server, game)
  const label = name => button(page, name).getAttribute('aria-label')
  assert.equal(await label('A1'), 'A1, empty')
  assert.equal(await label('E5'), 'E5, Black, last move')
  assert.equal(await label('C3'), 'C3, Black, in atari')
  assert.equal(await label('C4'), 'C4, White')
  await button(page, 'C2').focus()
  await page.keyboard.press('Enter')
  await until(async () => (await said(page)).startsWith('White C2, captures 1.'), 'the capture is said')
  assert.match(await said(page), /Prisoners: Black has 0, White has 1\. Black to play/)
  assert.equal(await label('C3'), 'C3, empty, not allowed: no liberty')
  await page.keyboard.press('u')
  await until(async () => (await said(page)).startsWith('Taken back.'), 'undo is said')
  await page.keyboard.press('s')
  await until(async () => (await said(page)).includes('Prisoners: Black has 0, White has 0'), 'the state is said')
  await page.locator('.reader summary').click()
  await page.locator('.reader button:has-text("Read the board")').click()
  assert.match(await page.locator('.reading').textContent(), /Row 3: B3 White, C3 Black, and D3 White\./)
  await page.context().close()
})

test('moves can be typed', async () => {
  const game = await server.game(both(5))
  const page = await browser.page(server)
  await sit(page, server, game)
  await page.locator('.reader summary').click()
  const type = async text => {
    await page.locator('#typed').fill(text)
    await page.keyboard.press('Enter')
  }
  await type('c3')
  await until(async () => (await server.state(game)).moves[0] === 'C3', 'c3')
  await type('Z9')
  await until(async () => (await said(page)).includes('no point of this board'), 'nonsense is refused')
  await type('c3')
  await until(async () => (await said(page)).includes('a stone already'), 'an occupied point is refused')
  await type('pass')
  await page.locator('[data-close="pass"]').click()
  await until(async () => (await server.state(game)).moves[1] === 'pass', 'pass')
  await page.context().close()
})

test('axe finds nothing serious on any view, light or dark', async () => {
  const game = await server.game(both(5))
  await server.play(game, 'C3 D3 C2 D2 C4 D4 C1 D1 C5 D5'.split(' '))
  const ended = await server.game(both(5))
  await server.play(ended, 'C3 D3 C2 D2 C4 D4 C1 D1 C5 D5'.split(' '))
  await server.finish(ended)
  const open = await server.game({...both(5), seat: 'black'})
  const views = {
    home: page => page.goto(server.base).then(() => page.locator('summary').first().click()),
    game: page => sit(page, server, game),
    pass: page => sit(page, server, game).then(() => page.locator('.act.pass').click()).then(() => page.waitForSelector('dialog')),
    more: page => sit(page, server, game).then(() => page.locator('.act.more').click()),
    settings: page => page.goto(server.base).then(() => page.locator('#settings').click()).then(() => page.waitForSelector('dialog')),
    over: page => sit(page, server, ended).then(() => page.locator('.beside').waitFor()),
    open: page => sit(page, server, open),
    invitation: page => page.goto(`${server.base}/j#${open.invitation}`).then(() => page.locator('.offer').waitFor()),
    lesson: page => page.goto(`${server.base}/#lesson`).then(() => page.waitForSelector('.points')),
  }
  for (const colorScheme of ['light', 'dark']) {
    for (const [name, show] of Object.entries(views)) {
      const page = await browser.page(server, 'desktop', {colorScheme, reducedMotion: 'reduce'})
      await show(page)
      await page.evaluate(axe.source)
      const {violations} = await page.evaluate(() => window.axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']}))
      const bad = violations.filter(({impact}) => impact === 'serious' || impact === 'critical')
      assert.deepEqual(bad.map(({id, nodes}) => `${name}, ${colorScheme}: ${id} ${nodes.map(node => node.html.slice(0, 120)).join(' | ')}`), [])
      await page.context().close()
    }
  }
})
