// The server: calls that survive a lost connection, and the stream of a game's states.

const ROOT = '/api/v1'
/** The stream carries a sign of life every 15 seconds. */
const SILENCE = 40000
/** Distance between polls where streams do not work or the page is hidden. */
const POLL = 10000
/** No answer takes as long, unless it is lost. */
const PATIENCE = 60000

/** The server's refusal, by its code. */
export class Refusal extends Error {
  constructor(status, body) {
    super(body.error ?? `status ${status}`)
    this.status = status
    this.code = body.error ?? 'unknown'
    this.body = body
  }
}

const wait = ms => new Promise(done => setTimeout(done, ms))
let onlink = () => {}
let online = true

/** Who is told whether the server can be reached. */
export function whenLinkChanges(listener) {
  onlink = listener
}

function linked(yes) {
  if (online !== yes) onlink(online = yes)
}

async function send(method, path, { body, token, signal = AbortSignal.timeout(PATIENCE), headers = {} } = {}) {
  const answer = await fetch(ROOT + path, {
    method,
    cache: 'no-store',
    credentials: 'omit',
    signal,
    headers: {
      ...headers,
      ...(body && { 'Content-Type': 'application/json' }),
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    body: body && JSON.stringify(body),
  })
  linked(true)
  if (answer.ok) return answer
  throw new Refusal(answer.status, await answer.json().catch(() => ({})))
}

export const get = async (path, token, patience = PATIENCE) => (await send('GET', path, { token, signal: AbortSignal.timeout(patience) })).json()

export const blob = async (path, token) => (await send('GET', path, { token })).blob()

/**
 * Sends a write until it is answered. That is safe because the server knows a repetition by the version of the game, or by `key`.
 * `busy` hears how long a crowded server asks to wait.
 */
export async function post(path, body, token, busy = () => {}) {
  for (let attempt = 0; ; attempt++) {
    try {
      return await (await send('POST', path, { body, token })).json()
    } catch (error) {
      if (error instanceof Refusal) {
        const crowded = error.status === 429 || error.status === 503
        if (!crowded || attempt > 5) throw error
        busy(error.body.wait_s ?? 1)
        await wait(1000 * (error.body.wait_s ?? 1))
      } else {
        linked(false)
        await wait(Math.min(300 * 2 ** attempt, 3000))
      }
    }
  }
}

/** Hands every state of a game to `onstate` until the returned function is called. `ongone` hears why no more can come. */
export function watch(id, token, onstate, ongone) {
  let closed = false
  let stream = null
  let seq = null
  let failures = 0
  let wake = () => {}
  const pause = ms => Promise.race([wait(ms), new Promise(done => { wake = done; })])

  const take = state => {
    failures = 0
    if (state.seq === seq) return
    seq = state.seq
    onstate(state)
  }

  async function listen() {
    stream = new AbortController()
    let timer
    const alive = () => {
      clearTimeout(timer)
      timer = setTimeout(() => stream.abort(), SILENCE)
    }
    try {
      alive()
      const answer = await send('GET', `/games/${id}/events`,
        { token, signal: stream.signal, headers: { Accept: 'text/event-stream', ...(seq && { 'Last-Event-ID': seq }) } })
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
      let rest = ''
      for (;;) {
        const { value, done } = await reader.read()
        if (done) break
        alive()
        failures = 0
        rest += value
        const events = rest.split('\n\n')
        rest = events.pop()
        for (const event of events) {
          const data = event.split('\n').filter(line => line.startsWith('data:')).map(line => line.slice(5)).join('')
          if (data) take(JSON.parse(data))
        }
      }
    } finally {
      clearTimeout(timer)
    }
  }

  async function poll() {
    const answer = await send('GET', `/games/${id}${seq ? `?after=${seq}` : ''}`, { token })
    if (answer.status !== 204) take(await answer.json())
    failures = 0
    await pause(POLL)
  }

  async function run() {
    let streams = true
    while (!closed) {
      try {
        // Browsers open few streams to one host; hidden pages leave them to the visible one.
        if (streams && !document.hidden) await listen()
        else await poll()
      } catch (error) {
        if (closed) return
        if (error instanceof Refusal && error.status < 500 && error.status !== 429) {
          ongone(error.code)
          return
        }
        if (error instanceof Refusal && error.code === 'too-many-streams') streams = false
        else if (!(error instanceof Refusal) && !stream?.signal.aborted) linked(false)
      }
      if (!closed && failures++ > 0) await pause(Math.min(250 * 2 ** Math.min(failures, 4), 2000))
    }
  }

  const look = () => {
    if (document.hidden) stream?.abort()
    wake()
  }
  const back = () => wake()
  document.addEventListener('visibilitychange', look)
  window.addEventListener('online', back)
  run()
  return () => {
    closed = true
    stream?.abort()
    wake()
    document.removeEventListener('visibilitychange', look)
    window.removeEventListener('online', back)
  }
}

/** Letters and digits that nobody guesses, to repeat a request without repeating its effect. */
export const newKey = () => [...crypto.getRandomValues(new Uint8Array(24))].map(byte => byte.toString(36).padStart(2, '0')).join('').slice(0, 40)
