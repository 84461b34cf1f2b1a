/** Starts a program of the daemon by its path inside this process, so that the CLI never imports daemon code. */
import { existsSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

const paths = {
  daemon: '../daemon/main',
  config: '../daemon/offline/config',
  restore: '../daemon/offline/restore',
  replay: '../daemon/offline/replay',
  'record-session': '../daemon/offline/record-session',
  drill: '../daemon/offline/drill',
  up: '../daemon/offline/up',
  doctor: '../daemon/offline/doctor',
  setup: '../daemon/offline/setup',
  resume: '../daemon/offline/resume',
  attach: '../daemon/offline/attach',
  'open-link': '../daemon/offline/open-link',
  'emergency-stop': '../hook/emergency-stop',
} as const

export type ProgramName = keyof typeof paths

interface Start {
  name: ProgramName
  args: readonly string[]
  /** File URL of the CLI's main file; the programs lie beside it, in dist as in src. */
  entry: string
}

/** Resolves with the exit code once the program is loaded; one that stays (the daemon) keeps the process alive itself. */
export async function startProgram({ name, args, entry }: Start): Promise<number> {
  const url = new URL(paths[name] + extname(entry), entry)
  const path = fileURLToPath(url)
  if (!existsSync(path)) {
    process.stderr.write(
      `Could not start ${name}: ${path} is missing. Build with \`npm run build\`, or install again.\n`,
    )
    return 1
  }
  process.argv = [process.execPath, path, ...args]
  await import(url.href)
  return Number(process.exitCode ?? 0)
}
