/** Reads the built dashboard into memory, so that a request never reaches the disk and a new build changes nothing half. */
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import type { Asset } from '../api/assets.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
}

/** By their paths, such as «/assets/index-3fa9.js». Empty when nothing was built. */
export function readAssets(folder: string): ReadonlyMap<string, Asset> {
  const assets = new Map<string, Asset>()
  for (const entry of filesIn(folder)) {
    const type = TYPES[extname(entry)]
    // A source map or anything else of unknown kind is not for the browser.
    if (type === undefined) continue
    const path = `/${relative(folder, entry).split(sep).join('/')}`
    const body = new Uint8Array(readFileSync(entry))
    assets.set(path, { type, body, immutable: path.startsWith('/assets/') })
  }
  return assets
}

function filesIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
