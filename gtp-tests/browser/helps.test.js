// What beginners are given: the lesson, first capture, warnings, marks, hints and the count; and that each can be switched off.

const assert = require('node:assert/strict')
const {test} = require('node:test')
const {accept, both, button, drawn, hands, isTurn, middleOf, opened, pass, sit, until} = require('./table.js')

const LESSON = ['C3', 'C2', 'D3', 'D3', 'C3', 'A1', 'B3', 'B1', 'D1', 'pass']

const {server, browser} = opened()

/** A page with a seat at a game that was played so far. */
async function table(wish, moves) {
  const game = await server.game(wish)
  await server.play(game, moves)
  const page = await browser.page(server, 'desktop', {reducedMotion: 'reduce'})
  await sit(page, server, game)
  return {game, page}
}

async function turnOff(page, name) {
  await page.locator('#settings').click()
  await page.locator(`dialog label:has-text("${name}")`).click()
  await page.locator('dialog [data-close]').click()
}

test('the lesson is played through; a wrong point may be tried again, and a step repeated', async () => {
  const page = await browser.page(server)
  await page.goto(server.base)
  await page.locator('a.way').click()
  for (const [i, move] of LESSON.entries()) {
    await page.locator(`h2:has-text("${i + 1} of 10")`).waitFor()
    for (let round = 0; round < 2; round++) {
      if (move === 'pass') {
        await page.locator('.desk button:has-text("Pass")').click()
      } else {
        if (i > 0) {
          await hands.mouse(page, 'E5')
          await page.locator('.ask:has-text("Not there")').waitFor()
        }
        await hands.mouse(page, move)
      }
      await page.locator('.desk button:has-text("Again")').waitFor()
      if (round === 0) await page.locator('.desk button:has-text("Again")').click()
    }
    if (i < LESSON.length - 1) await page.locator('.desk button:has-text("Next")').click()
  }
  await page.locator('.desk button.primary').click()
  await page.locator('text=Take one stone and you win').waitFor()
  await page.context().close()
})

test('the boards of the lesson follow from the rules', async () => {
  const page = await browser.page(server)
  await page.goto(`${server.base}/#lesson`)
  await page.waitForSelector('.lesson')
  const steps = await page.evaluate(async () => {
    const folder = document.querySelector('script[src]').src.replace(/[^/]*$/, '')
    const {STEPS, after} = await import(`${folder}lesson.js`)
    return STEPS.map(step => ({...step, after: step.want && step.want !== 'pass' ? after(step, step.want) : null}))
  })
  assert.equal(steps.length, LESSON.length)
  for (const {rows, want, closed, takes, after} of steps) {
    if (!after) continue
    const size = rows.length
    const men = man => rows.flatMap((row, y) => [...row].flatMap((one, x) => one === man ? ['ABCDEFG'[x] + (size - y)] : []))
    // The stones are laid by an SGF record and the move is made by the server.
    const point = name => 'abcdefg'['ABCDEFG'.indexOf(name[0])] + 'abcdefg'[size - Number(name.slice(1))]
    const list = (tag, names) => names.length ? tag + names.map(name => `[${point(name)}]`).join('') : ''
    const sgf = `(;GM[1]FF[4]SZ[${size}]KM[6.5]PL[B]${list('AB', men('X'))}${list('AW', men('O'))})`
    const game = await server.game({sgf, size, rules: 'as-is', black: 'human', white: 'human', seat: 'both'})
    const before = await server.state(game)
    assert.deepEqual(before.board, rows)
    if (closed) {
      // A ko needs the move before it, which a diagram does not have: the shape must be one.
      if (closed[want] === 'suicide') assert.equal(before.closed[want], 'suicide')
      else assert.equal(before.closed[want], undefined)
      continue
    }
    await server.play(game, [want])
    const state = await server.state(game)
    assert.deepEqual(state.board, after)
    assert.equal(state.last_captured, (takes ?? []).length)
  }
  await page.context().close()
})

test('whoever captures first wins a game of first capture', async () => {
  const {page} = await table({...both(7), first_capture: 1}, 'C3 D3 A1 C4 A2 B3 A4'.split(' '))
  await hands.mouse(page, 'C2')
  await page.locator('.over').waitFor()
  assert.match(await page.locator('.status strong').textContent(), /White wins by the first capture/)
  await page.context().close()
})

test('before a pass it is said what is still open or can be captured, and play can go on', async () => {
  const {game, page} = await table(both(5), 'B3 D3 B2 D2 B4 D4 B1 D1 B5 C5 E5'.split(' '))
  await page.locator('.act.pass').click()
  const sheet = page.locator('dialog[open]')
  await sheet.waitFor()
  assert.match(await sheet.textContent(), /Pass already\?/)
  assert.ok(await page.locator('.mark.open, .mark.atari').count() > 0, 'the places are marked on the board')
  await sheet.locator('[data-close=""]').click()
  assert.equal((await server.state(game)).moves.at(-1), 'E5')
  assert.equal(await page.locator('.mark.open').count(), 0)
  await turnOff(page, 'Warn before passing')
  await page.locator('.act.pass').click()
  await until(async () => (await server.state(game)).moves.at(-1) === 'pass', 'without a warning')
  await page.context().close()
})

test('atari is marked, and the mark can be switched off', async () => {
  const {page} = await table(both(5), 'C3 C4 A1 B3 A2 D3'.split(' '))
  assert.equal(await page.locator('.mark.atari').count(), 1)
  assert.match(await page.locator('.status span').textContent(), /Atari: your stones at C3/)
  await turnOff(page, 'Mark stones in atari')
  assert.equal(await page.locator('.mark.atari').count(), 0)
  assert.equal(await page.locator('.status span').textContent(), '')
  await page.context().close()
})

test('a stone that could be captured at once is warned of before it is placed', async () => {
  const moves = 'E5 C4 E4 B3 E3 C2'.split(' ')
  const {page} = await table(both(5), moves)
  assert.match(await button(page, 'C3').getAttribute('aria-label'), /could be captured at once/)
  await page.mouse.move(...await middleOf(page, 'C3'))
  await page.locator('.ghost.risky').waitFor()
  assert.match(await page.locator('.status span').textContent(), /C3: a stone here could be captured/)
  await page.context().close()
  const game = await server.game(both(5))
  await server.play(game, moves)
  const phone = await browser.page(server, 'phone')
  await sit(phone, server, game)
  await hands.touch(phone, 'C3')
  await phone.locator('.status span', {hasText: 'Press again'}).waitFor()
  assert.equal((await server.state(game)).moves.length, moves.length)
  await hands.touch(phone, 'C3')
  await until(async () => (await server.state(game)).moves.at(-1) === 'C3', 'a second touch places it')
  await phone.context().close()
})

test('closed points are marked, and the mark can be switched off while they stay closed', async () => {
  const {page} = await table(both(5), 'A5 C4 B5 B3 E1 D3 E2 C2'.split(' '))
  assert.equal(await page.locator('.mark.closed').count(), 1)
  await turnOff(page, 'Mark points where you may not play')
  assert.equal(await page.locator('.mark.closed').count(), 0)
  assert.equal(await button(page, 'C3').getAttribute('aria-disabled'), 'true')
  await page.context().close()
})

test('a hint shows at most three points where one may play', async () => {
  const game = await server.game({size: 9, black: 'human', white: 'cpu:beginner', seed: 1})
  const page = await browser.page(server)
  await sit(page, server, game)
  await page.locator('.act.hint').click()
  await page.locator('.mark.hint').first().waitFor()
  const hints = await page.locator('.mark.hint').count()
  assert.ok(hints >= 1 && hints <= 3, `${hints} hints`)
  assert.match(await page.locator('.status span').textContent(), /[A-J]\d/)
  await hands.mouse(page, 'A1')
  await until(async () => await page.locator('.mark.hint').count() === 0, 'they go with the next move')
  await page.context().close()
})

test('the count shows every region, both sums, and the other way to count beside it', async () => {
  const {game, page} = await table(both(5), 'C3 D3 C2 D2 C4 D4 C1 D1 C5 D5'.split(' '))
  await pass(page)
  await until(async () => (await server.state(game)).moves.at(-1) === 'pass' && await isTurn(page), 'one pass')
  await pass(page)
  await accept(page)
  await page.locator('.over').waitFor()
  const {count} = await server.state(game)
  const areas = await page.locator('.area').count()
  const sums = await page.locator('.sum-black, .sum-white').allTextContents()
  assert.equal(areas + sums.length, count.area.black.territory + count.area.white.territory)
  assert.deepEqual(sums.map(Number).sort(), count.regions.filter(({color}) => color).map(({points}) => points.length).sort())
  assert.match(await page.locator('.beside summary').textContent(), /Counted the Japanese way/)
  const other = await page.locator('.beside tfoot td').allTextContents()
  assert.deepEqual(other.map(Number), [count.japanese.black.total, count.japanese.white.total + count.japanese.komi])
  await turnOff(page, 'Show the other way to count')
  assert.equal(await page.locator('.beside').count(), 0)
  await page.context().close()
})

test('dead stones are marked and unmarked before a count is accepted, and play can be resumed', async () => {
  const {game, page} = await table(both(5, 'chinese'), 'C3 D3 C2 D2 C4 D4 C1 D1 C5 D5 pass A1 pass pass'.split(' '))
  await page.locator('.accept:enabled').waitFor()
  const marked = async () => (await server.state(game)).dead.includes('A1')
  const first = await marked()
  await hands.mouse(page, 'A1')
  await until(async () => await marked() !== first, 'the mark is changed')
  await page.locator('.resume').click()
  await until(() => isTurn(page), 'play goes on')
  await page.context().close()
})

test('coordinates can be hidden, and the stones stay', async () => {
  const {page} = await table(both(9), ['C3'])
  assert.equal(await page.locator('.coordinates text').count(), 36)
  const board = await drawn(page)
  await turnOff(page, 'Coordinates')
  assert.equal(await page.locator('.coordinates text').count(), 0)
  assert.deepEqual(await drawn(page), board)
  await page.context().close()
})

test('a game is saved as an SGF record', async () => {
  const {page} = await table(both(9), ['C3', 'G7'])
  await page.locator('.act.more').click()
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('text=Save record').click()])
  assert.match(download.suggestedFilename(), /\.sgf$/)
  const text = require('node:fs').readFileSync(await download.path(), 'utf8')
  assert.match(text, /;B\[cg\]/)
  assert.match(text, /;W\[gc\]/)
  await page.context().close()
})

test('a game goes on from the end of a record', async () => {
  const page = await browser.page(server)
  await page.goto(server.base)
  await page.locator('summary').click()
  const record = '(;GM[1]FF[4]SZ[7]KM[3.5];B[dd];W[cc];B[ec])'
  await page.locator('input[type="file"]').setInputFiles({name: 'mine.sgf', mimeType: 'application/x-go-sgf', buffer: Buffer.from(record)})
  await page.locator('text=mine.sgf').waitFor()
  await page.locator('.against .option:has([value="both"])').click()
  await page.locator('.start').click()
  await page.waitForSelector('.points')
  await until(async () => (await drawn(page)).join('/') === '......./......./..O.X../...X.../......./......./.......', 'the position of the record')
  await page.context().close()
})

test('giving up asks first', async () => {
  const {game, page} = await table({size: 9, black: 'human', white: 'cpu:beginner', seed: 1}, [])
  const resign = async answer => {
    await page.locator('.act.more').click()
    await page.locator('.item:has-text("Resign")').click()
    await page.locator(`dialog:has-text("Give up") [data-close="${answer}"]`).click()
  }
  await resign('')
  assert.equal((await server.state(game)).phase, 'playing')
  await resign('resign')
  await page.locator('.over').waitFor()
  assert.equal((await server.state(game)).result.by, 'resign')
  await page.locator('.over .primary').click()
  await page.waitForURL(url => !url.href.includes(game.id))
  await page.context().close()
})
