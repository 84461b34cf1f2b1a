/** A small project in a temporary folder, under the real configuration of the gates, for a gate to judge. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

const root = join(import.meta.dirname, '../..')
export const rooms = ['contract', 'core', 'adapters', 'api', 'daemon', 'cli', 'hook']
const configuration = [
  '.oxlintrc.json',
  '.oxfmtrc.json',
  'knip.json',
  'package.json',
  'tsconfig.base.json',
  'dashboard/tsconfig.json',
  ...rooms.map((room) => `src/${room}/tsconfig.json`),
]

/** Writes the files beside a copy of the configuration; the folder goes when the test is over. */
export function makeProject(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-gate-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const file of configuration) cpSync(join(root, file), join(folder, file))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  return folder
}

/** Runs a tool of the project in the folder. */
export function runTool(
  folder: string,
  tool: string,
  args: readonly string[],
): { status: number | null; lines: string[] } {
  const { status, stdout, stderr } = spawnSync(join(root, 'node_modules/.bin', tool), args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}`, NO_COLOR: '1' },
  })
  return { status, lines: `${stdout}${stderr}`.split('\n').filter((line) => line.trim() !== '') }
}
