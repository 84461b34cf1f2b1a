/** The terminal's colours from the page's own, in whichever theme it is in, and news when that changes. */
import type { ITheme } from '@xterm/xterm'

const COLOURS = {
  background: '--terminal-ground',
  foreground: '--terminal-ink',
  cursor: '--accent',
  cursorAccent: '--accent-ink',
  selectionBackground: '--terminal-selection',
  scrollbarSliderBackground: '--line-strong',
  scrollbarSliderHoverBackground: '--ink-faint',
  scrollbarSliderActiveBackground: '--ink-soft',
  black: '--terminal-black',
  red: '--terminal-red',
  green: '--terminal-green',
  yellow: '--terminal-yellow',
  blue: '--terminal-blue',
  magenta: '--terminal-magenta',
  cyan: '--terminal-cyan',
  white: '--terminal-white',
  brightBlack: '--terminal-bright-black',
  brightRed: '--terminal-bright-red',
  brightGreen: '--terminal-bright-green',
  brightYellow: '--terminal-bright-yellow',
  brightBlue: '--terminal-bright-blue',
  brightMagenta: '--terminal-bright-magenta',
  brightCyan: '--terminal-bright-cyan',
  brightWhite: '--terminal-bright-white',
} satisfies Partial<Record<keyof ITheme, string>>

/** Asked of an element in the page, since a variable may say one colour for light and another for dark. */
export function themeIn(place: HTMLElement): ITheme {
  const probe = document.createElement('span')
  probe.hidden = true
  place.append(probe)
  const style = getComputedStyle(probe)
  const theme = Object.entries(COLOURS).map(([name, variable]) => {
    probe.style.color = `var(${variable})`
    return [name, style.color] as const
  })
  probe.remove()
  return Object.fromEntries(theme)
}

export function whenThemeChanges(call: () => void): () => void {
  const media = matchMedia('(prefers-color-scheme: dark)')
  const observer = new MutationObserver(call)
  media.addEventListener('change', call)
  observer.observe(document.documentElement, { attributes: true })
  return () => {
    media.removeEventListener('change', call)
    observer.disconnect()
  }
}
