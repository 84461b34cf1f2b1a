/**
 * Assembles the text form of WebAssembly, as much of it as the project's own sources use: one memory, functions,
 * globals and data, and instructions in their folded form. What it does not know it refuses by name.
 */
export function assembleWat(text: string): Uint8Array {
  const [module] = parse(text)
  if (!Array.isArray(module) || module[0] !== 'module') throw new Error('The text has no (module …).')
  const parts = module.slice(1).map(listOf)
  const of = (kind: string) => parts.filter(([name]) => name === kind)
  const odd = parts.find(([name]) => !['func', 'memory', 'global', 'data'].includes(String(name)))
  if (odd !== undefined) throw new Error(`Cannot assemble (${String(odd[0])} …).`)
  const functions = of('func').map(functionOf)
  const names: Names = {
    functions: functions.map(({ name }) => name),
    globals: of('global').map(([, name]) => String(name)),
  }
  const types = [...new Set(functions.map(({ type }) => type.join()))]
  const exported = [
    ...of('memory').flatMap((memory) => exportsOf(memory, 2, 0)),
    ...functions.flatMap(({ node }, number) => exportsOf(node, 0, number)),
  ]
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(
      1,
      types.map((type) => type.split(',').map(Number)),
    ),
    ...section(
      3,
      functions.map(({ type }) => unsigned(types.indexOf(type.join()))),
    ),
    ...section(
      5,
      of('memory').map((memory) => [0x00, ...unsigned(Number(memory.at(-1)))]),
    ),
    ...section(6, of('global').map(globalOf)),
    ...section(7, exported),
    ...section(
      10,
      functions.map((one) => bodyOf(one, names)),
    ),
    ...section(11, of('data').map(dataOf)),
  ])
}

type Node = string | Node[]

interface Names {
  functions: readonly string[]
  globals: readonly string[]
}

interface Function {
  node: Node[]
  name: string
  type: number[]
  locals: string[]
  params: number
}

const TYPES: Readonly<Record<string, number>> = { i32: 0x7f, i64: 0x7e, v128: 0x7b }

/** Comments go to the end of a line; a text keeps its quotes. */
function parse(text: string): Node[] {
  const open: Node[][] = [[]]
  for (const [token] of text.matchAll(/;;[^\n]*|"[^"]*"|[()]|[^\s()"]+/g)) {
    if (token.startsWith(';;')) continue
    if (token === '(') open.push([])
    else if (token === ')') {
      const closed = open.pop()
      open.at(-1)?.push(closed ?? [])
    } else open.at(-1)?.push(token)
  }
  return open[0] ?? []
}

function listOf(node: Node): Node[] {
  if (Array.isArray(node)) return node
  throw new Error(`Expected a list, found ${node}.`)
}

function functionOf(node: Node[]): Function {
  const heads = (kind: string) => node.filter((part): part is Node[] => Array.isArray(part) && part[0] === kind)
  const params = heads('param')
  const typeOf = (part: Node[]) => TYPES[String(part.at(-1))] ?? 0
  const results = heads('result').map(typeOf)
  return {
    node,
    name: typeof node[1] === 'string' ? node[1] : '',
    type: [0x60, params.length, ...params.map(typeOf), results.length, ...results],
    locals: [...params, ...heads('local')].map((part) => String(part[1])),
    params: params.length,
  }
}

function exportsOf(node: Node[], kind: number, number: number): number[][] {
  const given = node.filter((part): part is Node[] => Array.isArray(part) && part[0] === 'export')
  return given.map(([, name]) => [...vector(textOf(name)), kind, ...unsigned(number)])
}

function globalOf([, , type, first]: Node[]): number[] {
  const [isMutable, kind] = Array.isArray(type) ? [1, type[1]] : [0, type]
  return [TYPES[String(kind)] ?? 0, isMutable, 0x41, ...signed(BigInt(String(listOf(first ?? [])[1]))), 0x0b]
}

function dataOf([, at, text]: Node[]): number[] {
  return [0x00, 0x41, ...signed(BigInt(String(listOf(at ?? [])[1]))), 0x0b, ...vector(textOf(text))]
}

const HEADS = ['export', 'param', 'result', 'local']

function bodyOf({ node, locals, params }: Function, names: Names): number[] {
  const declared = node.filter((part): part is Node[] => Array.isArray(part) && part[0] === 'local')
  const types = declared.map((part) => [1, TYPES[String(part[2])] ?? 0])
  const code = node.slice(1).filter((part) => Array.isArray(part) && !HEADS.includes(String(part[0])))
  if (types.length !== locals.length - params) throw new Error('Each local needs a list of its own.')
  const scope: Scope = { ...names, locals, labels: [] }
  return vector([...unsigned(types.length), ...types.flat(), ...code.flatMap((part) => instruction(part, scope)), 0x0b])
}

interface Scope extends Names {
  locals: readonly string[]
  /** The innermost first. */
  labels: readonly string[]
}

function instruction(node: Node, scope: Scope): number[] {
  const [name, ...rest] = listOf(node).map((part) => part)
  const operator = String(name)
  if (operator === 'block' || operator === 'loop') return blockOf(operator, rest, scope)
  if (operator === 'if') return ifOf(rest, scope)
  const operands = rest.filter((part) => Array.isArray(part)).flatMap((part) => instruction(part, scope))
  const immediates = rest.filter((part): part is string => !Array.isArray(part))
  return [...operands, ...encoded(operator, immediates, scope)]
}

function blockOf(operator: string, [label, ...rest]: Node[], scope: Scope): number[] {
  const inner = { ...scope, labels: [String(label), ...scope.labels] }
  return [operator === 'block' ? 0x02 : 0x03, 0x40, ...rest.flatMap((part) => instruction(part, inner)), 0x0b]
}

function ifOf([condition, ...branches]: Node[], scope: Scope): number[] {
  const inner = { ...scope, labels: ['', ...scope.labels] }
  const [then, otherwise] = branches.map((branch) => listOf(branch).slice(1))
  const code = (parts: Node[] | undefined) => (parts ?? []).flatMap((part) => instruction(part, inner))
  const alternative = otherwise === undefined ? [] : [0x05, ...code(otherwise)]
  return [...instruction(condition ?? [], scope), 0x04, 0x40, ...code(then), ...alternative, 0x0b]
}

function encoded(operator: string, immediates: readonly string[], scope: Scope): number[] {
  const [first = ''] = immediates
  const plain = PLAIN[operator]
  if (plain !== undefined) return [...plain]
  const access = ACCESS[operator]
  if (access !== undefined) return [...access, 0x00, ...unsigned(Number(/^offset=(\d+)$/.exec(first)?.[1] ?? 0))]
  const named = NAMED[operator]
  if (named !== undefined) {
    const number = scope[named.among].indexOf(first)
    if (number < 0) throw new Error(`${operator} names ${first}, which is unknown here.`)
    return [named.code, ...unsigned(number)]
  }
  if (operator === 'i32x4.extract_lane') return [0xfd, 0x1b, Number(first)]
  if (operator === 'i32.const') return [0x41, ...signed(BigInt.asIntN(32, BigInt(first)))]
  if (operator === 'i64.const') return [0x42, ...signed(BigInt.asIntN(64, BigInt(first)))]
  throw new Error(`Cannot assemble ${operator}.`)
}

const NAMED: Readonly<Record<string, { code: number; among: keyof Scope }>> = {
  'local.get': { code: 0x20, among: 'locals' },
  'local.set': { code: 0x21, among: 'locals' },
  'global.get': { code: 0x23, among: 'globals' },
  'global.set': { code: 0x24, among: 'globals' },
  call: { code: 0x10, among: 'functions' },
  br: { code: 0x0c, among: 'labels' },
  br_if: { code: 0x0d, among: 'labels' },
}

/** With an offset; aligned as it may be, which is always allowed. */
const ACCESS: Readonly<Record<string, readonly number[]>> = {
  'i32.load': [0x28],
  'i64.load': [0x29],
  'i32.load8_u': [0x2d],
  'i32.store': [0x36],
  'i64.store': [0x37],
  'i32.store8': [0x3a],
  'v128.load': [0xfd, 0x00],
}

const PLAIN: Readonly<Record<string, readonly number[]>> = {
  unreachable: [0x00],
  return: [0x0f],
  drop: [0x1a],
  select: [0x1b],
  'memory.copy': [0xfc, 0x0a, 0x00, 0x00],
  'memory.fill': [0xfc, 0x0b, 0x00],
  'i32.eqz': [0x45],
  'i32.eq': [0x46],
  'i32.ne': [0x47],
  'i32.lt_u': [0x49],
  'i32.gt_u': [0x4b],
  'i32.le_u': [0x4d],
  'i32.ge_u': [0x4f],
  'i64.eq': [0x51],
  'i64.ne': [0x52],
  'i32.ctz': [0x68],
  'i32.add': [0x6a],
  'i32.sub': [0x6b],
  'i32.mul': [0x6c],
  'i32.div_u': [0x6e],
  'i32.and': [0x71],
  'i32.or': [0x72],
  'i32.xor': [0x73],
  'i32.shl': [0x74],
  'i32.shr_u': [0x76],
  'i32.rotl': [0x77],
  'i64.and': [0x83],
  'i8x16.splat': [0xfd, 0x0f],
  'i8x16.eq': [0xfd, 0x23],
  'i8x16.lt_u': [0xfd, 0x26],
  'i8x16.bitmask': [0xfd, 0x64],
  'v128.and': [0xfd, 0x4e],
  'v128.or': [0xfd, 0x50],
  'v128.xor': [0xfd, 0x51],
  'i32x4.splat': [0xfd, 0x11],
  'i32x4.shl': [0xfd, 0xab, 0x01],
  'i32x4.shr_u': [0xfd, 0xad, 0x01],
  'i32x4.mul': [0xfd, 0xb5, 0x01],
}

/** `\2a` is a byte. */
function textOf(node: Node | undefined): number[] {
  const text = String(node).slice(1, -1)
  const bytes = text.replaceAll(/\\([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return [...Buffer.from(bytes, 'latin1')]
}

function section(number: number, items: readonly (readonly number[])[]): number[] {
  return items.length === 0 ? [] : [number, ...vector([...unsigned(items.length), ...items.flat()])]
}

function vector(bytes: readonly number[]): number[] {
  return [...unsigned(bytes.length), ...bytes]
}

function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]
}

function signed(value: bigint): number[] {
  const low = Number(value & 0x7fn)
  const rest = value >> 7n
  const isLast = (rest === 0n && low < 0x40) || (rest === -1n && low >= 0x40)
  return isLast ? [low] : [low | 0x80, ...signed(rest)]
}
