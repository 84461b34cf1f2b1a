/** The programs that agents need, by the PATH of whoever looks: a daemon starts them with its own, not with a shell's. */
import { run } from '../../adapters/process/run.ts'
import { fail, well, type Check, type Patient } from './doctor-check.ts'
import { client } from './doctor-client.ts'
import { isAtLeast } from './doctor-machine.ts'

/** The folder is one in which an agent could be started. */
export async function programChecks(patient: Patient, folder: string): Promise<Check[]> {
  const { env } = patient
  return [
    await program({ name: 'tmux', args: ['-V'], least: [3, 2], why: 'agents run in it' }, env),
    await program({ name: 'git', args: ['--version'], least: [2, 30], why: 'work is saved with it' }, env),
    await client(patient, folder, process.getuid?.() ?? -1),
  ]
}

interface Needed {
  name: string
  args: string[]
  least: readonly [number, number]
  why: string
}

export async function program({ name, args, least, why }: Needed, env: Patient['env']): Promise<Check> {
  const install = `Install ${name} ${least.join('.')} or later, for example with your system's package manager.`
  try {
    const { code, stdout } = await run([name, ...args], { env: { PATH: env['PATH'] ?? '' }, timeoutMs: 5_000 })
    const version = /\d+\.\d+\w*/.exec(stdout)?.[0]
    if (code !== 0 || version === undefined) return fail(name, `${name} ${args.join(' ')} gave no version`, install)
    if (!isAtLeast(version, least)) return fail(name, `${version} is too old`, install)
    return well(name, version)
  } catch {
    return fail(name, `not found in PATH; ${why}`, install)
  }
}
