/** Programs are started in src/adapters/process only, and nowhere through a shell. */
import { nameOf, textOf, type Node, type Problem, type Source, type SourceTree } from './source-tree.ts'

const modules = new Set(['child_process', 'node:child_process'])
const shellFunctions = new Set(['exec', 'execSync'])
const startFunctions = new Set(['spawn', 'spawnSync', 'execFile', 'execFileSync'])
const shellPrograms = /^(.*[/\\])?((ba|z|da|k|a|fi)?sh|cmd|powershell|pwsh)(\.exe)?$/i

export function childProcesses(tree: SourceTree): Problem[] {
  return tree.sources.flatMap((source) => {
    // Any spelling of the name counts, so that require, import() and getBuiltinModule are seen too.
    const mentions = source.nodes.filter((node) => modules.has(String(textOf(node))))
    const throughShell = mentions.length === 0 ? [] : shells(source)
    return [...strayImports(source, mentions), ...throughShell, ...namedShells(source)]
  })
}

function strayImports(source: Source, mentions: readonly Node[]): Problem[] {
  const isFree = source.isTest || !/^(src|dashboard)\//.test(source.path)
  if (isFree || source.path.startsWith('src/adapters/process/')) return []
  return mentions.map((node) => ({
    path: source.path,
    line: source.lineOf(node),
    rule: 'child-processes',
    message: 'uses child_process: only src/adapters/process does. Call that adapter, or take a port as a parameter.',
  }))
}

function shells(source: Source): Problem[] {
  const namespaces = source.nodes.filter(isChildProcessImport).flatMap(namespaceNames)
  return source.nodes
    .filter((node) => takesShellFunction(node) || callsShellFunction(node, namespaces) || asksForShell(node))
    .map((node) => ({
      path: source.path,
      line: source.lineOf(node),
      rule: 'child-processes',
      message: 'starts a program through a shell. Use spawn or execFile with an argument array and no `shell` option.',
    }))
}

/** `spawn('sh', …)`, also under another name, and the same through our own adapter. Tests and benchmarks may. */
function namedShells(source: Source): Problem[] {
  if (source.isTest || source.path.startsWith('bench/')) return []
  const starters = starterNames(source)
  return source.nodes
    .filter((node) => node.type === 'CallExpression' && startsProgram(node['callee'] as Node, starters))
    .filter((node) => shellPrograms.test(textOf((node['arguments'] as Node[])[0]) ?? ''))
    .map((node) => ({
      path: source.path,
      line: source.lineOf(node),
      rule: 'child-processes',
      message: 'starts a shell by name. Start the program itself with an argument array, or do its work in TypeScript.',
    }))
}

/** Local names of what child_process and our own adapter export. */
function starterNames({ nodes, imports }: Source): ReadonlySet<string> {
  const adapters = imports.filter(({ target }) => target?.startsWith('src/adapters/process/'))
  const sources = new Set([...modules, ...adapters.map(({ specifier }) => specifier)])
  const specifiers = nodes
    .filter((node) => node.type === 'ImportDeclaration' && sources.has(String(textOf(node['source']))))
    .flatMap((node) => node['specifiers'] as Node[])
  return new Set([...startFunctions, ...specifiers.map((specifier) => nameOf(specifier['local']))])
}

function startsProgram(callee: Node, starters: ReadonlySet<string>): boolean {
  if (callee.type === 'MemberExpression') return startFunctions.has(nameOf(callee['property']))
  return starters.has(nameOf(callee))
}

function isChildProcessImport(node: Node): boolean {
  return node.type === 'ImportDeclaration' && modules.has(String(textOf(node['source'])))
}

function namespaceNames(node: Node): string[] {
  return (node['specifiers'] as Node[])
    .filter((specifier) => specifier.type !== 'ImportSpecifier')
    .map((specifier) => nameOf(specifier['local']))
}

/** `import { exec }` and `const { exec } = await import(…)`. */
function takesShellFunction(node: Node): boolean {
  if (node.type === 'ImportSpecifier') return shellFunctions.has(nameOf(node['imported']))
  return node.type === 'Property' && shellFunctions.has(nameOf(node['key']))
}

function callsShellFunction(node: Node, namespaces: readonly string[]): boolean {
  if (node.type !== 'MemberExpression' || !shellFunctions.has(nameOf(node['property']))) return false
  return namespaces.includes(nameOf(node['object']))
}

function asksForShell(node: Node): boolean {
  if (node.type !== 'Property' || nameOf(node['key']) !== 'shell') return false
  return (node['value'] as Node)['value'] !== false
}
