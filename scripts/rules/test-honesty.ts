/** Tests use fakes, and none is left out without a reason that is printed. */
import type { Node, Problem, Source, SourceTree } from './source-tree.ts'

const testFunctions = /^(test|it|describe|suite|bench)$/
const leavingOut = /^(skip|todo|only|skipIf|runIf)$/

export function testHonesty(tree: SourceTree): Problem[] {
  return tree.sources
    .filter((source) => source.isTest)
    .flatMap((source) =>
      source.nodes.flatMap((node) => {
        const message = objection(node)
        return message === undefined ? [] : [problem(source, node, message)]
      }),
    )
}

function problem(source: Source, node: Node, message: string): Problem {
  return { path: source.path, line: source.lineOf(node), rule: 'test-honesty', message }
}

function objection(node: Node): string | undefined {
  if (isMember(node, /^(vi|vitest)$/, /^(mock|doMock)$/)) {
    return 'vi.mock replaces a module behind its back. Pass an in-memory fake of the port instead.'
  }
  if (isMember(node, testFunctions, leavingOut) || hasLeavingOption(node)) {
    return 'leaves tests out silently. Make it run, delete it, or call `ctx.skip(condition, "reason")` inside the test.'
  }
  if (isUnexplainedSkip(node)) return 'skips without a reason. Write `ctx.skip(condition, "reason")`.'
  return undefined
}

/** `test.skip`, also at the start of a longer chain such as `test.skip.each`. */
function isMember(node: Node, object: RegExp, property: RegExp): boolean {
  if (node.type !== 'MemberExpression' || !property.test(nameOf(node['property']))) return false
  return object.test(nameOf(rootOf(node)))
}

/** `test('…', { skip: true }, …)`. */
function hasLeavingOption(node: Node): boolean {
  if (node.type !== 'CallExpression' || !testFunctions.test(nameOf(rootOf(node['callee'])))) return false
  return (node['arguments'] as Node[])
    .filter((argument) => argument.type === 'ObjectExpression')
    .flatMap((argument) => argument['properties'] as Node[])
    .some((property) => leavingOut.test(nameOf(property['key'])))
}

function isUnexplainedSkip(node: Node): boolean {
  if (node.type !== 'CallExpression') return false
  const callee = node['callee'] as Node
  const isSkip = nameOf(callee) === 'skip' || isMember(callee, /^(ctx|context|task|t)$/, /^skip$/)
  if (!isSkip) return false
  return !(node['arguments'] as Node[]).some(
    (argument) => argument.type === 'TemplateLiteral' || typeof argument['value'] === 'string',
  )
}

function rootOf(node: unknown): unknown {
  const { type, object, callee } = node as Partial<Record<'type' | 'object' | 'callee', unknown>>
  if (type === 'MemberExpression') return rootOf(object)
  if (type === 'CallExpression') return rootOf(callee)
  return node
}

function nameOf(node: unknown): string {
  return String((node as { name?: unknown } | undefined)?.name)
}
