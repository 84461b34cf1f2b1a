/** What kind of value a key takes, so that whoever edits it can be offered the right field. */
import * as z from 'zod'
import type { ConfigKeyView } from '../config-view.ts'

type JsonSchema = z.core.JSONSchema.JSONSchema
type ValueKind = Pick<ConfigKeyView, 'kind' | 'options'>

export function valueKind(schema: z.core.$ZodType): ValueKind {
  return kindOf(z.toJSONSchema(schema as z.ZodType, { unrepresentable: 'any', io: 'input' }))
}

function kindOf(schema: JsonSchema): ValueKind {
  if (schema.enum !== undefined) return { kind: 'choice', options: schema.enum.map(String) }
  if (schema.const !== undefined) return { kind: 'choice', options: [String(schema.const)] }
  // A value that may be left empty is edited like the value itself.
  const options = (schema.anyOf ?? schema.oneOf)?.filter((option) => option.type !== 'null')
  const [only] = options ?? []
  if (options?.length === 1 && only !== undefined) return kindOf(only)
  if (schema.type === 'boolean') return { kind: 'boolean' }
  if (schema.type === 'number' || schema.type === 'integer') return { kind: 'number' }
  if (schema.type === 'string') return { kind: 'text' }
  if (schema.type !== 'array') return { kind: 'other' }
  const items = schema.items as JsonSchema | undefined
  return items?.enum === undefined ? { kind: 'list' } : { kind: 'list', options: items.enum.map(String) }
}
