/**
 * Which model an issue gets when nobody names one: by the first word of its title that the settings know, else by what
 * they say of everything else. What decided is said with it.
 */
import type { Complexity } from '../../contract/config/values.ts'

export interface Selection {
  keywords: Readonly<Record<string, Complexity>>
  otherwise: Complexity
  routing: Readonly<Record<Complexity, string | { model: string; runtime: string }>>
}

export interface Chosen {
  model: string
  runtime?: string
  /** In one sentence. */
  why: string
}

export function chooseModel(title: string, { keywords, otherwise, routing }: Selection): Chosen {
  const words = title.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  const word = words.find((each) => Object.hasOwn(keywords, each))
  const complexity = (word === undefined ? undefined : keywords[word]) ?? otherwise
  const route = routing[complexity]
  const { model, ...rest } = typeof route === 'string' ? { model: route } : route
  const signal = word === undefined ? 'nothing in its title says otherwise' : `«${word}» stands in its title`
  return { model, ...rest, why: `${signal}, so it is ${complexity}, which ${model} does.` }
}
