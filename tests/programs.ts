/** The programs of the product, as they are built: what tests start is what is shipped. */
import { join } from 'node:path'
import { newerThanBuild } from '../scripts/built.ts'

const root = join(import.meta.dirname, '..')

/** `daemon/main` is dist/daemon/main.js. */
export function built(name: string): string {
  const newer = newerThanBuild(root)
  if (newer !== undefined) throw new Error(`${newer} is not built yet. Run \`npm run build\`, or test with ./test.`)
  return join(root, 'dist', `${name}.js`)
}

const { NODE_COMPILE_CACHE } = process.env

/** Compiled once, and not at every start (vitest.config.ts says where). */
export const COMPILE_CACHE = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }
