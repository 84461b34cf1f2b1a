/** What earlier versions wrote, unpacked: named `<format>-<commit>.…`. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

export function fixtureNames(kind: 'homes' | 'recordings'): string[] {
  return readdirSync(join(import.meta.dirname, kind))
}

/** A home with that journal. */
export function unpackHome(name: string, folder: string): string {
  const home = join(folder, 'home')
  mkdirSync(home, { mode: 0o700 })
  writeFileSync(join(home, 'cloister.db'), unpacked('homes', name), { mode: 0o600 })
  return home
}

export function unpackRecording(name: string, folder: string): string {
  const file = join(folder, name.replace(/\.gz$/, ''))
  writeFileSync(file, unpacked('recordings', name))
  return file
}

function unpacked(kind: string, name: string): Buffer {
  return gunzipSync(readFileSync(join(import.meta.dirname, kind, name)))
}
