/** Who it is, how it is, and what can be done to it. */
import { Link } from '@tanstack/react-router'
import { ChevronRight, CirclePlay, CircleX, Hand, MessageSquare, RotateCcw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useConnection, useEvents, useNow, type LiveAgent } from '../../live/store.ts'
import {
  adoptedWords,
  barredWords,
  isResumable,
  isRunning,
  useAgentDeeds,
  type AgentDeeds,
} from '../../parts/agent-deeds.tsx'
import { ActButton } from '../../parts/button.tsx'
import { ActMenu, type MenuItem } from '../../parts/menu.tsx'
import { sessionItems } from '../../parts/session-menu.ts'
import { standingItems } from '../../parts/standing-menu.tsx'
import { shadeOf } from '../../parts/shade.ts'
import { StateMark } from '../../parts/state-mark.tsx'
import { Ago, Since } from '../../parts/time.tsx'
import { doingOf } from '../../parts/words.ts'
import { lastDeed } from './last-deed.ts'
import { MessageDialog } from './message-dialog.tsx'
import { ModelDialog } from './model-dialog.tsx'

export function Head({ agent }: { agent: LiveAgent }) {
  const now = useNow()
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="flex min-w-0 flex-col gap-1">
        <h1 className="flex min-w-0 flex-wrap items-center gap-x-1 text-title font-semibold">
          <Link to="/agents" className="font-normal text-ink-soft hover:text-accent hover:underline">
            Agents
          </Link>
          <ChevronRight size={18} className="text-ink-faint" aria-hidden="true" />
          <span className="font-mono wrap-anywhere">{agent.id}</span>
        </h1>
        {agent.title !== undefined && <p className="text-large text-ink-soft">{agent.title}</p>}
        <p className="flex flex-wrap items-center gap-x-3" aria-live="polite">
          <StateMark shade={shadeOf(agent)} isNow />
          <span className="min-w-0 wrap-anywhere">{doingOf(agent, now)}</span>
          {agent.simulated && <span className="text-ink-soft">simulated agent</span>}
          {agent.adopted !== undefined && <span className="text-ink-soft">{adoptedWords(agent)}</span>}
          <AsOf />
        </p>
        <LastAct id={agent.id} />
      </div>
      <Acts agent={agent} />
    </header>
  )
}

/** While the daemon is not heard, this is all that is known. */
function AsOf() {
  const { state, since } = useConnection()
  if (state !== 'offline') return null
  return (
    <span className="text-warning">
      as of <Since at={since} />
    </span>
  )
}

const NEWS_MS = 600_000

/** What the last deed came to: a deed is taken at once, but whether it helped is known later. */
function LastAct({ id }: { id: string }) {
  const now = useNow()
  const deed = lastDeed(useEvents(id))
  if (deed === undefined || now - deed.at > NEWS_MS) return null
  return (
    <p role="status" className={`wrap-anywhere ${deed.isGood ? 'text-ink-soft' : 'text-stuck'}`}>
      {deed.sentence} <Ago at={deed.at} />
    </p>
  )
}

function Acts({ agent }: { agent: LiveAgent }) {
  const deeds = useAgentDeeds(agent.id)
  const [dialog, setDialog] = useState<'message' | 'work' | 'model'>()
  const close = (): void => setDialog(undefined)
  const onSwitch = (): void => setDialog('model')
  const standing = standingItems(agent, deeds, () => setDialog('work'))
  return (
    <div role="group" aria-label={`Acts on ${agent.id}`} className="flex flex-wrap gap-2">
      {isRunning(agent) && (
        <>
          <Tell kind="accent" {...barring(agent, 'message')} onPress={() => setDialog('message')} />
          <ActButton {...barring(agent, 'poke')} onClick={() => void deeds.poke()}>
            <Hand size={16} aria-hidden="true" />
            Poke
          </ActButton>
          <ActButton kind="danger" {...barring(agent, 'kill')} onClick={() => void deeds.kill()}>
            <CircleX size={16} aria-hidden="true" />
            Kill
          </ActButton>
          <ActMenu
            label={`More acts on ${agent.id}`}
            items={[...standing, ...sessionItems(agent, deeds, onSwitch).map(aligned)]}
          />
        </>
      )}
      {!isRunning(agent) && agent.adopted === undefined && (
        <Resting {...{ agent, deeds, standing, onSwitch }} onTell={() => setDialog('message')} />
      )}
      {agent.adopted !== undefined && (
        <ActButton kind="danger" onClick={() => void deeds.forget()}>
          <Trash2 size={16} aria-hidden="true" />
          Release
        </ActButton>
      )}
      <MessageDialog agent={agent} as="message" isOpen={dialog === 'message'} onClose={close} />
      <MessageDialog agent={agent} as="work" isOpen={dialog === 'work'} onClose={close} />
      <ModelDialog agent={agent} isOpen={dialog === 'model'} onClose={close} />
    </div>
  )
}

interface TellProps extends Barring {
  kind: 'accent' | 'plain'
  onPress: () => void
}

function Tell({ onPress, ...button }: TellProps) {
  return (
    <ActButton {...button} onClick={onPress}>
      <MessageSquare size={16} aria-hidden="true" />
      Message
    </ActButton>
  )
}

interface RestingProps {
  agent: LiveAgent
  deeds: AgentDeeds
  standing: readonly MenuItem[]
  onTell: () => void
  onSwitch: () => void
}

/** A session that is kept is gone on with before a new one is begun; a message to one that sleeps wakes it. */
function Resting({ agent, deeds, standing, onTell, onSwitch }: RestingProps) {
  const canResume = isResumable(agent)
  return (
    <>
      {canResume && (
        <ActButton kind="accent" onClick={() => void deeds.resume()}>
          <CirclePlay size={16} aria-hidden="true" />
          Resume
        </ActButton>
      )}
      {canResume && <Tell kind="plain" onPress={onTell} />}
      <ActButton kind={canResume ? 'plain' : 'accent'} onClick={() => void deeds.start()}>
        <RotateCcw size={16} aria-hidden="true" />
        {canResume ? 'Start anew' : 'Start again'}
      </ActButton>
      <ActButton kind="danger" onClick={() => void deeds.forget()}>
        <Trash2 size={16} aria-hidden="true" />
        Forget
      </ActButton>
      <ActMenu
        label={`More acts on ${agent.id}`}
        items={[
          ...standing,
          ...(agent.can.includes('resume') ? [aligned({ label: 'Switch model…', onPress: onSwitch })] : []),
        ]}
      />
    </>
  )
}

function aligned(item: MenuItem): MenuItem {
  return { icon: <span className="w-4" />, ...item }
}

interface Barring {
  disabled?: true
  whyNot?: string
}

function barring(agent: LiveAgent, what: Parameters<typeof barredWords>[1]): Barring {
  const whyNot = barredWords(agent, what)
  return whyNot === undefined ? {} : { disabled: true, whyNot }
}
