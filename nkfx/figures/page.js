// What the programs of pages have in common.
const bytes = text => Uint8Array.from(atob(text), c => c.charCodeAt(0)).buffer

const make = (parent, tag, style, text = '') => {
  const element = parent.appendChild(document.createElement(tag))
  element.style.cssText = style
  element.textContent = text
  return element
}

// replace hides the picture of a page without scripts, the last one before root in its cell.
const replace = root => {
  const pictures = Array.from((root.closest('.jp-Cell, .cell') || document.body).querySelectorAll('img'))
  const still = pictures.filter(img => img.compareDocumentPosition(root) & Node.DOCUMENT_POSITION_FOLLOWING).pop()
  if (still) still.style.display = 'none'
}
