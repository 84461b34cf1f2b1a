/** One call of a tool with its hooks and transcript lines, and the dialog in which a person is asked about it. */
import { randomBytes } from 'node:crypto'
import { textIn, toBody, type Body } from './hooks.ts'
import type { Stage } from './stage.ts'
import type { Call } from './values.ts'

export type Result = { ok: true; response: object } | { ok: false; error: string; denied?: boolean }

/** Says whether the turn goes on. */
export async function useTool(stage: Stage, call: Call, work: () => Promise<Result>): Promise<'on' | 'over'> {
  const { hooks, screen, transcript } = stage
  const id = `toolu_${randomBytes(12).toString('hex')}`
  const about = { tool_name: call.tool, tool_input: call.input, tool_use_id: id }
  transcript.assistant([{ type: 'tool_use', id, name: call.tool, input: call.input }], 'tool_use')
  screen.say(`● ${words(call)}`)
  const startedAt = Date.now()
  const decision = toBody((await hooks.report('PreToolUse', about))['hookSpecificOutput'])
  const refused: Result = { ok: false, error: textIn(decision, 'permissionDecisionReason') }
  const result = decision['permissionDecision'] === 'deny' ? refused : await work()
  const took = { duration_ms: Date.now() - startedAt }
  if (result.ok) await hooks.report('PostToolUse', { ...about, tool_response: result.response, ...took })
  else if (result.denied !== true)
    await hooks.report('PostToolUseFailure', { ...about, error: result.error, is_interrupt: false, ...took })
  const content = result.ok ? 'ok' : result.error
  screen.say(`  ${content}`)
  transcript.user([{ type: 'tool_result', tool_use_id: id, content, is_error: !result.ok }])
  const after = await hooks.report('PostToolBatch', { tool_calls: [{ ...about, tool_response: content }] })
  if (after['continue'] !== false) return 'on'
  screen.say(`A hook stopped the turn: ${textIn(after, 'stopReason')}`)
  return 'over'
}

export interface Dialog {
  call: Call
  title: string
  options: readonly string[]
  /** Whether other words than the options are an answer too. */
  free: boolean
}

/** The label that was chosen, or what the hook decided; whichever comes first. */
export async function askPerson(stage: Stage, dialog: Dialog): Promise<{ label: string } | { decision: Body }> {
  const { hooks, screen } = stage
  screen.say([dialog.title, ...dialog.options.map((option, index) => `  ${index + 1}. ${option}`)].join('\n'))
  const asked = hooks.ask({ tool_name: dialog.call.tool, tool_input: dialog.call.input, permission_suggestions: [] })
  // Answered at the keyboard, the hook goes on waiting, as with the client that is imitated; it ends with us.
  stage.atEnd(asked.cancel)
  const timer = setTimeout(
    () =>
      void hooks.report('Notification', {
        message: 'The understudy needs your permission',
        notification_type: 'permission_prompt',
      }),
    stage.scaled(6000),
  )
  try {
    return await stage.race(Promise.race([typed(stage, dialog), decided(asked.answer)]))
  } catch (error) {
    asked.cancel()
    throw error
  } finally {
    clearTimeout(timer)
    stage.dialog = undefined
  }
}

function typed(stage: Stage, dialog: Dialog): Promise<{ label: string }> {
  return new Promise((done) => {
    stage.dialog = (line) => {
      const label = choice(dialog, line)
      if (label !== undefined) done({ label })
      return label !== undefined
    }
  })
}

/** Without a decision the dialog stays open for the keyboard. */
async function decided(answer: Promise<Body>): Promise<{ decision: Body }> {
  const decision = toBody(toBody((await answer)['hookSpecificOutput'])['decision'])
  return typeof decision['behavior'] === 'string' ? { decision } : new Promise<never>(() => undefined)
}

function choice({ options, free }: Dialog, line: string): string | undefined {
  const said = line.trim().toLowerCase()
  const byNumber = /^\d+$/.test(said) ? options[Number(said) - 1] : undefined
  const byName = options.find(
    (option) => option.toLowerCase() === said || (said.length === 1 && option.toLowerCase().startsWith(said)),
  )
  return byNumber ?? byName ?? (free ? line.trim() : undefined)
}

export function words({ tool, input }: Call): string {
  const [first] = Object.values(input)
  return typeof first === 'string' ? `${tool}(${first.slice(0, 80)})` : tool
}
