/** Which keys do what. */
import { Dialog } from './parts/dialog.tsx'

const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ['g o', 'Overview'],
  ['g a', 'Agents'],
  ['g h', 'Handoffs'],
  ['g i', 'Inbox'],
  ['g s', 'Settings'],
  ['/', 'Search agents'],
  ['← →', 'On a ribbon: a minute back or on (with Shift: ten)'],
  ['Page ↑ ↓', 'On a ribbon: an hour on or back'],
  ['↑ ↓', 'On stacked ribbons: the agent above or below'],
  ['Enter', 'On stacked ribbons: open the agent'],
  ['j k', 'In the inbox: the next or the one before'],
  ['1 … 9', 'In the inbox: give the answer of that place'],
  ['?', 'This help'],
]

export function KeyHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Keys">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2">
        {KEYS.map(([keys, does]) => (
          <div key={keys} className="contents">
            <dt className="font-mono text-accent">{keys}</dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
