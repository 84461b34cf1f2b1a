/**
 * Bundles the programs under src and the dashboard into dist, dependencies included.
 * A finished dist replaces the old one as a whole; when anything fails, the old one stays.
 */
import { existsSync, globSync } from 'node:fs'
import { chmod, copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'
import type { OutputAsset, OutputChunk } from 'rolldown'
import { build as buildPage } from 'vite'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
// Ignored by git and on the same file system as dist, so that the swap is two renames.
const fresh = join(root, `.tsbuild/dist-${process.pid}`)
const stale = `${fresh}-old`
/** Each in one file of its own, which starts sooner: a hundred may start at once, or all is over in 60 ms. */
const LONE = {
  'understudy/main': join(root, 'src/adapters/understudy/program/main.ts'),
  'daemon/offline/transcripts': join(root, 'src/daemon/offline/transcripts.ts'),
}

for (const name of globSync('dist-*', { cwd: join(root, '.tsbuild') })) {
  // Of a build that was cut off.
  const [pid] = /\d+/.exec(name) ?? []
  if (!existsSync(`/proc/${pid}`)) await rm(join(root, '.tsbuild', name), { recursive: true, force: true })
}
try {
  await mkdir(fresh, { recursive: true })
  // ./pan compares the sources with this file; it is older than whatever is edited from here on.
  await writeFile(join(fresh, '.built'), '')
  await write(await bundle(programs()))
  for (const program of Object.entries(LONE)) await write(await bundle(Object.fromEntries([program])))
  await copy('src/hook', '*.sh', 'hook')
  await copy('src/adapters/understudy/scripts', '*.yaml', 'understudy/scripts')
  for (const program of ['cli/main.js', 'daemon/offline/transcripts.js']) await chmod(join(fresh, program), 0o755)
  await bundleDashboard()
  if (existsSync(dist)) await rename(dist, stale)
  await rename(fresh, dist)
} finally {
  await rm(fresh, { recursive: true, force: true })
  await rm(stale, { recursive: true, force: true })
}

/** Every file that is started by path, by its name under dist. */
function programs(): Record<string, string> {
  const patterns = ['cli/main.ts', 'daemon/main.ts', 'daemon/offline/*.ts', 'adapters/*/*-worker.ts', 'hook/*.ts']
  const files = globSync(patterns, { cwd: join(root, 'src'), exclude: ['**/*.test.ts'] })
  const named = files.map((file) => [file.slice(0, -'.ts'.length), join(root, 'src', file)] as const)
  return Object.fromEntries(named.filter(([name]) => !(name in LONE)))
}

async function bundle(input: Record<string, string>): Promise<(OutputChunk | OutputAsset)[]> {
  const warnings: string[] = []
  const build = await rolldown({
    cwd: root,
    input,
    platform: 'node',
    onLog: (level, log) => {
      if (level === 'warn') warnings.push(log.message)
    },
  })
  const { output } = await build.generate({
    dir: dist,
    format: 'esm',
    sourcemap: true,
    minify: false,
    // V8 keeps the text of every module; one character beyond Latin-1 doubles all of it.
    comments: { legal: true, annotation: false, jsdoc: false },
    charset: 'ascii',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
  })
  await build.close()
  if (warnings.length > 0)
    throw new Error(`The bundler warned, and a warning here breaks at run time:\n${warnings.join('\n')}`)
  return output
}

async function bundleDashboard(): Promise<void> {
  await buildPage({
    configFile: join(root, 'dashboard/vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: join(fresh, 'dashboard') },
  })
}

async function write(output: (OutputChunk | OutputAsset)[]): Promise<void> {
  for (const part of output) {
    const path = join(fresh, part.fileName)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, part.type === 'chunk' ? part.code : part.source)
  }
}

/** What is read as it is at run time. */
async function copy(from: string, pattern: string, to: string): Promise<void> {
  const files = globSync(pattern, { cwd: join(root, from) })
  if (files.length === 0) throw new Error(`Nothing in ${from} fits ${pattern}.`)
  await mkdir(join(fresh, to), { recursive: true })
  for (const file of files) await copyFile(join(root, from, file), join(fresh, to, file))
}
