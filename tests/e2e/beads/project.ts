/** A folder with beads of its own, kept by the real `bd` where it is found, else by a program that speaks like it. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const FAKE: readonly string[] = [
  process.execPath,
  '--no-warnings',
  fileURLToPath(new URL('fake-bd.ts', import.meta.url)),
]
const QUIET = { BD_NON_INTERACTIVE: '1', BD_DISABLE_METRICS: '1', DO_NOT_TRACK: '1', BD_DISABLE_EVENT_FLUSH: '1' }

/** The real program, or why it cannot be had: its npm package only downloads it from elsewhere when it is installed. */
export function findBd(): { program: string[] } | { missing: string } {
  const bd = process.env['BD_BIN'] || 'bd'
  const { status, error } = spawnSync(bd, ['version', '--json'], { encoding: 'utf8', timeout: 30_000 })
  if (status === 0) return { program: [bd] }
  return {
    missing: `no real bd: ${error?.message ?? `${bd} version ended with ${status}`}; set BD_BIN to have it tried`,
  }
}

export class BeadsProject {
  readonly home = mkdtempSync(join(tmpdir(), 'cloister-beads-'))
  readonly folder = join(this.home, 'project')
  readonly program: readonly string[]

  private constructor(program: readonly string[]) {
    this.program = program
    mkdirSync(this.folder)
  }

  static fake(version: '1.0.5' | '1.3.0'): BeadsProject {
    const project = new BeadsProject(FAKE)
    mkdirSync(join(project.folder, '.beads'))
    writeFileSync(join(project.folder, '.beads', 'fake.json'), JSON.stringify({ version, rows: [] }))
    return project
  }

  static real(program: readonly string[]): BeadsProject {
    const project = new BeadsProject(program)
    const git = (...args: string[]) => spawnSync('git', args, { cwd: project.folder, env: project.env })
    git('init', '--quiet')
    git('config', 'user.name', 'T')
    git('config', 'user.email', 't@example.com')
    project.bd('init', '--prefix', 't', '--non-interactive', '--skip-agents', '--skip-hooks', '-q')
    return project
  }

  get env(): Record<string, string> {
    return { PATH: process.env['PATH'] ?? '', HOME: this.home, ...QUIET }
  }

  bd(...args: string[]): string {
    const [bd = '', ...rest] = this.program
    const result = spawnSync(bd, [...rest, ...args], {
      cwd: this.folder,
      env: this.env,
      encoding: 'utf8',
      timeout: 60_000,
    })
    if (result.status !== 0) throw new Error(`bd ${args.join(' ')}: ${result.stdout}${result.stderr}`)
    return result.stdout
  }

  /** Lets everything that the fake is asked from now on go wrong. */
  break(fault: string): void {
    const file = join(this.folder, '.beads', 'fake.json')
    writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), fault }))
  }

  remove(): void {
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 })
  }
}
