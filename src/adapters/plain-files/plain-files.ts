/** The `PlainFiles` port on a real home. */
import type { PlainFiles } from '../../core/git-port.ts'
import { listPlain } from './list-file.ts'
import { restorePlain } from './restore-plain.ts'
import { LIMITS, savePlain, type Limits } from './save-plain.ts'

export interface PlainOptions {
  limits?: Partial<Limits>
  wallAt?: () => number
}

export function openPlainFiles(home: string, { limits, wallAt = Date.now }: PlainOptions = {}): PlainFiles {
  return {
    save: (request) => savePlain({ ...request, home, limits: { ...LIMITS, ...limits }, wallAt: wallAt() }),
    list: (agent) => listPlain(home, agent),
    restore: (request) => restorePlain({ ...request, home, wallAt: wallAt() }),
  }
}
