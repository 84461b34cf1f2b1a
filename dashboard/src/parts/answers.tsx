/** The answers that can be given to an agent from here: what it offers, as it wrote it, or words of one's own. */
import { useId, useState, type FormEvent } from 'react'
import type { NeedsYou } from '../../../src/contract/needs-you.ts'
import { ActButton } from './button.tsx'
import { INPUT } from './field.tsx'
import { QuestionForm } from './question-form.tsx'

export interface AnswersProps {
  item: NeedsYou
  send: (answer: string) => Promise<boolean>
  isOff: boolean
}

export function Answers({ item, send, isOff }: AnswersProps) {
  const { options = [], questions = [] } = item
  const [only, more] = questions
  if (more !== undefined || only?.several === true) return <QuestionForm item={item} send={send} isOff={isOff} />
  const isPermission = options.length === 2 && options[0] === 'allow' && options[1] === 'deny'
  const abouts = only?.options.map(({ about }) => about) ?? []
  return (
    <div className="flex flex-col gap-3">
      {options.length > 0 && (
        <div role="group" aria-label="Answers" className="flex flex-wrap gap-2">
          {options.map((option, index) => (
            <ActButton
              key={option}
              data-answer={index + 1}
              kind={index === 0 ? 'accent' : 'plain'}
              disabled={isOff}
              className="h-auto! min-h-8 max-w-full flex-col items-start! gap-0! py-1 text-left whitespace-normal!"
              onClick={() => void send(option)}
            >
              {isPermission ? (PERMISSION_WORDS[option] ?? option) : option}
              {abouts[index] !== undefined && (
                <span className="max-w-96 text-small font-normal wrap-anywhere">{abouts[index]}</span>
              )}
            </ActButton>
          ))}
        </div>
      )}
      <OwnWords isPermission={isPermission} hasOptions={options.length > 0} send={send} isOff={isOff} />
    </div>
  )
}

const PERMISSION_WORDS: Record<string, string> = { allow: 'Allow', deny: 'Deny' }

interface OwnWordsProps extends Omit<AnswersProps, 'item'> {
  isPermission: boolean
  hasOptions: boolean
}

/** What is said to a permission in words is a refusal with its reason; a question takes any text. */
function OwnWords({ isPermission, hasOptions, send, isOff }: OwnWordsProps) {
  const id = useId()
  const [text, setText] = useState('')
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const said = text.trim()
    if (said !== '' && (await send(isPermission ? `deny: ${said}` : said))) setText('')
  }
  const label = isPermission ? 'Or deny with a reason' : hasOptions ? 'Or answer in your own words' : 'Your answer'
  return (
    <form className="flex max-w-xl flex-col gap-1" onSubmit={(event) => void submit(event)}>
      <label htmlFor={id} className="text-small text-ink-soft">
        {label}
      </label>
      <div className="flex gap-2">
        <input
          id={id}
          type="text"
          value={text}
          disabled={isOff}
          autoComplete="off"
          maxLength={10_000}
          className={INPUT}
          onChange={(event) => setText(event.target.value)}
        />
        <ActButton type="submit" disabled={isOff || text.trim() === ''}>
          {isPermission ? 'Deny' : 'Send'}
        </ActButton>
      </div>
    </form>
  )
}
