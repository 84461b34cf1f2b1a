/** Hand-offs of one agent: what is suggested, whether rules may, how far an open one is, and the ways to begin one. */
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import type { HandoffChoices } from '../../../../src/contract/handoff-panel-views.ts'
import type { HandoffSuggestion } from '../../../../src/contract/handoff-views.ts'
import { useNow, type LiveAgent } from '../../live/store.ts'
import { Asked } from '../asked.tsx'
import { ActButton, Button } from '../button.tsx'
import { INPUT } from '../field.tsx'
import { Switch } from '../switch.tsx'
import { useWhyNot } from '../why-not.ts'
import { duration } from '../words.ts'
import { Progress } from './progress.tsx'
import { useHandoffDeeds } from './use-deeds.ts'
import { useChoices, useFreshHandoff, useSuggestion } from './use-handoff.ts'
import { estimateWords, savingsOf, TRIGGER_WORDS, wordOf } from './words.ts'

export function HandoffPanel({ agent }: { agent: LiveAgent }) {
  useFreshHandoff(agent.id)
  const suggestion = useSuggestion(agent.id)
  const choices = useChoices(agent.id)
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {agent.lent !== undefined && agent.handoff === undefined && <Lent agent={agent} lent={agent.lent} />}
      {agent.handoff === undefined ? (
        <Asked what="the suggestion" rows={1} query={suggestion}>
          {(view) => <Suggestion agent={agent} view={view} />}
        </Asked>
      ) : (
        <Progress agent={agent} handoff={agent.handoff} />
      )}
      {agent.adopted === undefined && <Auto agent={agent} />}
      {agent.handoff === undefined && (
        <Asked what="who could take over" rows={2} query={choices}>
          {(view) => (
            <Start key={`${view.model} ${view.runtime}`} agent={agent} choices={view} suggested={suggestion.data} />
          )}
        </Asked>
      )}
    </div>
  )
}

function Suggestion({ agent, view }: { agent: LiveAgent; view: HandoffSuggestion }) {
  const { suggested, suggestedModel, suggestedSpecialist: specialist, reason, trigger, evidence = [], notNow } = view
  const { start } = useHandoffDeeds(agent.id)
  if (!suggested) return <p className="text-ink-soft">{`No hand-off is suggested: ${reason}.`}</p>
  const whom = specialist ?? suggestedModel
  const savings = savingsOf(view)
  const to = { model: suggestedModel, runtime: agent.runtime, specialist }
  const price = specialist === undefined ? estimateWords(view, suggestedModel) : undefined
  return (
    <div className="flex flex-col items-start gap-1 border-l-2 border-accent bg-accent-soft px-3 py-2">
      <p className="font-medium">Suggested: hand it to {whom}</p>
      <p className="wrap-anywhere">
        {trigger !== null && <span className="text-ink-soft">{wordOf(TRIGGER_WORDS, trigger)}: </span>}
        {reason}
      </p>
      <Evidence lines={evidence.filter((line) => line !== reason)} />
      {specialist === undefined && (
        <p className="text-ink-soft" title={price}>
          {savings === undefined ? 'Its price is not known.' : `It ${savings}.`}
        </p>
      )}
      {notNow !== undefined && <p className="text-ink-soft wrap-anywhere">{`Not by itself now: ${notNow}.`}</p>}
      <ActButton className="mt-1" onClick={() => void start({ from: agent, to, verb: 'Hand off', price })}>
        Hand it to {whom}
      </ActButton>
    </div>
  )
}

function Evidence({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <ul aria-label="What speaks for it" className="list-disc pl-4 text-ink-soft wrap-anywhere">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}

function Lent({ agent, lent }: { agent: LiveAgent; lent: NonNullable<LiveAgent['lent']> }) {
  const { takeBack } = useHandoffDeeds(agent.id)
  const left = Math.max(0, lent.leftMs - Math.max(0, useNow() - agent.asOf))
  return (
    <div className="flex flex-col items-start gap-2">
      <p>
        {'Its work is with '}
        <Link to="/agents/$id" params={{ id: lent.to }} className="font-mono text-accent hover:underline">
          {lent.to}
        </Link>
        <span className="text-ink-soft">{`, for at most ${duration(left)} more; it rests meanwhile.`}</span>
      </p>
      <ActButton onClick={() => void takeBack()}>Take it back</ActButton>
    </div>
  )
}

function Auto({ agent }: { agent: LiveAgent }) {
  const { setAuto } = useHandoffDeeds(agent.id)
  const whyNot = useWhyNot()
  const id = useId()
  const isOn = agent.autoHandoff !== 'off'
  return (
    <div className="flex items-start gap-2" title={whyNot}>
      <Switch
        aria-labelledby={id}
        aria-describedby={`${id}-about`}
        checked={isOn}
        disabled={whyNot !== undefined}
        onCheckedChange={(on) => void setAuto(on)}
      />
      <span>
        <span id={id} className="font-medium">
          Automatic hand-offs
        </span>
        <span id={`${id}-about`} className="block text-small text-ink-soft">
          {isOn ? 'Rules may hand its work over.' : 'Rules leave its work where it is; you can still hand it over.'}
        </span>
      </span>
    </div>
  )
}

interface StartProps {
  agent: LiveAgent
  choices: HandoffChoices
  suggested: HandoffSuggestion | undefined
}

function Start({ agent, choices, suggested }: StartProps) {
  const { models, runtimes, dearer, cheaper, barred } = choices
  const { start, cycle } = useHandoffDeeds(agent.id)
  const notNow = useWhyNot()
  const first = suggested?.suggested
    ? suggested.suggestedModel
    : models.find(({ model }) => model !== agent.model)?.model
  const [chosen, setChosen] = useState<string>()
  const [runtime, setRuntime] = useState(agent.runtime)
  const model = chosen ?? first ?? agent.model
  const barring = notNow ?? (barred && `${barred.sentence}. ${barred.hint}`)
  const isSame = model === agent.model && runtime === agent.runtime
  const hand = (verb: string, to: { model: string; runtime: string }): void => {
    const estimate = models.find((each) => each.model === to.model)?.estimate
    void start({ from: agent, to, verb, price: estimateWords({ estimate }, to.model) })
  }
  const step = (verb: string, { model: to, why }: HandoffChoices['dearer']) => (
    <Button
      whyNot={barring ?? (to === undefined ? sentence(why) : undefined)}
      onClick={() => to !== undefined && hand(verb, { model: to, runtime: agent.runtime })}
    >
      {verb}
      {to !== undefined && <span className="font-normal text-ink-soft">to {to}</span>}
    </Button>
  )
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-end gap-2">
        <Selector label="Model" value={model} options={models.map((each) => each.model)} onChange={setChosen} />
        <Selector label="Runtime" value={runtime} options={runtimes} onChange={setRuntime} />
        <Button
          kind="accent"
          whyNot={barring ?? (isSame ? `It has ${model} in ${runtime} already.` : undefined)}
          onClick={() => hand('Hand off', { model, runtime })}
        >
          Hand off now
        </Button>
      </div>
      <div className="flex flex-wrap gap-2">
        {step('Escalate', dearer)}
        {step('Downgrade', cheaper)}
        <Button whyNot={barring} onClick={() => void cycle()}>
          Fresh context
        </Button>
      </div>
      <p className="text-small text-ink-soft">
        {barred === undefined ? whyNoStep(choices) : `Not now: ${barred.sentence}.`}
      </p>
    </div>
  )
}

/** Also for those who cannot hover; one reason for both is said once. */
function whyNoStep({ dearer, cheaper }: HandoffChoices): string {
  return [...new Set([dearer.why, cheaper.why])].flatMap((why) => (why === undefined ? [] : [sentence(why)])).join(' ')
}

function sentence(words = 'it cannot be done'): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
}

interface SelectorProps {
  label: string
  value: string
  options: readonly string[]
  onChange: (value: string) => void
}

function Selector({ label, value, options, onChange }: SelectorProps) {
  const id = useId()
  const all = options.includes(value) ? options : [value, ...options]
  return (
    <span className="flex min-w-32 flex-1 flex-col gap-1">
      <label htmlFor={id} className="text-small text-ink-soft">
        {label}
      </label>
      <select id={id} value={value} className={INPUT} onChange={(event) => onChange(event.target.value)}>
        {all.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    </span>
  )
}
