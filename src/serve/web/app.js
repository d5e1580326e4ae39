// The page: language and looks, and which view an address shows.

import { Refusal, get, whenLinkChanges } from './api.js'
import { showHome } from './home.js'
import { applyTheme } from './panels.js'
import { draft, keep } from './store.js'
import { LANGUAGES, choose, firstLanguage, language, speak, t } from './text.js'

const main = document.getElementById('main')
let leave = () => {}

/** Shows another address without loading the page anew. */
export function go(address) {
  history.pushState(null, '', address)
  show(true)
}

async function show(moved) {
  leave()
  leave = () => {}
  document.querySelectorAll('dialog').forEach(dialog => dialog.close())
  document.title = 'Keima'
  document.body.className = ''
  const { pathname, hash } = location
  const game = /^\/g\/([^/]+)$/.exec(pathname)
  if (game) {
    if (hash.length > 8) {
      // A personal link: the seat moves to this browser, and out of the address. A false one does not cost the seat that one has.
      const token = hash.slice(1)
      history.replaceState(null, '', pathname)
      const isSeat = await get(`/games/${game[1]}`, token).then(state => state.you !== null, error => !(error instanceof Refusal))
      if (isSeat) keep({ id: game[1], token, seat: null, size: null })
    }
    const { GameView } = await import('./game.js')
    const view = new GameView(main, game[1], go)
    leave = () => view.close()
  } else if (pathname === '/j') {
    if (hash) draft('invitation', hash.slice(1))
    history.replaceState(null, '', pathname)
    const { showInvitation } = await import('./panels.js')
    await showInvitation(main, draft('invitation') ?? '', go)
  } else if (hash === '#lesson') {
    const { showLesson } = await import('./lesson.js')
    showLesson(main, go)
  } else {
    showHome(main, go)
  }
  if (moved) {
    window.scrollTo(0, 0)
    main.focus({ preventScroll: true })
  }
}

/** The words of the frame around every view. */
function frame() {
  const select = document.getElementById('language')
  document.getElementById('language-label').textContent = t('settings.language')
  document.getElementById('settings-label').textContent = t('settings')
  document.getElementById('skip').textContent = t('skip')
  select.value = language
}

document.getElementById('language').addEventListener('change', async event => {
  await choose(event.target.value)
  frame()
  show(false)
})
document.getElementById('settings').addEventListener('click', async () => {
  const { showSettings } = await import('./panels.js')
  showSettings()
})
document.addEventListener('click', event => {
  const link = event.target.closest('a[href^="/"]')
  if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || link.target || link.hasAttribute('download')) return
  event.preventDefault()
  go(link.getAttribute('href'))
})
window.addEventListener('popstate', () => show(true))
document.getElementById('skip').addEventListener('click', event => {
  event.preventDefault()
  main.focus()
})

const linkState = document.getElementById('link-state')
let linkTimer
function link(online) {
  clearTimeout(linkTimer)
  // A restart of the server takes a moment, and nobody need be told.
  linkTimer = setTimeout(() => {
    linkState.hidden = online
    linkState.textContent = online ? '' : t('offline')
  }, online ? 0 : 800)
}
whenLinkChanges(link)
window.addEventListener('offline', () => link(false))
window.addEventListener('online', () => link(true))

applyTheme()
const tag = firstLanguage()
await speak(tag in LANGUAGES ? tag : 'en')
frame()
await show(false)
