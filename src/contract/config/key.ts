/** How a key of cloister.yaml is declared: its description and whether anything acts on it yet stand beside its default. */
import * as z from 'zod'

export interface KeyMeta {
  description: string
  inEffect: boolean
}

/** A key that the house acts on today. */
export function inEffect<T extends z.ZodType>(description: string, schema: T): T {
  return schema.meta({ description, inEffect: true } satisfies KeyMeta)
}

/** A key of the documents that is checked and kept, while nothing acts on it in this version. */
export function notYet<T extends z.ZodType>(description: string, schema: T): T {
  return schema.meta({ description, inEffect: false } satisfies KeyMeta)
}

/** A strict group of keys; left out, every key in it has its default. */
export function section<S extends z.ZodRawShape>(description: string, shape: S) {
  return group(description, z.strictObject(shape))
}

/** The same for an object that has checks or open names. */
export function group<T extends z.ZodObject>(description: string, schema: T) {
  // Every key has a default, which the compiler cannot see through the generic shape.
  return schema.prefault({} as z.input<T> & z.core.util.NoUndefined<z.input<T>>).meta({ description })
}
