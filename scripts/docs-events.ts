/** docs/events.md: every event with what its schema knows of it. */
import * as z from 'zod'
import { event } from '../src/contract/events.ts'
import { table, typeInWords } from './docs-types.ts'

const HOUSE_FIELDS = ['seq', 'at', 'observedAt', 'type']
const AGENT_FIELDS = [...HOUSE_FIELDS, 'agent', 'generation']

export function eventDocs(): string {
  const [ofHouse, ofAgents] = [event.options.filter((one) => !isOfAgent(one)), event.options.filter(isOfAgent)]
  return (
    [
      '<!-- Made by `npm run docs` from src/contract/events.ts. Do not edit. -->',
      '# Events',
      'Everything that happened, in the order of `seq`. `at` is the wall clock in milliseconds; `observedAt` is observed ' +
        'time, which stands still while the daemon does not run or the machine sleeps.',
      '## Of the house',
      `Each has ${named(HOUSE_FIELDS)}.`,
      ...ofHouse.flatMap((one) => eventPart(one, HOUSE_FIELDS)),
      '## Of an agent',
      `Each has ${named(AGENT_FIELDS)}.`,
      ...ofAgents.flatMap((one) => eventPart(one, AGENT_FIELDS)),
    ].join('\n\n') + '\n'
  )
}

type AnyEvent = (typeof event.options)[number]

function isOfAgent(one: AnyEvent): boolean {
  return 'agent' in one.shape && 'generation' in one.shape
}

function eventPart(one: AnyEvent, common: readonly string[]): string[] {
  const rows = Object.entries(one.shape as z.core.$ZodShape)
    .filter(([name]) => !common.includes(name))
    .map(([name, schema]) => [`\`${name}\``, fieldInWords(schema)])
  const head = [`### ${one.shape.type.value}`, String(one.meta()?.description ?? '')]
  return rows.length === 0 ? head : [...head, table(['Field', 'Value'], rows)]
}

function fieldInWords(schema: z.core.$ZodType): string {
  return schema instanceof z.ZodOptional ? `${typeInWords(schema.unwrap())}, may be absent` : typeInWords(schema)
}

function named(fields: readonly string[]): string {
  return fields.map((field) => `\`${field}\``).join(', ')
}
