/** docs/api.md: every route with what its schemas know of it. */
import * as z from 'zod'
import { STATUS } from '../src/api/answer.ts'
import { OTHER_PATHS } from '../src/api/openapi-others.ts'
import { refusalsOf } from '../src/api/openapi.ts'
import type { Route } from '../src/api/route.ts'
import { ROUTES } from '../src/api/routes.ts'
import { apiError } from '../src/contract/views.ts'
import { table, typeInWords } from './docs-types.ts'

export function apiDocs(): string {
  return (
    [
      '<!-- Made by `npm run docs` from src/api/routes.ts. Do not edit. -->',
      '# The API',
      'The daemon of a home answers on the unix socket `daemon.sock` in that home and on `127.0.0.1:3011`, or the next ' +
        'free port. Every request but `GET /healthz` wants `authorization: Bearer <token>` with the content of the file ' +
        '`token` in the home; bodies are JSON with `content-type: application/json`. `GET /api/openapi.json` is this page ' +
        'for programs.',
      'A command is answered with 202 as soon as it is durable; what became of it are events after the `seq` of the ' +
        'answer. The header `x-request-id` makes a command count once, however often it is sent. An issue’s name stands ' +
        'for its agent: `/api/agents/pan-18` is `/api/agents/agent-pan-18`.',
      '## Refusals',
      'Everything that is no success has this one shape.',
      fieldTable(apiError),
      table(
        ['Code', 'Status'],
        Object.entries(STATUS).map(([code, status]) => [`\`${code}\``, String(status)]),
      ),
      '## Routes',
      ...ROUTES.flatMap(routePart),
      '## Other addresses',
      ...Object.entries(OTHER_PATHS).flatMap(([path, { get }]) => [`### GET ${path}`, get.summary]),
    ].join('\n\n') + '\n'
  )
}

function routePart(route: Route): string[] {
  const { key, summary, callers, query, body, answer, statuses, method } = route
  const who =
    callers.length === 1 && callers[0] === 'owner' ? [] : [`For: ${callers.map((who) => `\`${who}\``).join(', ')}.`]
  return [
    `### ${key}`,
    summary,
    ...who,
    ...part('Query', query),
    ...(method === 'GET' ? [] : part('Body', body)),
    ...part(`Answer (${statuses.join(' or ')})`, answer),
    `Refusals: ${refusalsOf(route)
      .map((code) => `\`${code}\``)
      .join(', ')}.`,
  ]
}

function part(title: string, schema: z.ZodType): string[] {
  const rows = fieldTable(schema)
  return rows === '' ? [] : [`${title}:`, rows]
}

function fieldTable(schema: z.ZodType): string {
  const inner = unwrapped(schema)
  if (!(inner instanceof z.ZodObject)) return ''
  const fields = Object.entries(inner.shape as z.core.$ZodShape)
  if (fields.length === 0) return ''
  return table(
    ['Field', 'Value'],
    fields.map(([name, field]) => [`\`${name}\``, fieldInWords(field)]),
  )
}

function fieldInWords(field: z.core.$ZodType): string {
  const inner = unwrapped(field)
  const isOptional = z.safeParse(field, undefined).success
  return `${typeInWords(inner)}${isOptional ? ', may be absent' : ''}`
}

/** Queries are text that is turned into something else; what is written in the address counts here. */
function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return unwrapped(schema.unwrap())
  if (!(schema instanceof z.ZodPipe)) return schema
  return schema.out instanceof z.ZodTransform ? unwrapped(schema.in) : unwrapped(schema.out)
}
