/**
 * The understudy's turns. At rest it waits for a message; a turn begins with UserPromptSubmit, performs what the
 * message orders (`/do …`), else the next steps of the script, and ends with Stop, StopFailure or, interrupted,
 * with no hook at all, as Claude Code does.
 */
import { handoffSteps } from './hand-off.ts'
import { textIn, toBody } from './hooks.ts'
import { toStep, type Script, type Step } from './script.ts'
import type { Stage } from './stage.ts'
import { performStep, reportLimit, speak, whyCut } from './steps.ts'

/** The client that is imitated lets a Stop hook hold it up so often in a row, then stops anyway. */
const STOP_HOLDS = 8

export interface PerformerOptions {
  stage: Stage
  script: Script
  parseYaml: (text: string) => Promise<unknown>
}

export class Performer {
  readonly #stage: Stage
  readonly #script: Script
  readonly #parseYaml: (text: string) => Promise<unknown>
  readonly #messages: string[] = []
  /** What is left to do; steps of the script, and of orders before them. */
  #plan: Step[]
  #arrived: (() => void) | undefined
  #busy = false

  constructor({ stage, script, parseYaml }: PerformerOptions) {
    this.#stage = stage
    this.#script = script
    this.#parseYaml = parseYaml
    this.#plan = [...script.steps]
  }

  /** A message, typed or given at the start. */
  hear(text: string): void {
    if (this.#stage.deaf || (this.#busy && this.#script.onMessage === 'ignore')) return
    this.#messages.push(text)
    if (this.#busy && text !== '/clear') this.#stage.transcript.queued(text)
    this.#arrived?.()
    if (this.#busy && this.#script.onMessage === 'next') this.#stage.cut('skip')
  }

  interrupt(): void {
    if (this.#busy && !this.#stage.deaf) this.#stage.cut('interrupt')
  }

  /** Never ends by itself. */
  async perform(): Promise<never> {
    for (;;) {
      const text = this.#stage.over ? undefined : this.#messages.shift()
      if (text === undefined) {
        const { promise, resolve } = Promise.withResolvers<void>()
        this.#arrived = resolve
        await promise
        continue
      }
      this.#busy = true
      this.#stage.registry.say('busy')
      await this.#turn(text)
      this.#busy = false
      this.#stage.registry.say('idle')
    }
  }

  async #turn(text: string): Promise<void> {
    if (text === '/clear') return this.#clear()
    if (!(await this.#submit(text))) return
    if (Date.now() < this.#stage.limitedUntil) {
      await reportLimit(this.#stage)
      return
    }
    if (this.#plan.length === 0)
      this.#plan = [{ do: 'say', text: `I am only simulated. I heard: ${text.slice(0, 200)}` }]
    if ((await this.#steps()) === 'on') await this.#stop(0)
  }

  async #clear(): Promise<void> {
    const { hooks, transcript, screen } = this.#stage
    await hooks.report('SessionEnd', { reason: 'clear' })
    transcript.begin()
    await hooks.report('SessionStart', { source: 'clear' })
    screen.say('(context cleared)')
  }

  /** False when a hook refused the prompt. */
  async #submit(text: string): Promise<boolean> {
    const { hooks, screen, transcript } = this.#stage
    screen.say(`> ${text}`)
    const answer = await hooks.report('UserPromptSubmit', { prompt: text })
    if (answer['decision'] === 'block') {
      screen.say(`A hook refused this: ${textIn(answer, 'reason')}`)
      return false
    }
    transcript.user(text)
    this.#plan.unshift(...(await this.#ordered(text)))
    return true
  }

  /** Lines such as `/do hang` or `/do tool: {takes: 5s}` come before what the script plans. */
  async #ordered(text: string): Promise<Step[]> {
    const orders = text.split('\n').flatMap((line) => /^[\s>]*\/do\s+(.+)$/.exec(line)?.[1] ?? [])
    const { onHandoff } = this.#script
    const steps: Step[] = onHandoff === 'ignore' ? [] : handoffSteps(text, onHandoff)
    for (const order of orders) {
      try {
        steps.push(toStep(await this.#parseYaml(order), 'the order'))
      } catch (error) {
        speak(this.#stage, `I cannot do that: ${error instanceof Error ? error.message : String(error)}`)
        steps.push({ do: 'say', text: 'Nothing was done.' })
      }
    }
    return steps
  }

  async #steps(): Promise<'on' | 'over'> {
    for (;;) {
      const step = this.#plan.shift()
      if (step === undefined) return 'on'
      if (step.do === 'repeat') {
        if (step.times > 1) this.#plan.unshift({ ...step, times: step.times - 1 })
        if (step.times > 0) this.#plan.unshift(...step.steps)
        // An endless list without a moment's rest would never let anything else happen.
        await new Promise((resolve) => setImmediate(resolve))
        continue
      }
      const result = step.do === 'stop' ? await this.#rest(step) : await this.#one(() => performStep(this.#stage, step))
      if (result === 'over') return 'over'
      while (this.#messages.length > 0 && this.#messages[0] !== '/clear')
        await this.#submit(this.#messages.shift() ?? '')
    }
  }

  async #one(perform: () => Promise<'on' | 'over'>): Promise<'on' | 'over'> {
    try {
      return await this.#stage.inStep(perform)
    } catch (error) {
      const why = whyCut(error)
      if (why === 'skip') return 'on'
      if (why === undefined) throw error
      this.#stage.transcript.user('[Request interrupted by user]')
      this.#stage.screen.say('(interrupted)')
      return 'over'
    }
  }

  /** Performs these, and keeps what was planned for later. */
  async #only(steps: Step[]): Promise<'on' | 'over'> {
    const later = this.#plan
    this.#plan = steps
    const result = await this.#steps()
    this.#plan = [...this.#plan, ...later]
    return result
  }

  /** The turn ends; with work in the background it goes on by itself later. */
  async #rest({ background, ms }: { background: number; ms: number }): Promise<'on' | 'over'> {
    await this.#stop(background)
    if (background === 0) return 'over'
    const waited = await this.#one(async () => {
      await this.#stage.wait(ms)
      return 'on'
    })
    if (waited === 'on') await this.#submit('<task-notification>background work is done</task-notification>')
    return waited
  }

  async #stop(background: number): Promise<void> {
    const { hooks, screen, transcript } = this.#stage
    const tasks = Array.from({ length: background }, (_, index) => ({
      id: `b${index}`,
      type: 'shell',
      status: 'running',
    }))
    for (let held = 0; ; held += 1) {
      const body = {
        stop_hook_active: held > 0,
        last_assistant_message: 'done',
        background_tasks: tasks,
        session_crons: [],
      }
      const order = orderOf(await hooks.report('Stop', body))
      if (order === undefined || held === STOP_HOLDS) break
      screen.say(`Order: ${order}`)
      transcript.user(order)
      speak(this.#stage, 'Understood.')
      if ((await this.#only(await this.#ordered(order))) === 'over') return
    }
    screen.say(background > 0 ? '(waits for the background)' : '(idle)')
  }
}

/** What a Stop hook tells the agent to do instead of stopping. */
function orderOf(answer: ReturnType<typeof toBody>): string | undefined {
  if (answer['continue'] === false) return undefined
  const context = toBody(answer['hookSpecificOutput'])['additionalContext']
  const order = answer['decision'] === 'block' ? answer['reason'] : context
  return typeof order === 'string' && order !== '' ? order : undefined
}
