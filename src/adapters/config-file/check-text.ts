/** The text of a cloister.yaml to settings, or to problems with line and column. */
import { parseConfig, type ParsedConfig } from '../../contract/config/parse.ts'
import { dotted } from '../../contract/config/path.ts'
import { readYaml, type Position } from './read-yaml.ts'

export interface FileProblem extends Position {
  key: string
  sentence: string
  suggestion?: string
}

export interface CheckedText extends Omit<ParsedConfig, 'problems'> {
  problems: readonly FileProblem[]
}

export function checkText(text: string): CheckedText {
  const yaml = readYaml(withoutMark(text))
  const fromYaml = yaml.problems.map(({ path, ...problem }) => ({ ...problem, key: dotted(path) }))
  // Half a tree would only give more and misleading problems.
  if (yaml.value === undefined) return { problems: fromYaml, set: [], shadowed: [] }
  const { config, problems, ...rest } = parseConfig(yaml.value)
  const fromConfig = problems.map(({ path, onName, ...problem }) => ({
    ...yaml.locate(path, onName === true),
    ...problem,
    key: dotted(path),
  }))
  const all = [...fromYaml, ...fromConfig].toSorted((a, b) => a.line - b.line || a.column - b.column)
  return config !== undefined && all.length === 0 ? { ...rest, problems: [], config } : { ...rest, problems: all }
}

export function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}
