/** Which generations of an agent have a process alive, read anew from the process table: one number per process. */
import { listPids, readProcFile, readStat } from './proc-stat.ts'

export function livingGenerations(homeId: string, agent: string): number[] {
  return listPids().flatMap((pid) => {
    const entries = readProcFile(`/proc/${pid}/environ`)?.toString('utf8').split('\0') ?? []
    const isOurs = entries.some((entry) => entry.startsWith(`CLOISTER_RUN=${homeId}.`))
    if (!isOurs || !entries.includes(`PANOPTICON_AGENT_ID=${agent}`) || readStat(pid) === undefined) return []
    const generation = entries.find((entry) => entry.startsWith(GENERATION))?.slice(GENERATION.length)
    return generation === undefined ? [] : [Number(generation)]
  })
}

const GENERATION = 'CLOISTER_GENERATION='
