// Small helpers to make elements.

const SVG = 'http://www.w3.org/2000/svg'

function fill(node, props, children) {
  for (const [key, value] of Object.entries(props || {})) {
    if (value === undefined || value === null || value === false) continue
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value)
    else if (key === 'text') node.textContent = value
    else node.setAttribute(key, value === true ? '' : value)
  }
  node.append(...kept(children))
  return node
}

/** Children without the gaps that conditions leave. */
const kept = children => children.flat().filter(child => child !== null && child !== undefined && child !== false)

/** Puts these children in the place of all others. */
export const replace = (node, ...children) => node.replaceChildren(...kept(children))

/** An HTML element: attributes, `on…` listeners and `text` by name, then children. */
export const h = (tag, props, ...children) => fill(document.createElement(tag), props, children)

/** An SVG element, likewise. */
export const s = (tag, props, ...children) => fill(document.createElementNS(SVG, tag), props, children)

/** One of the icons in index.html; readers skip it. */
export const icon = name => s('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, s('use', { href: `#i-${name}` }))

/** A stone to stand beside words. */
export const stone = color => h('span', { class: `stone ${color}`, 'aria-hidden': 'true' })

/** Opens a dialog with these contents; it is gone once closed. A button with `data-close` closes it, and `onclose` hears its value. */
export function sheet(title, contents, onclose, className = '') {
  const id = `sheet-${Math.random().toString(36).slice(2)}`
  const opener = document.activeElement
  const dialog = h('dialog', { class: `sheet ${className}`, 'aria-labelledby': id },
    h('div', { class: 'sheet-in' }, h('h2', { id, text: title }), contents))
  dialog.addEventListener('click', event => {
    const button = event.target.closest('[data-close]')
    if (button) dialog.close(button.dataset.close)
  })
  dialog.addEventListener('close', () => {
    dialog.remove()
    if (opener && opener.isConnected) opener.focus({ preventScroll: true })
    if (onclose) onclose(dialog.returnValue)
  })
  // A press beside the sheet closes it.
  dialog.addEventListener('pointerdown', event => {
    if (event.target === dialog) dialog.close('')
  })
  document.body.append(dialog)
  dialog.showModal()
  return dialog
}
