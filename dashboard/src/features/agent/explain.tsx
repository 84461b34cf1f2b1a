/** Why the verdict is what it is: each witness, the rule, what would change it, and what comes next. */
import type { ExplainView } from '../../../../src/contract/views.ts'
import { useNow } from '../../live/store.ts'
import { Asked } from '../../parts/asked.tsx'
import { Quoted } from '../../parts/quoted.tsx'
import { shadeOf } from '../../parts/shade.ts'
import { StateMark } from '../../parts/state-mark.tsx'
import { duration, lastingOf } from '../../parts/words.ts'
import { useDetail } from './details.ts'
import { Section } from './section.tsx'
import { WrongVerdict } from './wrong-verdict.tsx'

export function Explain({ id }: { id: string }) {
  const query = useDetail('explain', id)
  return (
    <Section title="Why">
      <Asked what="the reasons" rows={8} query={query}>
        {({ view, asOf }) => <Reasons view={view} asOf={asOf} />}
      </Asked>
      <WrongVerdict id={id} />
    </Section>
  )
}

/** Ages were true at `asOf` and have grown since. */
function Reasons({ view, asOf }: { view: ExplainView; asOf: number }) {
  const { rule, wouldChange, held } = view
  const grown = Math.max(0, useNow() - asOf)
  return (
    <div className="flex flex-col gap-3">
      <p className="wrap-anywhere">
        <StateMark shade={shadeOf(view)} isNow /> {lastingOf(view, grown)}
      </p>
      <Witnesses witnesses={view.witnesses} grown={grown} />
      <Part title="Rule">
        <p>
          <Quoted text={rule} />
        </p>
      </Part>
      {wouldChange.length > 0 && (
        <Part title="What would change it">
          <ul className="flex flex-col gap-1">
            {wouldChange.map((sentence) => (
              <li key={sentence}>
                <Quoted text={sentence} />
              </li>
            ))}
          </ul>
        </Part>
      )}
      {held !== undefined && (
        <Part title="Held back">
          <p>{held}</p>
        </Part>
      )}
      <Next view={view} grown={grown} />
    </div>
  )
}

const STATES = { heard: 'text-ink', silent: 'text-ink-soft', off: 'text-ink-faint' } as const

function Witnesses({ witnesses, grown }: { witnesses: ExplainView['witnesses']; grown: number }) {
  return (
    <table className="w-full border-collapse text-left">
      <caption className="sr-only">Witnesses</caption>
      <thead>
        <tr className="text-small text-ink-soft">
          <th scope="col" className="w-24 pr-2 font-normal">
            Witness
          </th>
          <th scope="col" className="font-normal">
            Says
          </th>
          <th scope="col" className="pl-2 text-right font-normal">
            Age
          </th>
        </tr>
      </thead>
      <tbody>
        {witnesses.map(({ witness, state, value, ageMs }) => (
          <tr key={witness} className={`border-t border-line align-baseline ${STATES[state]}`}>
            <th scope="row" className="py-1 pr-2 font-normal">
              {witness}
            </th>
            <td className="py-1 wrap-anywhere">{value}</td>
            <td className="py-1 pl-2 text-right whitespace-nowrap">
              {ageMs === undefined ? <span aria-label="never">–</span> : duration(ageMs + grown)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Next({ view: { next }, grown }: { view: ExplainView; grown: number }) {
  if (next.length === 0) return null
  return (
    <Part title="What happens next">
      <ul className="flex flex-col gap-1">
        {next.map(({ inMs, what }) => (
          <li key={what} className="grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-2">
            <span className="text-ink-soft">{inMs <= grown ? 'now' : `in ${duration(inMs - grown)}`}</span>
            <Quoted text={what} />
          </li>
        ))}
      </ul>
    </Part>
  )
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className="flex flex-col gap-1">
      <h3 className="text-small text-ink-soft">{title}</h3>
      {children}
    </div>
  )
}
