/** Tests use fakes, and none is left out without a reason that is printed. */
import { nameOf, textOf, type Node, type Problem, type Source, type SourceTree } from './source-tree.ts'

const testFunctions = ['test', 'it', 'describe', 'suite', 'bench']
const mockers = ['vi', 'vitest']
const leavingOut = /^(skip|todo|only|skipIf|runIf)$/
const contexts = new Set(['ctx', 'context', 'task', 't'])

export function testHonesty(tree: SourceTree): Problem[] {
  return tree.sources
    .filter((source) => source.isTest)
    .flatMap((source) => {
      const names = { tests: localNames(source, testFunctions), mockers: localNames(source, mockers) }
      return source.nodes.flatMap((node) => {
        const message = objection(node, names)
        return message === undefined ? [] : [problem(source, node, message)]
      })
    })
}

interface Names {
  tests: ReadonlySet<string>
  mockers: ReadonlySet<string>
}

/** The names themselves, what they are imported as, and what is made of them: `const slow = test.extend(…)`. */
function localNames({ nodes }: Source, names: readonly string[]): ReadonlySet<string> {
  const found = new Set(names)
  const specifiers = nodes
    .filter((node) => node.type === 'ImportDeclaration' && textOf(node['source']) === 'vitest')
    .flatMap((node) => node['specifiers'] as Node[])
  for (const specifier of specifiers) {
    // `import * as v` has no imported name, and reaches all of them.
    if (specifier['imported'] === undefined || found.has(nameOf(specifier['imported'])))
      found.add(nameOf(specifier['local']))
  }
  for (const { type, id, init } of nodes) {
    if (type === 'VariableDeclarator' && (id as Node).type === 'Identifier' && found.has(nameOf(rootOf(init))))
      found.add(nameOf(id))
  }
  return found
}

function problem(source: Source, node: Node, message: string): Problem {
  return { path: source.path, line: source.lineOf(node), rule: 'test-honesty', message }
}

function objection(node: Node, names: Names): string | undefined {
  if (takes(node, names.mockers, /^(mock|doMock)$/)) {
    return 'vi.mock replaces a module behind its back. Pass an in-memory fake of the port instead.'
  }
  if (takes(node, names.tests, leavingOut) || hasLeavingOption(node, names.tests)) {
    return 'leaves tests out silently. Make it run, delete it, or call `ctx.skip(condition, "reason")` inside the test.'
  }
  if (isUnexplainedSkip(node)) return 'skips without a reason. Write `ctx.skip(condition, "reason")`.'
  return undefined
}

/** `test.skip`, also in a longer chain such as `test.skip.each`, `test['skip']`, and `const { skip } = test`. */
function takes(node: Node, objects: ReadonlySet<string>, property: RegExp): boolean {
  if (node.type === 'MemberExpression') return isMember(node, objects, property)
  if (node.type !== 'VariableDeclarator' || !objects.has(nameOf(rootOf(node['init'])))) return false
  const { properties } = node['id'] as { properties?: readonly Node[] }
  return (properties ?? []).some(({ key }) => property.test(nameOf(key)))
}

function isMember(node: Node, objects: ReadonlySet<string>, property: RegExp): boolean {
  return (
    node.type === 'MemberExpression' && property.test(nameOf(node['property'])) && objects.has(nameOf(rootOf(node)))
  )
}

/** `test('…', { skip: true }, …)`. */
function hasLeavingOption(node: Node, tests: ReadonlySet<string>): boolean {
  if (node.type !== 'CallExpression' || !tests.has(nameOf(rootOf(node['callee'])))) return false
  return (node['arguments'] as Node[])
    .filter((argument) => argument.type === 'ObjectExpression')
    .flatMap((argument) => argument['properties'] as Node[])
    .some((property) => leavingOut.test(nameOf(property['key'])))
}

function isUnexplainedSkip(node: Node): boolean {
  if (node.type !== 'CallExpression') return false
  const callee = node['callee'] as Node
  const isSkip = nameOf(callee) === 'skip' || isMember(callee, contexts, /^skip$/)
  if (!isSkip) return false
  return !(node['arguments'] as Node[]).some(
    (argument) => argument.type === 'TemplateLiteral' || typeof argument['value'] === 'string',
  )
}

/** What a chain of members, calls and casts begins with. */
function rootOf(node: unknown): unknown {
  const { type, object, callee, expression } = (node ?? {}) as Partial<Node>
  if (type === 'MemberExpression') return rootOf(object)
  if (type === 'CallExpression') return rootOf(callee)
  return expression === undefined ? node : rootOf(expression)
}
