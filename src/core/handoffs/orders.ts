/** What an agent is asked to write before its work changes hands. Each order names one file and one end. */
import { isoTime } from '../iso-time.ts'
import { quoted } from './frame.ts'

/** Where agents keep their notes. */
export const STATE_PATH = '.planning/STATE.md'

/** To be written when somebody else goes on with the work. */
export function saveOrder({ to }: { to: string }): string {
  return [
    `Cloister: ${quoted(to, '')} goes on with your work. Write ${STATE_PATH} now, so that it needs nothing else, and stop.`,
    'It has these sections, as lists: «## Done», «## Next Steps» (the very next one first), «## Blockers», «## Decisions».',
    'Write what is so, not what is hoped; name the files. Do not begin anything new and do not ask.',
  ].join('\n')
}

/** In the workspace. The minute is that of UTC. */
export function documentPath(wallAt: number, nonce: string): string {
  const minute = isoTime(wallAt).slice(0, 16).replaceAll(/[T:]/g, '-')
  return `.bmad/handoffs/handoff-${minute}-${nonce}.md`
}

/** The last line of a document that is whole. */
export function closingLine(nonce: string): string {
  return `<!-- end of hand-off ${nonce} -->`
}

export interface DocumentOrder {
  path: string
  nonce: string
  wallAt: number
  /** Of the usable window; left out where it is not known. */
  percent?: number | undefined
  project: string
  /** The order was given before, and this is what came of it. */
  findings?: readonly string[]
}

export const SECTIONS = [
  'Current Work',
  'Completed Since Last Handoff',
  'Next Steps',
  'Critical State',
  'Blockers / Issues',
  'Notes',
] as const

/** Your own notes for yourself, since nothing else of the conversation is kept. */
export function documentOrder({ path, nonce, wallAt, percent, project, findings = [] }: DocumentOrder): string {
  const again = findings.length === 0 ? [] : ['The document is not whole yet:', ...findings.map((each) => `- ${each}`)]
  return [
    `Cloister: create the hand-off document now - context at ${shown(percent)}. Your context is cleared when it is ` +
      'written, and you go on from the document alone. Finish no other work first.',
    ...again,
    `Write the file ${path}, exactly in this form; each place in <…> is yours to fill, and «None» is an answer:`,
    '',
    template({ nonce, wallAt, percent, project }),
    '',
    'Name files with their paths in backticks. Say only what is needed to go on: leave out summaries of earlier ' +
      'hand-offs and what can be read in the repository. The last line must be exactly as above. Then stop.',
  ].join('\n')
}

/** What such an order asks for, every place filled with the same words: as a simulated agent does it. */
export function obeyed(order: string, words: string): { path: string; text: string } | undefined {
  const [, path] = /^Write the file (\S+), exactly in this form/m.exec(order) ?? []
  const [, form] = /\n(# Handoff Document\n[^]*?\n<!-- end of hand-off \S+ -->)/.exec(order) ?? []
  if (path === undefined || form === undefined) return undefined
  const ofGit = form
    .replace('<the branch that git shows>', 'None')
    .replace('<the short hash that git shows>', 'None')
    .replace('<how many git status shows>', '1')
  return { path, text: `${ofGit.replaceAll(/<(?!!--)[^<>]*>/g, words)}\n` }
}

function template({ nonce, wallAt, percent, project }: Omit<DocumentOrder, 'path'>): string {
  return [
    '# Handoff Document',
    '',
    `**Created**: ${isoTime(wallAt).slice(0, 19).replace('T', ' ')}`,
    `**Context Usage**: ${shown(percent)}`,
    `**Project**: ${quoted(project, '').slice(1, -1)}`,
    '**Branch**: <the branch that git shows>',
    '**Last Commit**: <the short hash that git shows>',
    '**Uncommitted Files**: <how many git status shows>',
    '',
    '## Current Work',
    '',
    '**Active Epic**: <what all of it is about>',
    '**Progress**: <how far it is>',
    '**Current Task**: <what you are at>',
    '',
    ...SECTIONS.slice(1).flatMap((title) => [`## ${title}`, '', PLACES[title] ?? '- <…>', '']),
    closingLine(nonce),
  ].join('\n')
}

function shown(percent: number | undefined): string {
  return percent === undefined ? 'an unknown share' : `${Math.round(percent)}%`
}

const PLACES: Readonly<Record<string, string>> = {
  'Completed Since Last Handoff': '- [x] <what is done, with its files>',
  'Next Steps': '1. <the very next step, so that you can begin at once>\n2. <the one after that>',
  'Critical State': '- <what is not in the repository: services, migrations, variables, background work>',
  'Blockers / Issues': '- <what is in the way>',
  Notes: '- <decisions and their reasons>',
}
