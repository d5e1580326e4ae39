// Japanese, English and Chinese: every sentence in each, in the words that players use, and room for them on a phone.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const {test} = require('node:test')
const {both, opened, sit} = require('./table.js')

const WEB = path.join(__dirname, '../../src/serve/web')
const TAGS = ['en', 'ja', 'zh']
const LOCALES = {en: 'en-US', ja: 'ja-JP', zh: 'zh-CN'}
const WORDS = {
  ja: ['アゲハマ', 'コウ', '着手禁止点', 'アタリ', '投了', '待った', '置き石', 'コミ', '呼吸点', 'セキ', '地'],
  zh: ['提子', '打劫', '禁着点', '打吃', '认输', '悔棋', '让子', '贴目', '气', '双活', '停一手'],
}

let tables
const {server, browser} = opened(async () => {
  const page = await browser.page(server)
  await page.goto(server.base)
  tables = await page.evaluate(async tags => {
    const folder = document.querySelector('script[src]').src.replace(/[^/]*$/, '')
    return Object.fromEntries(await Promise.all(tags.map(async tag => [tag, (await import(`${folder}${tag}.js`)).default])))
  }, TAGS)
  await page.context().close()
})

test('the three languages have the same sentences, with the same values in them', () => {
  const keys = tag => Object.keys(tables[tag]).filter(key => !key.endsWith('.one')).sort()
  for (const tag of ['ja', 'zh']) {
    assert.deepEqual(keys(tag), keys('en'), tag)
    for (const key of keys(tag)) {
      const values = text => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort()
      assert.deepEqual(values(tables[tag][key]), values(tables.en[key]), `${tag}: ${key}`)
      const hasWords = /[a-z]/i.test(tables.en[key].replace(/\{\w+\}/g, ''))
      if (hasWords && key !== 'ok') assert.notEqual(tables[tag][key], tables.en[key], `${tag}: ${key} is translated`)
    }
  }
})

test('every sentence that the page asks for exists', () => {
  const wanted = new Set()
  const families = new Set()
  for (const file of fs.readdirSync(WEB).filter(name => name.endsWith('.js') && !TAGS.includes(name.slice(0, -3)))) {
    const source = fs.readFileSync(path.join(WEB, file), 'utf8')
    for (const [, key] of source.matchAll(/\bt\('([^']+)'/g)) wanted.add(key)
    for (const [, start] of source.matchAll(/\bt\(`([^`$]+)\$\{/g)) families.add(start)
  }
  assert.ok(wanted.size > 80 && families.size > 8)
  for (const key of wanted) assert.ok(key in tables.en, key)
  for (const start of families) assert.ok(Object.keys(tables.en).some(key => key.startsWith(start)), start)
})

test('players’ own words are used', () => {
  for (const [tag, words] of Object.entries(WORDS)) {
    const all = Object.values(tables[tag]).join('\n')
    for (const word of words) assert.ok(all.includes(word), `${tag}: ${word}`)
  }
})

for (const tag of TAGS) {
  test(`${tag}: it is the browser's language, and no view is wider than a phone`, async () => {
    const game = await server.game(both(9))
    const ended = await server.game(both(9))
    await server.play(ended, 'C3 G7 C7 G3'.split(' '))
    await server.finish(ended)
    const open = await server.game({...both(9), seat: 'black'})
    const page = await browser.page(server, 'phone', {locale: LOCALES[tag]})
    const check = async name => {
      const wide = await page.evaluate(() => {
        const limit = innerWidth + 1
        const over = [...document.querySelectorAll('main *, header *, dialog *')].filter(node => {
          const box = node.getBoundingClientRect()
          return !node.closest('.hidden, svg') && box.width > 1 && (box.right > limit || box.left < -1)
        })
        // A label that does not fit its button sticks out of it.
        const cut = [...document.querySelectorAll('button, .face, .primary, .quiet')].filter(node => node.scrollWidth > node.clientWidth + 1 && node.clientWidth > 0)
        return [...over, ...cut].map(node => `${node.tagName}.${node.className}: ${node.textContent.slice(0, 30)}`)
      })
      assert.deepEqual(wide, [], `${tag}: ${name}`)
    }
    await page.goto(server.base)
    await page.waitForSelector('.start')
    assert.equal(await page.locator('html').getAttribute('lang'), tag === 'zh' ? 'zh-Hans' : tag)
    await page.locator('summary').first().click()
    await check('start page')
    await page.locator('#settings').click()
    await check('settings')
    await page.locator('dialog [data-close]').click()
    for (const [name, one] of Object.entries({game, ended, open})) {
      await sit(page, server, one)
      await check(name)
    }
    await sit(page, server, game)
    await page.locator('.act.more').click()
    await check('more')
    await page.goto(`${server.base}/#lesson`)
    await page.waitForSelector('.lesson')
    await check('lesson')
    await page.context().close()
  })
}

test('the language can be chosen, and stays', async () => {
  const page = await browser.page(server)
  await page.goto(server.base)
  for (const tag of ['ja', 'zh', 'en']) {
    await page.locator('#language').selectOption(tag)
    await page.locator(`text=${tables[tag]['home.title']}`).waitFor()
  }
  await page.locator('#language').selectOption('ja')
  await page.locator(`text=${tables.ja['home.title']}`).waitFor()
  await page.reload()
  await page.locator(`text=${tables.ja['home.title']}`).waitFor()
  await page.context().close()
})
