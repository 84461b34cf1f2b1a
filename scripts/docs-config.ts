/** docs/config.md: every key of cloister.yaml with what the schema knows of it. */
import { Document, isCollection } from 'yaml'
import { ALIASES } from '../src/contract/config/aliases.ts'
import { OVERRIDES } from '../src/contract/config/environment.ts'
import { allKeys, ANY_NAME, leafKeys, type Key, type Section } from '../src/contract/config/keys.ts'
import { dotted } from '../src/contract/config/path.ts'
import { table, typeInWords } from './docs-types.ts'

export function configDocs(): string {
  const sections = allKeys.keys.filter((key) => 'keys' in key)
  return (
    [
      '<!-- Made by `npm run docs` from src/contract/config. Do not edit. -->',
      '# Settings: cloister.yaml',
      'The file is `~/.panopticon/cloister.yaml`; `pan config path` prints where yours is. Every key may be left out and ' +
        'then has its default. Unknown keys and wrong values are reported with line and column by `pan config validate`; ' +
        'while a file has a problem, the settings before it go on to count.',
      'A key that is **not yet** in effect is checked and kept, but nothing acts on it in this version.',
      ...sections.flatMap(sectionDocs),
      '## Other spellings',
      'Accepted and moved to the key that counts, in this order.',
      table(
        ['Spelling', 'Key', 'When both are set'],
        ALIASES.map(({ from, to, wins }) => [`\`${from}\``, `\`${to}\``, WINS[wins]]),
      ),
      '## Environment variables',
      environment(),
      '## Complete example',
      'All keys with their defaults.',
      `\`\`\`yaml\n${example()}\n\`\`\``,
    ].join('\n\n') + '\n'
  )
}

const WINS = { alias: 'this spelling counts', key: 'the key counts', neither: 'a problem, unless they are equal' }

function sectionDocs(section: Section): string[] {
  const rows = leafKeys(section).map((key) => [
    `\`${key.path.slice(1).join('.')}\``,
    typeInWords(key.value),
    key.default === undefined ? '' : `\`${inline(key.default)}\``,
    key.inEffect ? 'yes' : 'not yet',
    key.description,
  ])
  return [
    `## ${dotted(section.path)}`,
    section.description,
    table(['Key', 'Value', 'Default', 'In effect', 'Meaning'], rows),
  ]
}

function environment(): string {
  const rows = OVERRIDES.map(({ name, path, description }) => [`\`${name}\``, `\`${dotted(path)}\``, description])
  return [
    '`CLOISTER_CONFIG` names the file; `PANOPTICON_HOME` the folder that it is in otherwise. These override one key each:',
    table(['Variable', 'Key', 'Value'], rows),
  ].join('\n\n')
}

function example(): string {
  return allKeys.keys.map((key) => exampleOf(key).join('\n')).join('\n\n')
}

function exampleOf(key: Key | Section): string[] {
  const indent = '  '.repeat(key.path.length - 1)
  const name = inline(key.path.at(-1))
  if (!('keys' in key)) {
    const mark = key.inEffect ? '' : ' (not yet in effect)'
    return [`${indent}${name}: ${inline(key.default)} # ${key.description}${mark}`]
  }
  const children = key.keys.filter(({ path }) => path.at(-1) !== ANY_NAME)
  return [`${indent}# ${key.description}`, `${indent}${name}:`, ...children.flatMap(exampleOf)]
}

function inline(value: unknown): string {
  const document = new Document(value)
  if (isCollection(document.contents)) document.contents.flow = true
  return document.toString({ lineWidth: 0, flowCollectionPadding: false }).trimEnd()
}
