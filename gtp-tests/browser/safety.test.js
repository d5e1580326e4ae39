// Requests that a page of another site, or a hostile name, could make a browser send; and names that try to be more than text.

const assert = require('node:assert/strict')
const http = require('node:http')
const {test} = require('node:test')
const {opened, sit} = require('./table.js')

const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const {server, browser} = opened()

/** A request with headers that fetch would not let us choose. */
const raw = (method, path, headers, body) => new Promise((done, failed) => {
  const request = http.request({host: '127.0.0.1', port: server.port, method, path, headers}, answer => {
    answer.resume()
    answer.on('end', () => done(answer))
  })
  request.on('error', failed)
  request.end(body)
})

const WISH = JSON.stringify({size: 9, black: 'human', white: 'cpu:beginner'})
const JSON_TYPE = {'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(WISH)}

test('a request under another name, from another site, or of another kind is refused', async () => {
  const refused = async (what, answer) => assert.ok((await answer).statusCode >= 400 && (await answer).statusCode < 500, what)
  await refused('host', raw('GET', '/', {Host: 'evil.example'}))
  await refused('host with the port', raw('GET', '/api/v1/config', {Host: `evil.example:${server.port}`}))
  await refused('origin', raw('POST', '/api/v1/games', {...JSON_TYPE, Origin: 'https://evil.example'}, WISH))
  await refused('null origin', raw('POST', '/api/v1/games', {...JSON_TYPE, Origin: 'null'}, WISH))
  await refused('cross-site', raw('POST', '/api/v1/games', {...JSON_TYPE, 'Sec-Fetch-Site': 'cross-site'}, WISH))
  await refused('plain text', raw('POST', '/api/v1/games', {...JSON_TYPE, 'Content-Type': 'text/plain'}, WISH))
  const own = await raw('POST', '/api/v1/games', {...JSON_TYPE, Origin: server.base, 'Sec-Fetch-Site': 'same-origin'}, WISH)
  assert.equal(own.statusCode, 201, 'the page itself is heard')
})

test('every page and file carries the policy, and may not be framed', async () => {
  for (const path of ['/', '/j', '/g/none', '/healthz']) {
    const {headers} = await raw('GET', path, {Host: `127.0.0.1:${server.port}`})
    assert.equal(headers['content-security-policy'], POLICY, path)
    assert.equal(headers['x-content-type-options'], 'nosniff', path)
    assert.equal(headers['referrer-policy'], 'no-referrer', path)
    assert.equal(headers['set-cookie'], undefined, path)
  }
})

test('a page of another site cannot use the board of its visitor', async () => {
  const evil = http.createServer((_, answer) => answer.writeHead(200, {'Content-Type': 'text/html'}).end('<title>elsewhere</title>'))
  await new Promise(done => evil.listen(0, '127.0.0.1', done))
  const page = await browser.chromium.newPage()
  await page.goto(`http://localhost:${evil.address().port}/`)
  const outcome = await page.evaluate(async base => {
    const tries = [
      fetch(`${base}/api/v1/games`, {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{}'}),
      fetch(`${base}/api/v1/games`, {method: 'POST', mode: 'no-cors', body: '{}'}).then(answer => answer.type === 'opaque' ? Promise.reject(answer) : answer),
      fetch(`${base}/api/v1/config`),
    ]
    return (await Promise.allSettled(tries)).map(({status}) => status)
  }, server.base)
  assert.deepEqual(outcome, ['rejected', 'rejected', 'rejected'])
  await page.close()
  evil.close()
})

test('a name is text, whatever it looks like', async () => {
  const name = '<img src=x onerror=1>'
  const game = await server.game({size: 9, black: 'human', white: 'human', seat: 'black', name})
  const page = await browser.page(server)
  await sit(page, server, game)
  assert.equal(await page.locator('.player.black .who b').textContent(), name)
  assert.equal(await page.locator('.player img').count(), 0)
  const guest = await browser.page(server)
  await guest.goto(`${server.base}/j#${game.invitation}`)
  assert.ok((await guest.locator('.message h1').filter({hasText: 'invites'}).textContent()).includes(name))
  for (const one of [page, guest]) await one.context().close()
})
