/**
 * An agent that verifiably rests is put to sleep after a while; its session is kept. Rest is verified when its own last
 * word is that it is idle, its processes were seen at rest, and nothing of it moved in all that time. One whose later
 * waking would be dearer than the settings allow stays awake.
 */
import type { AgentRecord } from '../../contract/records.ts'
import type { Settings } from '../../contract/settings.ts'
import type { ResumeView } from '../../contract/standing.ts'
import { duration } from '../durations.ts'
import { isReminded } from '../finished.ts'
import { currentDoing, isLost, openDialog } from '../health/judge.ts'
import { citationsOf } from '../health/words.ts'
import { resumeInWords } from '../resume-price.ts'
import { NO_ADVICE, type Advice, type Situation } from '../proposals.ts'

export function idle(given: Situation & { resume: ResumeView | undefined }): Advice {
  const { agent, now, settings, resume } = given
  if ((whyAwake(agent, settings, resume) ?? whatItDoes(agent, settings)) !== undefined || !isVerified(agent))
    return NO_ADVICE
  const sinceAt = restsSince(given)
  const dueAt = sinceAt + idleMs(agent, settings)
  if (now < dueAt) return { ...NO_ADVICE, wakeAt: dueAt }
  const reason = `it rests for ${duration(now - sinceAt)}; ${resumeInWords(resume)}`
  const proposal = { kind: 'suspend', precedence: 'idle', by: 'lifecycle', reason } as const
  return {
    ...NO_ADVICE,
    proposal: { ...proposal, citations: citationsOf(agent, now), experiment: { judgeAt: now + settings.lookEveryMs } },
    wakeAt: now + settings.lookEveryMs,
  }
}

/** Why no rule puts it to sleep, however long it rests. */
export function whyAwake(agent: AgentRecord, settings: Settings, resume: ResumeView | undefined): string | undefined {
  const { autoSuspend, keepAwake, maxResumeUsd } = settings.lifecycle
  if (!autoSuspend) return 'lifecycle.auto_suspend is off'
  if (keepAwake.includes(agent.id)) return 'lifecycle.keep_awake names it'
  if (agent.sessionId === undefined) return 'no session of it is known'
  const usd = resume?.usd
  if (maxResumeUsd === null) return undefined
  if (usd === undefined) return 'what its waking would cost is not known, and lifecycle.max_resume_usd limits it'
  if (usd <= maxResumeUsd) return undefined
  return `its waking would cost ${usd.toFixed(2)} USD, more than lifecycle.max_resume_usd (${maxResumeUsd.toFixed(2)})`
}

/** When it would be put to sleep if nothing moves. */
export function suspendAt(given: Pick<Situation, 'agent' | 'graceAt' | 'settings'>): number {
  return restsSince(given) + idleMs(given.agent, given.settings)
}

function restsSince({ agent, graceAt }: Pick<Situation, 'agent' | 'graceAt'>): number {
  const { lifecycleAt, producedAt, evidence, errand } = agent
  // One that was just told to go on has its time to begin.
  return Math.max(lifecycleAt, producedAt, evidence.process?.busyAt ?? 0, errand?.decidedAt ?? 0, graceAt)
}

function idleMs({ id, kind }: AgentRecord, { lifecycle }: Settings): number {
  if (kind !== 'specialist') return lifecycle.workIdleMs
  return lifecycle.idleMs[id] ?? lifecycle.specialistIdleMs
}

function isVerified(agent: AgentRecord): boolean {
  const { process } = agent.evidence
  const rests = process?.busy === false && process.alive !== false
  return rests && saysIdle(agent) && !isLost(agent)
}

/** Its own last word, or that it was interrupted since, which no hook says and its transcript did. */
function saysIdle(agent: AgentRecord): boolean {
  const current = currentDoing(agent)
  if (current === undefined || current.doing.kind === 'background') return false
  return current.doing.kind === 'idle' || current.at <= agent.lifecycleAt
}

/** Why it is not put to sleep as long as that is so. */
export function whatItDoes(agent: AgentRecord, settings: Settings): string | undefined {
  const { act, episode, limit, assignment, lent, needsYou, messages = [] } = agent
  if (act !== undefined) return `its ${act.kind} is under way`
  if (episode !== undefined) return 'it was in trouble, and progress was not seen since'
  if (limit !== undefined) return `its ${limit.of === 'outage' ? 'outage' : 'usage limit'} is not settled yet`
  if (assignment !== undefined) return 'work waits for it'
  if (needsYou.some(({ kind }) => kind === 'handoff')) return 'a person is asked who goes on with its work'
  if (lent !== undefined) return `${lent.to} has its work`
  if (isReminded(agent, settings)) return 'tasks of its issue are open'
  if (openDialog(agent) !== undefined) return 'it shows a dialog'
  const waits = messages.some(({ state }) => state === 'queued' || state === 'typed')
  return waits ? 'a message to it is under way' : undefined
}
