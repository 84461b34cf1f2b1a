/** Several questions at once, or one with several answers: each is chosen or said, and all are sent together. */
import { useId, useState, type FormEvent } from 'react'
import type { Question } from '../../../src/contract/evidence.ts'
import type { AnswersProps } from './answers.tsx'
import { ActButton } from './button.tsx'
import { INPUT } from './field.tsx'
import { lineOf, type Given } from './question-lines.ts'

const NOTHING: Given = { chosen: [], words: '' }

export function QuestionForm({ item: { questions = [] }, send, isOff }: AnswersProps) {
  const [given, setGiven] = useState<readonly Given[]>(() => questions.map(() => NOTHING))
  const lines = questions.map((question, at) => lineOf(question, given[at] ?? NOTHING))
  const open = lines.filter((line) => line === '').length
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (open === 0) void send(lines.join('\n'))
  }
  return (
    <form className="flex max-w-xl flex-col gap-4" onSubmit={submit}>
      {questions.map((question, at) => (
        <Asked
          key={question.question}
          question={question}
          given={given[at] ?? NOTHING}
          isOff={isOff}
          onChange={(next) => setGiven(given.map((before, n) => (n === at ? next : before)))}
        />
      ))}
      <div className="flex items-center gap-3">
        <ActButton type="submit" kind="accent" disabled={isOff || open > 0}>
          Send
        </ActButton>
        {open > 0 && (
          <span className="text-small text-ink-soft">{open === 1 ? '1 answer is' : `${open} answers are`} missing</span>
        )}
      </div>
    </form>
  )
}

interface AskedProps {
  question: Question
  given: Given
  isOff: boolean
  onChange: (given: Given) => void
}

function Asked({ question: { question, options, several }, given, isOff, onChange }: AskedProps) {
  const id = useId()
  const choose = (label: string, isOn: boolean): void => {
    if (!several) return onChange({ chosen: [label], words: '' })
    const others = given.chosen.filter((each) => each !== label)
    onChange({ ...given, chosen: isOn ? [...others, label] : others })
  }
  return (
    <fieldset className="flex min-w-0 flex-col gap-2" disabled={isOff}>
      <legend className="mb-1 font-medium wrap-anywhere">
        {question}
        {several === true && <span className="font-normal text-ink-soft"> Several may be chosen.</span>}
      </legend>
      {options.map(({ label, about }) => (
        <label key={label} className="flex min-w-0 cursor-pointer items-start gap-2">
          <input
            type={several === true ? 'checkbox' : 'radio'}
            name={id}
            className="mt-1 accent-accent"
            checked={given.chosen.includes(label)}
            onChange={(event) => choose(label, event.target.checked)}
          />
          <span className="min-w-0 wrap-anywhere">
            {label}
            {about !== undefined && <span className="block text-small text-ink-soft">{about}</span>}
          </span>
        </label>
      ))}
      <input
        type="text"
        aria-label={`Your own words to: ${question}`}
        placeholder={options.length > 0 ? 'Or in your own words' : 'Your answer'}
        autoComplete="off"
        maxLength={2_000}
        className={INPUT}
        value={given.words}
        onChange={(event) => onChange({ chosen: several ? given.chosen : [], words: event.target.value })}
      />
    </fieldset>
  )
}
