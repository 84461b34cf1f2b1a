/**
 * Ends processes that may fork, hide and ignore signals. Gone means that two counts in a row found none: a single
 * one can miss a process that forks and ends all the time, or is just starting a program.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Member } from './census.ts'
import { lives } from './proc-stat.ts'
import { signal } from './signal.ts'

/** Counts anew which processes are to end. */
export type Count = () => Promise<readonly Member[]>

const POLL_MS = 4
const RECOUNT_MS = 250
/** How often those that were forked meanwhile are stopped before the killing starts; it is repeated anyhow. */
const STOPPING_ROUNDS = 3

/** SIGTERM to each, once. Resolves when all are gone or the time is over. */
export async function askToEnd(count: Count, graceMs: number): Promise<void> {
  const deadline = performance.now() + graceMs
  const asked = new Set<string>()
  for (let clean = 0; clean < 2 && performance.now() < deadline;) {
    const members = touchable(await count())
    clean = members.length === 0 ? clean + 1 : 0
    for (const member of members) {
      if (asked.has(identity(member)) || !signal(member, 'SIGTERM')) continue
      asked.add(identity(member))
      // A stopped process takes its signals only when it goes on.
      if (member.state === 'T') signal(member, 'SIGCONT')
    }
    await untilGone(members, Math.min(deadline, performance.now() + RECOUNT_MS))
  }
}

/**
 * First all are stopped so that none forks, then all are killed, again and again until none is left or the time is
 * over. Returns whoever still lives, those that must not be touched among them.
 */
export async function kill(count: Count, killMs: number): Promise<readonly Member[]> {
  const deadline = performance.now() + killMs
  for (let clean = 0; ;) {
    const all = await count()
    clean = touchable(all).length === 0 ? clean + 1 : 0
    if (clean === 2 || performance.now() >= deadline) return all.filter(lives)
    if (clean === 1) continue
    const members = await stopAll(all, count)
    for (const member of members) signal(member, 'SIGKILL')
    await untilGone(members, Math.min(deadline, performance.now() + RECOUNT_MS))
  }
}

async function stopAll(found: readonly Member[], count: Count): Promise<readonly Member[]> {
  const stopped = new Map<string, Member>()
  let members = touchable(found)
  for (let round = 0; members.length > 0 && round < STOPPING_ROUNDS; round += 1) {
    for (const member of members) {
      signal(member, 'SIGSTOP')
      stopped.set(identity(member), member)
    }
    members = touchable(await count()).filter((member) => !stopped.has(identity(member)))
  }
  return [...stopped.values(), ...members]
}

async function untilGone(members: readonly Member[], deadline: number): Promise<void> {
  let left = members.filter(lives)
  while (left.length > 0 && performance.now() < deadline) {
    await sleep(POLL_MS)
    // One that lives is reason enough to go on waiting, so the others need not be asked.
    const first = left.findIndex(lives)
    left = first < 0 ? [] : left.slice(first)
  }
}

function touchable(members: readonly Member[]): readonly Member[] {
  return members.filter(({ spared }) => spared === undefined)
}

function identity({ pid, startedAt }: Member): string {
  return `${pid} ${startedAt}`
}
