/** After an emergency stop: it stays in force, and the whole page says so, until somebody resumes. */
import { OctagonX } from 'lucide-react'
import type { EmergencyState } from '../../../../src/contract/records.ts'
import { call, useStatus } from '../../live/store.ts'
import { ActButton } from '../../parts/button.tsx'
import { useDeed } from '../../parts/deed.tsx'

const SENTENCES: Record<Exclude<EmergencyState, 'armed'>, string> = {
  stopping: 'Everything is being stopped…',
  stopped: 'Nothing is started or typed until you resume. Agents stay stopped; start again those you want.',
  rearming: 'Resuming…',
}

export function EmergencyNotice() {
  const emergency = useStatus()?.emergency ?? 'armed'
  const deed = useDeed()
  if (emergency === 'armed') return null
  const resume = (): Promise<boolean> =>
    deed({
      ask: {
        title: 'Resume after the emergency stop?',
        text: 'Agents may be started and typed to again. No agent starts by itself because of this.',
        verb: 'Resume',
      },
      run: () => call('POST /api/cloister/resume'),
      done: 'Resume asked for',
    })
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b-2 border-stuck bg-stuck-soft px-4 py-2"
    >
      <OctagonX size={20} className="shrink-0 text-stuck" aria-hidden="true" />
      <p className="min-w-0 flex-1">
        <strong className="font-semibold text-stuck">Emergency stop in force.</strong> {SENTENCES[emergency]}
      </p>
      {emergency === 'stopped' && <ActButton onClick={() => void resume()}>Resume</ActButton>}
    </div>
  )
}
