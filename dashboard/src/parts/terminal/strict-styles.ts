/**
 * For a library that writes <style> elements and style attributes, which the page's content policy forbids: what it
 * writes becomes constructed style sheets and the CSSOM, which the policy allows, with the same effect.
 */

/** Runs it; <style> elements that it makes are sheets of the page until the returned function is called. */
export function withStrictStyles(run: () => void): () => void {
  setStylesByCssom()
  const sheets = new Set<CSSStyleSheet>()
  const create = (name: string, options?: ElementCreationOptions): HTMLElement => {
    const isStyle = name === 'style'
    const element = Document.prototype.createElement.call(document, isStyle ? 'div' : name, options)
    if (isStyle) sheets.add(asSheet(element))
    return element
  }
  Object.defineProperty(document, 'createElement', { value: create, configurable: true })
  try {
    run()
  } finally {
    Reflect.deleteProperty(document, 'createElement')
  }
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => !sheets.has(sheet))
  }
}

/** Whatever text the element is given goes to the sheet; even an empty <style> would break the policy. */
function asSheet(element: HTMLElement): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  element.hidden = true
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  Object.defineProperty(element, 'textContent', {
    get: () => '',
    set: (text: string) => {
      sheet.replaceSync(text)
    },
  })
  return sheet
}

/** Spans are made as text comes, long after; to set their style attribute is the same as to set their style. */
function setStylesByCssom(): void {
  HTMLSpanElement.prototype.setAttribute = function set(this: HTMLSpanElement, name: string, value: string) {
    if (name === 'style') this.style.cssText = value
    else Element.prototype.setAttribute.call(this, name, value)
  }
}
