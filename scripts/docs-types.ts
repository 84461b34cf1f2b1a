/** The kind of value that a schema takes, in words, and tables for them. */
import * as z from 'zod'

type JsonSchema = z.core.JSONSchema.JSONSchema

export function typeInWords(schema: z.core.$ZodType): string {
  return words(z.toJSONSchema(schema as z.ZodType, { unrepresentable: 'any' }))
}

export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n')
}

function words(schema: JsonSchema | boolean): string {
  if (typeof schema === 'boolean') return 'anything'
  if (schema.title !== undefined) return schema.title
  if (schema.const !== undefined) return code(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(code).join(', ')
  const options = schema.anyOf ?? schema.oneOf
  if (options !== undefined) return choice(options)
  if (schema.type === 'array')
    return `list of ${schema.items === undefined ? 'anything' : words(schema.items as JsonSchema)}`
  if (schema.type === 'object') return group(schema)
  if (schema.type === 'number' || schema.type === 'integer') return number(schema)
  if (schema.type === 'string')
    return schema.format === 'uri' ? 'http(s) address' : schema.format === 'email' ? 'mail address' : 'text'
  return schema.type === 'boolean' ? '`true`, `false`' : schema.type === 'null' ? '`null`' : 'anything'
}

/** Variants that differ by a `kind` or `type` are named by it: their fields would fill a page. */
function choice(options: readonly (JsonSchema | boolean)[]): string {
  const names = options.map((option) => variant(option))
  return names.every((name) => name !== undefined)
    ? `variant ${names.map(code).join(', ')}`
    : options.map(words).join(' or ')
}

function variant(option: JsonSchema | boolean): unknown {
  if (typeof option === 'boolean') return undefined
  const property = (option.properties?.['kind'] ?? option.properties?.['type']) as JsonSchema | undefined
  return property?.const
}

function group(schema: JsonSchema): string {
  const required = schema.required ?? []
  const names = Object.keys(schema.properties ?? {})
  return names.length === 0
    ? 'group'
    : `{${names.map((name) => (required.includes(name) ? name : `${name}?`)).join(', ')}}`
}

function number(schema: JsonSchema): string {
  const above = schema.exclusiveMinimum === undefined ? undefined : `above ${schema.exclusiveMinimum}`
  const least = isBound(schema.minimum) ? `from ${schema.minimum}` : undefined
  const most = isBound(schema.maximum) ? `to ${schema.maximum}` : undefined
  return [schema.type === 'integer' ? 'whole number' : 'number', above ?? least, most]
    .filter((part) => part !== undefined)
    .join(' ')
}

/** The ends of what a double holds exactly are no limits that anybody chose. */
function isBound(value: number | undefined): boolean {
  return value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER
}

function code(value: unknown): string {
  return `\`${String(value)}\``
}
