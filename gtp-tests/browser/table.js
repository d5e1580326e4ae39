// What the browser tests share: a server of their own, browsers that report every fault, and hands to play with.
//
// KEIMA is the program, CHROMIUM the browser; playwright-core is found by NODE_PATH. KEIMA_WEB, if given, is a folder of the page's files to use
// in place of those in the program.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const net = require('node:net')
const os = require('node:os')
const path = require('node:path')
const {spawn} = require('node:child_process')
const {after, before} = require('node:test')
const {setTimeout: sleep} = require('node:timers/promises')
const {chromium} = require('playwright-core')

/** Nothing here takes as long, unless it never happens. */
const PATIENCE = 20_000
const PHONE = {viewport: {width: 360, height: 640}, hasTouch: true, isMobile: true, deviceScaleFactor: 2}

async function freePort() {
  const server = net.createServer()
  await new Promise(done => server.listen(0, '127.0.0.1', done))
  const {port} = server.address()
  await new Promise(done => server.close(done))
  return port
}

/** Waits until a question is answered with something true. */
async function until(ask, what) {
  for (const end = Date.now() + PATIENCE; Date.now() < end; await sleep(50)) {
    const answer = await ask()
    if (answer) return answer
  }
  assert.fail(`never: ${what}`)
}

/** A running server with a data folder of its own. */
class Server {
  async start() {
    this.data = fs.mkdtempSync(path.join(os.tmpdir(), 'keima-browser-'))
    this.port = await freePort()
    this.base = `http://127.0.0.1:${this.port}`
    await this.run()
  }

  async run() {
    const web = process.env.KEIMA_WEB ? ['--web-dir', process.env.KEIMA_WEB] : []
    const args = ['serve', '--listen', `127.0.0.1:${this.port}`, '--data', this.data, '--delay', '0', ...web]
    this.process = spawn(process.env.KEIMA, args, {stdio: ['ignore', 'pipe', 'pipe']})
    this.log = ''
    // A test that is ended early leaves no server behind.
    process.once('exit', () => this.process.kill('SIGKILL'))
    for (const stream of [this.process.stdout, this.process.stderr]) stream.on('data', text => { this.log += text })
    await until(() => fetch(`${this.base}/healthz`).then(answer => answer.ok, () => false), `the server starts: ${this.log}`)
  }

  /** Ends it without any warning. */
  async kill() {
    const gone = new Promise(done => this.process.once('exit', done))
    this.process.kill('SIGKILL')
    await gone
  }

  async close() {
    await this.kill()
    fs.rmSync(this.data, {recursive: true})
  }

  async call(method, address, {body, token, headers = {}} = {}) {
    const answer = await fetch(`${this.base}/api/v1${address}`, {
      method,
      headers: {
        ...(body && {'Content-Type': 'application/json'}),
        ...(token && {Authorization: `Bearer ${token}`}),
        ...headers,
      },
      body: body && JSON.stringify(body),
    })
    if (answer.status === 429) {
      await sleep(1000 * Number(answer.headers.get('Retry-After')))
      return this.call(method, address, {body, token, headers})
    }
    const text = await answer.text()
    return {status: answer.status, body: text && text[0] === '{' ? JSON.parse(text) : text}
  }

  async game(wish) {
    const {status, body} = await this.call('POST', '/games', {body: wish})
    assert.equal(status, 201, JSON.stringify(body))
    return body
  }

  state(game) {
    return this.call('GET', `/games/${game.id}`, {token: game.token}).then(answer => answer.body)
  }

  /** Plays moves for whoever is to move, by the API. */
  async play(game, moves) {
    let {version} = await this.state(game)
    for (const move of moves) {
      const {status, body} = await this.call('POST', `/games/${game.id}/moves`, {body: {version, move}, token: game.token})
      assert.equal(status, 200, `${move}: ${JSON.stringify(body)}`)
      version = body.state.version
    }
  }

  /** Ends a game by two passes and the count. */
  async finish(game) {
    await this.play(game, ['pass', 'pass'])
    const {version} = await until(async () => {
      const state = await this.state(game)
      return state.can.accept && state
    }, 'the count')
    const {status, body} = await this.call('POST', `/games/${game.id}/accept`, {body: {version}, token: game.token})
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.state.phase, 'over')
  }
}

/** The browser of a test file, with everything that went wrong in its pages. */
class Browser {
  faults = []
  requests = []

  async start() {
    this.chromium = await chromium.launch({
      executablePath: process.env.CHROMIUM,
      args: ['--no-sandbox', '--disable-quic', '--disable-background-networking'],
    })
  }

  /** A page of a person of their own. `kind` is `desktop` or `phone`. */
  async page(server, kind = 'desktop', options = {}) {
    const context = await this.chromium.newContext({
      locale: 'en-US',
      ...(kind === 'phone' ? PHONE : {viewport: {width: 1280, height: 800}}),
      ...options,
    })
    context.setDefaultTimeout(PATIENCE)
    await context.addInitScript(() => document.addEventListener('securitypolicyviolation',
      event => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`)))
    const page = await context.newPage()
    page.on('pageerror', error => this.faults.push(String(error.stack)))
    page.on('console', message => {
      // That a request failed is part of some tests; what the page says of itself never is.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) this.faults.push(message.text())
    })
    page.on('request', request => {
      this.requests.push({url: request.url(), headers: request.headers()})
      if (!request.url().startsWith(server.base) && !/^(data|blob):/.test(request.url())) this.faults.push(`foreign: ${request.url()}`)
    })
    return page
  }

  /** Ends, and tells of every fault: script errors, policy violations, missing words, requests to elsewhere. */
  async close() {
    await this.chromium.close()
    // The runner names the file only.
    if (this.faults.length) console.error(`faults in pages:\n${this.faults.join('\n')}`)
    assert.deepEqual(this.faults, [])
  }
}

/** A server and a browser that are there for all tests of a file, and what is to be done when they are. */
function opened(prepare = async () => {}) {
  const [server, browser] = [new Server(), new Browser()]
  before(async () => {
    await server.start()
    await browser.start()
    // Not a hook of its own: Node does not wait for one before the next.
    await prepare()
  })
  after(async () => {
    await server.close()
    await browser.close()
  })
  return {server, browser}
}

/** The wish for a game in which one person plays both sides. */
const both = (size, rules = 'as-is') => ({size, rules, black: 'human', white: 'human', seat: 'both'})

/** Lets a page have the seat of a game that the API made, and opens it. */
async function sit(page, server, game) {
  await page.goto(`${server.base}/g/${game.id}#${game.token}`)
  await page.waitForSelector('.points')
}

const button = (page, name) => page.locator(`.points [data-point="${name}"]`)

async function middleOf(page, name) {
  const box = await button(page, name).boundingBox()
  return [box.x + box.width / 2, box.y + box.height / 2]
}

const hands = {
  mouse: async (page, name) => page.mouse.click(...await middleOf(page, name)),
  touch: async (page, name) => page.touchscreen.tap(...await middleOf(page, name)),
  key: async (page, name) => {
    await button(page, name).focus()
    await page.keyboard.press('Enter')
  },
}

/** The board as the page draws it, rows from the top. */
const drawn = page => page.evaluate(() => {
  const board = document.querySelector('.board')
  const size = Number(getComputedStyle(board).getPropertyValue('--size'))
  const rows = Array.from({length: size}, () => Array(size).fill('.'))
  for (const man of board.querySelectorAll('.man:not(.gone)')) {
    const [x, y] = /translate\((\S+) (\S+)\)/.exec(man.getAttribute('transform')).slice(1).map(Number)
    rows[Math.round(y / 100)][Math.round(x / 100)] = man.classList.contains('black') ? 'X' : 'O'
  }
  return rows.map(row => row.join(''))
})

/** How many stones the page draws. */
const stones = async page => (await drawn(page)).join('').replace(/\./g, '').length

/** Whether the page shows that it is this person's move. */
const isTurn = page => page.locator('.act.pass:enabled').isVisible()
const isOver = page => page.locator('.over').isVisible()

/** What the page shows of prisoners. */
const prisoners = page => page.$$eval('.taken b', all => ({black: Number(all[0].textContent), white: Number(all[1].textContent)}))

/** Passes, and says yes to the question about it. */
async function pass(page) {
  await page.locator('.act.pass').click()
  await page.locator('[data-close="pass"]').click()
}

/** Agrees to the count. */
const accept = page => page.locator('.accept:enabled').click()

const said = page => page.locator('#live').textContent()

module.exports = {accept, both, button, drawn, hands, isOver, isTurn, middleOf, opened, pass, prisoners, said, sit, stones, until}
