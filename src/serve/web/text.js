// Words: the chosen language's table, and how values come into its sentences.

import { saved, save } from './store.js'

export const LANGUAGES = { ja: 'ja', en: 'en', zh: 'zh-Hans' }
let table = {}
export let language = 'en'

/** The language to begin with: the one chosen before, the server's, or the first of the browser's that we speak. */
export function firstLanguage() {
  const served = document.documentElement.dataset.lang
  const wishes = [saved('language'), served, ...navigator.languages.map(tag => tag.slice(0, 2).toLowerCase())]
  return wishes.find(tag => tag in LANGUAGES) ?? 'en'
}

export async function speak(tag) {
  table = (await import(`./${tag}.js`)).default
  language = tag
  document.documentElement.lang = LANGUAGES[tag]
}

export function choose(tag) {
  save('language', tag)
  return speak(tag)
}

/** The sentence of this key. Of `key` and `key.one` the second is for `n` = 1, where a language has it. */
export function t(key, values = {}) {
  const text = (values.n === 1 && table[`${key}.one`]) || table[key]
  if (text === undefined) {
    console.error(`no text: ${key}`)
    return key
  }
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '')
}

/** Whether there is such a sentence. */
export const has = key => key in table

/** A number with one decimal where it has a half. */
export const points = n => (Number.isInteger(n) ? String(n) : n.toFixed(1))

/** Names of points as an enumeration. */
export const list = names => new Intl.ListFormat(LANGUAGES[language], { type: 'conjunction' }).format(names)
