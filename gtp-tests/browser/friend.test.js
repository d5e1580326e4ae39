// Two people and a spectator, each in a browser of their own, from the invitation to the rematch.

const assert = require('node:assert/strict')
const {test} = require('node:test')
const {accept, button, drawn, hands, isTurn, opened, pass, said, until} = require('./table.js')

const {server, browser} = opened()

/** A friend's game made on the start page; its host and the invitation. */
async function invite(size = 5) {
  const host = await browser.page(server)
  await host.goto(server.base)
  await host.locator(`.size .option:has([value="${size}"])`).click()
  await host.locator('.against .option:has([value="friend"])').click()
  await host.locator('#name').fill('Mika')
  await host.locator('.start').click()
  const link = await host.locator('.link input').inputValue()
  return {host, link, address: host.url()}
}

async function join(link) {
  const guest = await browser.page(server)
  await guest.goto(link)
  await guest.locator('.message .primary').click()
  await guest.waitForSelector('.points')
  return guest
}

test('an invitation is claimed by its button and by nothing else', async () => {
  const {host, link} = await invite()
  // What a chat program does to show a preview, and a person who only looks.
  await fetch(link.split('#')[0])
  const looker = await browser.page(server)
  await looker.goto(link)
  await looker.locator('text=Mika invites you').waitFor()
  assert.ok(!looker.url().includes('#'), 'the invitation leaves the address')
  assert.ok(await host.locator('.link input').isVisible(), 'the seat is free')
  const guest = await join(link)
  await host.locator('.link input').waitFor({state: 'detached'})
  assert.ok(await isTurn(host))
  // The one who only looked comes too late, and may watch.
  await looker.locator('.message .primary').click()
  await looker.locator('text=This seat is taken').waitFor()
  await looker.locator('a.primary').click()
  await looker.waitForSelector('.points')
  assert.equal(await looker.locator('.act.pass').isVisible(), false)
  // Once more by the same link: the guest is led back to the game.
  await guest.goto(link)
  await guest.waitForSelector('.points')
  assert.ok(guest.url().includes('/g/'))
  for (const page of [host, guest, looker]) await page.context().close()
})

test('two people play to the end while a third watches, and play again', async () => {
  const {host, link, address} = await invite()
  const guest = await join(link)
  const watcher = await browser.page(server)
  await watcher.goto(address)
  await watcher.waitForSelector('.points')
  const players = [host, guest]
  for (const [i, move] of 'C3 D3 C2 D2 C4 D4 C1 D1 C5 D5'.split(' ').entries()) {
    const page = players[i % 2]
    await until(() => isTurn(page), `turn ${i}`)
    await hands.mouse(page, move)
    for (const other of [host, guest, watcher]) {
      await until(async () => (await drawn(other)).join('').replace(/\./g, '').length === i + 1, `${move} is seen by all`)
    }
  }
  assert.deepEqual(await drawn(watcher), await drawn(host))
  assert.equal(await watcher.locator('.points button:not([aria-disabled="true"])').count(), 0, 'a spectator presses nothing')
  assert.equal(await watcher.locator('.act.pass').isVisible(), false)
  assert.ok((await watcher.locator('.player.black').textContent()).includes('Mika'))
  await pass(host)
  await until(() => isTurn(guest), 'the guest sees the pass')
  assert.match(await said(guest), /Black passes/)
  await pass(guest)
  await accept(host)
  await guest.locator('text=The other side accepts').waitFor()
  await accept(guest)
  for (const page of [host, guest, watcher]) await page.locator('.over').waitFor()
  assert.match(await host.locator('.status').textContent(), /You lose by 1\.5 points/)
  await host.locator('.over button.primary').click()
  await guest.locator('text=would like a rematch').waitFor()
  await guest.locator('.over button.primary').click()
  for (const page of [host, guest]) {
    await page.waitForURL(url => url.pathname.startsWith('/g/') && url.href !== address)
    await page.waitForSelector('.points')
  }
  await until(() => isTurn(guest), 'colors are exchanged')
  for (const page of [host, guest, watcher]) await page.context().close()
})

test('a friend is asked before a move is taken back', async () => {
  const {host, link} = await invite()
  const guest = await join(link)
  await until(() => isTurn(host), 'the guest is here')
  for (const answer of ['decline', 'accept']) {
    await until(() => isTurn(host), 'the host is to move')
    if (answer === 'decline') await hands.mouse(host, 'C3')
    else await hands.mouse(host, 'B2')
    await until(() => isTurn(guest), 'the move is made')
    await host.locator('.act.undo').click()
    await guest.locator(`[data-close="${answer}"]`).click()
    if (answer === 'decline') {
      await guest.locator('.undo-sheet').waitFor({state: 'detached'})
      await until(async () => await button(host, 'C3').getAttribute('aria-disabled') === 'true', 'the stone stays')
      await hands.mouse(guest, 'D4')
    } else {
      await until(async () => (await drawn(host)).join('').replace(/\./g, '').length === 2, 'the stone goes')
      await until(() => isTurn(host), 'the turn comes back')
    }
  }
  for (const page of [host, guest]) await page.context().close()
})

test('a seat moves to another device by its personal link, and no token is in an address or a referrer', async () => {
  const {host, link} = await invite()
  const guest = await join(link)
  await guest.locator('.act.more').click()
  await guest.locator('text=Continue on another device').click()
  const personal = await guest.locator('.link input').inputValue()
  const phone = await browser.page(server, 'phone')
  await phone.goto(personal)
  await phone.waitForSelector('.points')
  assert.ok(!phone.url().includes('#'))
  assert.equal(await phone.locator('.act.pass').isVisible(), true)
  const token = personal.split('#')[1]
  const secrets = [token, link.split('#')[1]]
  for (const {url, headers} of browser.requests) {
    for (const secret of secrets) {
      assert.ok(!url.split('#')[0].includes(secret), url)
      assert.ok(!(headers.referer ?? '').includes(secret), url)
    }
  }
  for (const secret of secrets) assert.ok(!server.log.includes(secret), 'no token in the log')
  for (const page of [host, guest, phone]) await page.context().close()
})
