/** Where the program of an adapter's worker thread lies. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * `worker` is its folder and name, as in `sqlite/journal-worker`. In sources it lies beside the file that asks; in a
 * build the code that asks is part of a bundle somewhere in dist.
 */
export function findWorker(from: string, worker: string): URL {
  const name = worker.slice(worker.lastIndexOf('/') + 1)
  if (from.endsWith('.ts')) return new URL(`./${name}.ts`, from)
  const places = [name, ...['./', '../', '../../'].map((up) => `${up}adapters/${worker}`)]
  const urls = places.map((place) => new URL(`${place}.js`, from))
  const found = urls.find((url) => existsSync(fileURLToPath(url)))
  if (found !== undefined) return found
  throw new Error(
    `The worker ${worker} is missing; looked for ${urls.map((url) => fileURLToPath(url)).join(', ')}. ` +
      'Build again, or install Cloister anew.',
  )
}
