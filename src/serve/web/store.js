// What this browser remembers: settings, and the seats it holds. Nothing of it is sent anywhere but a seat's token to its game.

const DEFAULTS = {
  theme: 'auto', coordinates: true, confirm: 'auto', helpClosed: true, helpAtari: true, helpPass: true, helpCount: true, name: '', language: '',
}
const GAMES = 30

function read(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(`keima.${key}`)) ?? otherwise
  } catch {
    return otherwise
  }
}

function write(key, value) {
  try {
    localStorage.setItem(`keima.${key}`, JSON.stringify(value))
  } catch {
    // Without storage the page works, and forgets.
    memory[key] = value
  }
}

const memory = {}
const settings = { ...DEFAULTS, ...read('settings', {}) }

/** A setting. */
export const saved = name => settings[name]

export function save(name, value) {
  settings[name] = value
  write('settings', settings)
}

/** The games that this browser has a seat in, latest first: `{ id, token, seat, size, against, at, over }`. */
export const games = () => memory.games ?? read('games', [])

export const gameOf = id => games().find(game => game.id === id) ?? null

/** Remembers a seat, or what has changed about it. */
export function keep(game) {
  const others = games().filter(other => other.id !== game.id)
  write('games', [{ ...gameOf(game.id), ...game, at: Date.now() }, ...others].slice(0, GAMES))
}

export function forget(id) {
  write('games', games().filter(game => game.id !== id))
}

/** A value that outlives a reload, not the tab. */
export function draft(name, value) {
  try {
    if (value === null) sessionStorage.removeItem(`keima.${name}`)
    else if (value !== undefined) sessionStorage.setItem(`keima.${name}`, value)
    return sessionStorage.getItem(`keima.${name}`)
  } catch {
    return value ?? null
  }
}
