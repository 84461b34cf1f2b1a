/** The route table as an OpenAPI 3.1 document; beside it what no route of the table is: the stream, terminals, metrics. */
import * as z from 'zod'
import * as configViews from '../contract/config-view.ts'
import * as logins from '../contract/login-views.ts'
import { needsYou } from '../contract/needs-you.ts'
import * as ribbons from '../contract/ribbon.ts'
import * as streams from '../contract/stream.ts'
import * as terminals from '../contract/terminal.ts'
import * as bodies from '../contract/bodies.ts'
import { statusView } from '../contract/status-view.ts'
import * as views from '../contract/views.ts'
import * as workViews from '../contract/work-views.ts'
import { STATUS } from './answer.ts'
import { OTHER_PATHS } from './openapi-others.ts'
import type { Route } from './route.ts'
import { ROUTES } from './routes.ts'

type Json = Record<string, unknown>

const REF = '#/components/schemas/'

let made: Json | undefined

/** Made when somebody asks for the first time. */
export function openApi(): Json {
  made ??= whole()
  return made
}

function whole(): Json {
  const paths: Record<string, Json> = {}
  for (const route of ROUTES) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) }
  }
  Object.assign(paths, OTHER_PATHS)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cloister',
      version: '1',
      description:
        'What the daemon of one home knows, and what can be asked of it. Only programs on this machine reach it.',
    },
    servers: [{ url: 'http://127.0.0.1:3011', description: 'The port is the next free one when this is taken.' }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      responses: Object.fromEntries(Object.entries(STATUS).map(([code]) => [code, refusal(code)])),
      schemas: components(),
    },
  }
}

function operation(route: Route): Json {
  const { summary, method, path, callers } = route
  const answer = { 'application/json': { schema: answerSchema(route) } }
  const answers = route.statuses.map((status) => [status, { description: DESCRIPTIONS[status], content: answer }])
  const refusals = refusalsOf(route).map((code) => [STATUS[code], { $ref: `#/components/responses/${code}` }])
  const isOpen = callers.includes('stranger')
  return {
    operationId: operationId(method, path),
    summary,
    tags: [path.split('/')[2] ?? 'api'],
    ...(isOpen ? { security: [] } : {}),
    'x-callers': callers,
    parameters: parametersOf(route),
    ...(method === 'GET' ? {} : { requestBody: bodyOf(route) }),
    responses: Object.fromEntries([...answers, ...refusals]) as Json,
  }
}

const DESCRIPTIONS = { 200: 'Done.', 202: 'Taken and durable; what became of it are events after `seq`.' }

/** A route's own, and those of the door and of whatever reads the request. */
export function refusalsOf({ method, path, refusals }: Route): readonly views.ApiError['code'][] {
  const found = path.includes(':id') ? (['not_found'] as const) : []
  const sent = method === 'GET' ? [] : (['too_large'] as const)
  const all = [...DOOR_REFUSALS, ...found, ...sent, ...refusals]
  return (Object.keys(STATUS) as views.ApiError['code'][]).filter((code) => all.includes(code))
}

const DOOR_REFUSALS = ['invalid', 'unauthorized', 'forbidden', 'failed'] as const

function refusal(code: string): Json {
  return {
    description: `Refused: ${code}.`,
    content: { 'application/json': { schema: { $ref: `${REF}ApiError` } } },
  }
}

function parametersOf({ path, query }: Route): Json[] {
  const { properties = {}, required = [] } = inputSchema(query) as { properties?: Json; required?: string[] }
  return [
    ...(path.includes(':id') ? [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }] : []),
    ...Object.entries(properties).map(([name, schema]) => ({
      ...{ name, in: 'query', required: required.includes(name), schema },
    })),
  ]
}

function bodyOf({ body }: Route): Json {
  const isRequired = !body.safeParse(undefined).success
  return { required: isRequired, content: { 'application/json': { schema: named(body) ?? inputSchema(body) } } }
}

function inputSchema(schema: z.ZodType): Json {
  return withoutDialect(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
}

function answerSchema({ answer }: Route): Json {
  return named(answer) ?? withoutDialect(z.toJSONSchema(answer, { unrepresentable: 'any' }))
}

function named(schema: z.ZodType): Json | undefined {
  const name = NAMES.get(schema)
  return name === undefined ? undefined : { $ref: REF + name }
}

const SHAPES = {
  ...views,
  ...bodies,
  statusView,
  ...workViews,
  ...configViews,
  ...ribbons,
  ...streams,
  ...terminals,
  ...logins,
  needsYou,
}

/** Shapes by the names that the contract gives them. */
const NAMES = new Map<z.ZodType, string>(
  Object.entries(SHAPES).map(([name, schema]) => [schema, `${name[0]?.toUpperCase()}${name.slice(1)}`]),
)

/** What is sent to us is described as it is sent, all else as it is told. */
function components(): Json {
  const bodies = new Set(ROUTES.map(({ body }) => body))
  const isBody = (schema: z.ZodType) => bodies.has(schema)
  const told = described('output', (schema) => !isBody(schema))
  return { ...told, ...described('input', (schema) => isBody(schema) || schema === configViews.configValue) }
}

function described(io: 'input' | 'output', isWanted: (schema: z.ZodType) => boolean): Json {
  const registry = z.registry<{ id: string }>()
  for (const [schema, id] of NAMES) if (isWanted(schema)) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, {
    io,
    uri: (id) => REF + id,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // Answers may get further fields; whoever reads them must bear that.
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    },
  })
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, withoutDialect(schema)]))
}

/** The document names the dialect once, by its version. */
function withoutDialect(schema: object): Json {
  const { $schema: _, $id: __, ...rest } = schema as Json
  return rest
}

function operationId(method: string, path: string): string {
  const words = path.split('/').filter((word) => word !== '' && word !== 'api' && !word.startsWith(':'))
  const one = path.includes(':id') && path.endsWith(':id') ? ['one'] : []
  return [method.toLowerCase(), ...words, ...one]
    .join('-')
    .replaceAll(/[^a-z0-9]+(.)/g, (_, char: string) => char.toUpperCase())
}
