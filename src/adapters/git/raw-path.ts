/**
 * Paths as git knows them: bytes, not text. A raw path is a string with one character per byte (latin1), so that a
 * name in any encoding, with any byte, goes through unchanged.
 */
export type RawPath = string

export function toRaw(text: string): RawPath {
  return Buffer.from(text, 'utf8').toString('latin1')
}

/** For people; a name that is no UTF-8 is shown with replacement characters. */
export function toText(path: RawPath): string {
  return toBytes(path).toString('utf8')
}

export function toBytes(path: RawPath): Buffer {
  return Buffer.from(path, 'latin1')
}

/** The path to give to the file system. */
export function onDisk(folder: string, path: RawPath): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`, 'utf8'), toBytes(path)])
}

/** As git prints it with core.quotePath: in double quotes when any byte of it is special. */
export function unquote(printed: string): RawPath {
  if (!printed.startsWith('"')) return printed
  return printed
    .slice(1, -1)
    .replaceAll(/\\([0-7]{3}|.)/g, (_, code: string) =>
      code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (LETTERS[code] ?? code),
    )
}

export function quote(path: RawPath): string {
  const escaped = Array.from(path, (char) => {
    const byte = char.charCodeAt(0)
    return byte < 0x20 || byte > 0x7e || char === '"' || char === '\\' ? `\\${octal(byte)}` : char
  })
  return `"${escaped.join('')}"`
}

const LETTERS: Record<string, string> = { a: '\x07', b: '\b', t: '\t', n: '\n', v: '\v', f: '\f', r: '\r' }

function octal(byte: number): string {
  return byte.toString(8).padStart(3, '0')
}
