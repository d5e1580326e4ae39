// How Sabaki uses an engine, with Sabaki's own protocol library (npm: @sabaki/gtp) against the real program.
//
// usage: node sabaki.js KEIMA [ARGUMENT...]; the library is found by NODE_PATH.
//
// The sequences are those of Sabaki's engine syncer: all commands of the start in one go, positions brought up to date by
// undoing and playing, and `protocol_version` to interrupt. Analysis is tried where the engine lists it. Ends with status
// 1 and the first thing that went wrong.

const assert = require('node:assert/strict')
const path = require('node:path')
const {setTimeout: sleep} = require('node:timers/promises')
const {Controller, ControllerStateTracker} = require('@sabaki/gtp')

const [program, ...args] = process.argv.slice(2)
/** Nothing here takes as long, unless it never ends. */
const PATIENCE = 120_000
/** Centiseconds between reports, as Sabaki asks for them. */
const INTERVAL = '50'

/** An attached engine. */
class Syncer {
  constructor() {
    const executable = path.resolve(program)
    this.controller = new Controller(executable, args, {cwd: path.dirname(executable)})
    this.tracker = new ControllerStateTracker(this.controller)
    this.stderr = []
    this.controller.on('stderr', ({content}) => this.stderr.push(content))
  }

  /** Starts the engine with everything that Sabaki asks at once, and the user's own commands behind it. */
  async attach() {
    this.controller.start()
    this.process = this.controller.process
    const replies = await Promise.all(
      ['name', 'version', 'protocol_version', 'list_commands', 'komi 7.5'].map((line) => this.ask(line)),
    )
    this.commands = replies[3].split('\n')
    assert.match(replies[1], /^\d+\.\d+\.\d+$/)
    assert.equal(replies[2], '2')
    return this
  }

  /** The text of the reply, which must be no failure. */
  async ask(line) {
    const [name, ...words] = line.split(' ')
    const {error, content} = await this.controller.sendCommand({name, args: words})
    assert.ok(!error, `${line}: ${content}`)
    return content
  }

  /** What Sabaki sends first whenever the engine may be busy. */
  async abort() {
    if (this.controller.busy) await this.controller.sendCommand({name: 'protocol_version'})
  }

  async sync({komi = 6.5, size = 9, moves = []}) {
    this.abort()
    const history = moves.map(([name, ...words]) => ({name, args: words}))
    await this.tracker.sync({komi, boardsize: [].concat(size, size).slice(0, 2), history})
  }

  /** The first of these commands that the engine lists. */
  known(names) {
    return names.find((name) => this.commands.includes(name))
  }

  /** Lets the engine move, showing its thoughts where it can; the vertex in lower case. */
  async move(color) {
    const name = this.known(['genmove_analyze', 'kata-genmove_analyze', 'lz-genmove_analyze'])
    this.abort()
    if (name == null) {
      const {error, content} = await this.tracker.queueCommand({name: 'genmove', args: [color]})
      assert.ok(!error, content)
      return content.toLowerCase()
    }
    let vertex
    const read = ({line}) => {
      if (line.startsWith('info ')) checkInfo(line, name)
      if (line.startsWith('play ')) vertex = line.slice('play '.length).trim().toLowerCase()
    }
    await this.tracker.queueCommand({name, args: [color, INTERVAL]}, read)
    assert.ok(vertex != null, `${name} made no move`)
    return vertex
  }

  /** Watches the engine think, interrupts it and returns what it reported. */
  async analyze(color, milliseconds) {
    const name = this.known(['analyze', 'kata-analyze', 'lz-analyze'])
    if (name == null) return null
    const lines = []
    const read = ({line}) => line.startsWith('info ') && lines.push(line)
    const reply = this.tracker.queueCommand({name, args: [color, INTERVAL]}, read)
    await sleep(milliseconds)
    await this.abort()
    assert.ok(!(await reply).error, `${name} failed`)
    assert.ok(lines.length > 0, `${name} reported nothing`)
    for (const line of lines) checkInfo(line, name)
    return lines
  }

  /** The stones that the engine sees must be those that the moves leave; the moves must not capture. */
  async checkStones(moves) {
    for (const color of ['B', 'W']) {
      const played = moves.flatMap(([name, first, ...rest]) =>
        name === 'set_free_handicap' ? (color === 'B' ? [first, ...rest] : []) : first === color ? rest : [],
      )
      const expected = played.filter((vertex) => vertex !== 'pass').sort()
      const seen = (await this.ask(`list_stones ${color}`)).split(' ').filter((vertex) => vertex !== '')
      assert.deepEqual(seen.sort(), expected)
    }
  }

  /** Detaches the engine, which has to end by itself. */
  async detach() {
    const ended = new Promise((resolve) => this.process.once('exit', (code, signal) => resolve([code, signal])))
    await this.controller.stop(3000)
    assert.deepEqual(await ended, [0, null])
    assert.deepEqual(this.stderr, [])
  }
}

/** One line of analysis: for each candidate pairs of key and value, and its line of play at the end. */
function checkInfo(line, command) {
  const candidates = line.split(/\s*info\s+/).slice(1)
  for (const text of candidates) {
    const words = text.trim().split(/\s+/)
    const pv = words.indexOf('pv')
    assert.ok(pv > 0 && pv % 2 === 0, `pairs, then pv: ${text}`)
    const values = new Map()
    for (let i = 0; i < pv; i += 2) values.set(words[i], words[i + 1])
    assert.match(values.get('move'), /^([A-HJ-Z]\d+|pass)$/)
    assert.match(values.get('visits'), /^\d+$/)
    // Sabaki takes whole numbers for ten-thousandths unless the command is one of KataGo's.
    assert.match(values.get('winrate'), command.startsWith('kata') ? /^[01]\.\d+$/ : /^\d{1,5}$/)
    const moves = words.slice(pv + 1)
    assert.ok(moves.length > 0 && moves.every((vertex) => /^([A-HJ-Z]\d+|pass)$/.test(vertex)), text)
  }
}

const play = (color, ...vertices) => vertices.map((vertex) => ['play', color, vertex.toUpperCase().replace('PASS', 'pass')])

const tests = {
  async 'two engines play a whole game, each told the moves of the other'() {
    const players = await Promise.all([new Syncer().attach(), new Syncer().attach()])
    const moves = []
    for (let passes = 0; passes < 2; ) {
      assert.ok(moves.length < 200, 'the game does not end')
      const color = 'BW'[moves.length % 2]
      const player = players[moves.length % 2]
      await player.sync({size: 5, komi: 0.5, moves})
      const vertex = await player.move(color)
      if (vertex === 'resign') break
      passes = vertex === 'pass' ? passes + 1 : 0
      moves.push(...play(color, vertex))
    }
    for (const player of players) await player.sync({size: 5, komi: 0.5, moves})
    const [one, other] = await Promise.all(players.map((player) => player.ask('showboard')))
    assert.equal(one, other)
    for (const player of players) await player.detach()
  },

  async 'a walk through a game with variations shows each position'() {
    const engine = await new Syncer().attach()
    const main = ['E5', 'C4', 'G6', 'C6', 'E3', 'G3', 'H4', 'D7', 'F8', 'B3'].map((vertex, i) => ['play', 'BW'[i % 2], vertex])
    for (const length of [10, 9, 6, 10, 0, 3, 2, 8, 7, 1]) {
      for (const branch of [[], play('B', 'A1', 'J9'), [['play', 'W', 'pass'], ['play', 'W', 'J1']]]) {
        const moves = [...main.slice(0, length), ...branch]
        await engine.sync({moves})
        await engine.checkStones(moves)
      }
      await engine.analyze('BW'[length % 2], 100)
    }
    await engine.detach()
  },

  async 'handicap, boards that are set up and one color moving often'() {
    const engine = await new Syncer().attach()
    const handicap = [['set_free_handicap', 'D4', 'K10', 'D10', 'K4'], ['play', 'W', 'G7']]
    await engine.sync({size: 13, komi: 0.5, moves: handicap})
    await engine.checkStones(handicap)
    assert.notEqual(await engine.move('B'), 'resign')
    await engine.sync({size: 13, komi: 0.5, moves: handicap.slice(0, 1)})
    await engine.checkStones(handicap.slice(0, 1))
    // Column by column, and more stones than any handicap has.
    const diagram = [...play('B', 'A9', 'B9', 'C9', 'C8', 'C7'), ...play('W', 'A6', 'B6', 'C6', 'D6', 'D7', 'D8', 'D9'), ...play('B', 'G3')]
    await engine.sync({moves: diagram})
    await engine.checkStones(diagram)
    assert.match(await engine.move('B'), /^[a-hj]\d$/)
    const many = [['set_free_handicap', ...'ABCDEFGHJ'].flatMap((x) => (x.length === 1 ? [`${x}3`, `${x}7`] : [x]))]
    await engine.sync({moves: many})
    await engine.checkStones(many)
    await engine.detach()
  },

  async 'a record that repeats a position is followed'() {
    const engine = await new Syncer().attach()
    const ko = [...play('B', 'A8'), ...play('W', 'B8'), ...play('B', 'B9'), ...play('W', 'C9'), ...play('B', 'A1'), ...play('W', 'A9')]
    await engine.sync({moves: [...ko, ...play('B', 'pass'), ...play('W', 'pass'), ...play('B', 'B9')]})
    await engine.checkStones([...play('B', 'A8', 'B9', 'A1'), ...play('W', 'B8', 'C9')])
    await engine.detach()
  },

  async 'every komi and square board is taken, and a refusal does no harm'() {
    const engine = await new Syncer().attach()
    const moves = play('B', 'B2')
    for (const size of [2, 5, 25, 19]) await engine.sync({size, moves})
    for (const komi of [0, -3.5, 3.75, 100, 6.5]) await engine.sync({komi, size: 19, moves})
    await assert.rejects(engine.sync({size: [9, 13]}), /Board size/)
    await engine.checkStones(moves)
    await assert.rejects(engine.sync({size: 9, moves: play('B', 'E5', 'E5')}), /History/)
    await engine.sync({size: 9, moves})
    await engine.checkStones(moves)
    await engine.detach()
  },

  async 'commands sent while the engine thinks are answered in their order'() {
    const engine = await new Syncer().attach()
    await engine.sync({moves: play('B', 'E5')})
    const thinking = engine.move('W')
    const interrupts = [engine.abort(), engine.abort(), engine.ask('name')]
    assert.match(await thinking, /^([a-hj]\d|pass|resign)$/)
    await Promise.all(interrupts)
    for (let i = 0; i < 5; i++) {
      const analysis = engine.analyze('W', 20)
      const sync = engine.sync({moves: play('B', 'E5', 'C3')})
      await Promise.all([analysis, sync])
    }
    await engine.checkStones(play('B', 'E5', 'C3'))
    await engine.detach()
  },

  async 'whoever resigns has made no move'() {
    const engine = await new Syncer().attach()
    // Nothing of Black's can live on a board that is all White's.
    const columns = 'ABCDEFGHJ'.split('')
    const moves = [...play('W', ...columns.flatMap((x) => [`${x}3`, `${x}5`, `${x}7`])), ...play('B', 'A1', 'J9')]
    const edge = columns.flatMap((x) => [`${x}1`, `${x}9`])
    for (let turn = 0; ; turn++) {
      assert.ok(turn < 6, 'a hopeless game is not given up')
      await engine.sync({komi: 60, moves})
      const vertex = await engine.move('B')
      if (vertex === 'resign') break
      moves.push(...play('B', vertex))
      moves.push(...play('W', edge.find((free) => !moves.some(([, , taken]) => taken === free))))
    }
    assert.equal(engine.tracker.state.history.length, moves.length)
    const history = (await engine.ask('move_history')).split('\n')
    assert.equal(history.length, moves.length)
    await engine.detach()
  },
}

async function main() {
  for (const [name, test] of Object.entries(tests)) {
    const begun = Date.now()
    await test()
    console.log(`ok: ${name} (${Date.now() - begun} ms)`)
  }
}

setTimeout(() => {
  console.error('sabaki.js: no end after two minutes')
  process.exit(1)
}, PATIENCE).unref()
main().catch((error) => {
  console.error(error)
  process.exit(1)
})
