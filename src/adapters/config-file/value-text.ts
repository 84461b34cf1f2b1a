/** Single values between YAML text and plain data, as people type and read them. */
import { stringify } from 'yaml'
import { readYaml } from './read-yaml.ts'

/** A YAML scalar, list or group as typed on a command line. */
export function readValue(text: string): { value: unknown } | { why: string } {
  const { value, problems } = readYaml(text)
  return problems[0] === undefined ? { value } : { why: problems[0].sentence }
}

/** A text as it is; anything else as YAML. */
export function showValue(value: unknown): string {
  return typeof value === 'string' ? value : stringify(value, { lineWidth: 0 }).trimEnd()
}
