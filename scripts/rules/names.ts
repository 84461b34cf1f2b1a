/** File and folder names say what is inside, in kebab-case; no file only passes on what others export. */
import { lstatSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Node, Problem, SourceTree } from './source-tree.ts'

const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/
const emptyWords = /(^|[-.])(utils?|helpers?|common|managers?|services?)([-.]|$)/i
const sourceEndings = /^src\/.*\.(tsx?|sh|yaml|json|md)$|^dashboard\/.*\.(tsx?|css|html|svg|json|md)$/

export function names(tree: SourceTree): Problem[] {
  return tree.paths.flatMap((path) => {
    const name = basename(path)
    if (name === 'README.md' || name.startsWith('.')) return []
    const problems: Problem[] = []
    if (emptyWords.test(name)) {
      problems.push(named(path, `is called «${name}», which says nothing. Name it for the one thing that it defines.`))
    }
    if (!kebabCase.test(name)) problems.push(named(path, `is not kebab-case. Rename it, for example «${kebab(name)}».`))
    return problems
  })
}

/** What has another ending is seen by neither the compiler nor the linter nor these rules. */
export function endings(tree: SourceTree): Problem[] {
  return tree.paths
    .filter((path) => /^(src|dashboard)\//.test(path) && !sourceEndings.test(path))
    .filter((path) => !lstatSync(join(tree.root, path)).isDirectory())
    .map((path) => ({
      path,
      line: 1,
      rule: 'endings',
      message:
        'has an ending that the gates do not read. Write it as .ts or .tsx (.sh, .yaml, .json and .md may be in src, ' +
        '.css, .html, .svg, .json and .md in dashboard), or put recorded data into a folder called fixtures.',
    }))
}

export function barrels(tree: SourceTree): Problem[] {
  return tree.sources
    .filter(({ body }) => body.some(isPassedOn) && body.every((node) => isPassedOn(node) || isImport(node)))
    .map(({ path }) => ({
      path,
      line: 1,
      rule: 'barrels',
      message: 'only passes on what other files export. Delete it and import from the file that defines the thing.',
    }))
}

function named(path: string, message: string): Problem {
  return { path, line: 1, rule: 'names', message }
}

function kebab(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/[_ ]+/g, '-')
    .toLowerCase()
}

function isPassedOn(node: Node): boolean {
  return (
    node.type === 'ExportAllDeclaration' || (node.type === 'ExportNamedDeclaration' && node['declaration'] === null)
  )
}

function isImport(node: Node): boolean {
  return node.type === 'ImportDeclaration'
}
