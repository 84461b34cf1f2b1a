/** The texts of agents' tasks: task-texts/<agent>/<name>.md of the home, for its owner alone. */
import { rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { AgentEffect, Outcome } from '../contract/effects.ts'
import { anewText, type Told } from '../core/begin-anew.ts'
import { typedForm } from '../core/letters.ts'
import type { Letters, TaskTexts } from '../core/ports.ts'
import { DISK, leaveFile, type Disk } from './leave-file.ts'
import { readOwn } from './secret-file.ts'

export class FileTaskTexts implements TaskTexts {
  readonly #folder: string
  readonly #disk: Disk

  constructor(home: string, disk: Disk = DISK) {
    this.#folder = join(home, 'task-texts')
    this.#disk = disk
  }

  async keep(agent: string, name: string, text: string): Promise<void> {
    const file = this.#file(agent, name)
    await this.#disk.mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await leaveFile(file, text, this.#disk)
  }

  async read(agent: string, name: string): Promise<string | undefined> {
    return readOwn(this.#file(agent, name))
  }

  async forget(agent: string, names: readonly string[]): Promise<void> {
    for (const name of names) await rm(this.#file(agent, name), { force: true })
    // Another agent of the same name may have begun to keep its own.
    await rmdir(join(this.#folder, agent)).catch(() => undefined)
  }

  #file(agent: string, name: string): string {
    return join(this.#folder, agent, `${name}.md`)
  }
}

export async function actOnTask(
  texts: TaskTexts | undefined,
  effect: Extract<AgentEffect, { type: `task.${string}` }>,
): Promise<Outcome> {
  if (texts === undefined) return { result: 'not_done', detail: 'there is no place for it' }
  if (effect.type === 'task.forget') await texts.forget(effect.agent, effect.names)
  else {
    await texts.keep(effect.agent, effect.text.name, effect.text.whole)
    await texts.forget(effect.agent, effect.gone ?? [])
  }
  return { result: 'done' }
}

type Beginning = Pick<Extract<AgentEffect, { type: 'session.resume' }>, 'agent' | 'run' | 'summary' | 'task'>

interface Ports {
  taskTexts?: TaskTexts
  letters?: Letters
}

/** The first prompt of a session that begins anew; one that is too long is left as a letter. */
export async function firstPrompt({ taskTexts, letters }: Ports, given: Beginning, why?: string): Promise<string> {
  const { agent, run, summary, task = [] } = given
  const told: Told[] = []
  for (const { whole, ...text } of task) {
    const kept = whole ?? (await taskTexts?.read(agent, text.name).catch(() => undefined))
    told.push({ ...text, text: kept })
  }
  const text = anewText({ told, summary, ...(why === undefined ? {} : { why }) })
  const { text: typed, letter } = typedForm(letters?.folder, agent, { id: run, text })
  if (letter !== undefined) await letters?.leave(agent, letter.message, letter.text)
  return typed
}
