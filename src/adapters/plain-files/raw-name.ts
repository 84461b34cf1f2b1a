/** Paths are bytes, not text: here a string with one character per byte, so that any name goes through unchanged. */
export type RawName = string

export function toText(path: RawName): string {
  return Buffer.from(path, 'latin1').toString('utf8')
}

export function toRaw(text: string): RawName {
  return Buffer.from(text, 'utf8').toString('latin1')
}

/** The path to give to the file system. */
export function onDisk(folder: string, path: RawName): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`, 'utf8'), Buffer.from(path, 'latin1')])
}

export function parentOf(path: RawName): RawName {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
}
