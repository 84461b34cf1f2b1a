/** The rooms of the house and who may see whom; a test sees everything. */
import type { Import, Problem, SourceTree } from './source-tree.ts'

interface Room {
  sees: RegExp
  /** Seen by `import type` only. */
  seesTypesOf?: RegExp
  instead: string
  /** Packages that it may use, where not all are allowed; Node's own modules count as packages. */
  packages?: { allowed: RegExp; instead: string }
}

const rooms: Record<string, Room> = {
  'src/contract': {
    sees: /^src\/contract\//,
    instead: 'contract sees nothing but itself. Move what decides to core and what is stored or sent into contract.',
    packages: {
      allowed: /^zod(\/|$)/,
      instead: 'contract uses no package but zod. Describe the shape with zod, and let an adapter do the rest.',
    },
  },
  'src/core': {
    sees: /^src\/(contract|core)\//,
    instead: 'core sees contract only. Take the fact from the input, or name a port in src/core/ports.ts.',
    packages: {
      allowed: /^$/,
      instead: 'core uses no package. Write the few lines that are needed, or let an adapter do it behind a port.',
    },
  },
  'src/adapters': {
    sees: /^src\/(contract|core|adapters)\//,
    instead: 'adapters see core and contract. Let the daemon join them: it calls the adapter through a port.',
  },
  'src/api': {
    sees: /^src\/(contract\/|api\/|core\/views(\.ts$|\/))/,
    instead: 'api sees core views and contract. Shape the answer in src/core/views.ts, or let the daemon pass it in.',
  },
  'src/daemon': {
    sees: /^src\/(contract|core|api|adapters|daemon)\//,
    instead: 'daemon sees the server side only. Move what both need to contract.',
  },
  'src/cli': {
    sees: /^src\/(contract|cli)\//,
    seesTypesOf: /^src\/api\//,
    instead:
      'cli sees contract, and types of api. Ask the daemon through the API, or start a program under src/daemon/offline by path.',
  },
  'src/hook': {
    sees: /^src\/(contract\/|hook\/|adapters\/process\/)/,
    instead: 'hook programs stand alone. Keep what they need in src/hook; only src/adapters/process is shared.',
  },
  dashboard: {
    // Of contract the part that is free of schemas: a schema's code would bring all of zod to the browser.
    sees: /^(dashboard\/|src\/contract\/limit-sentence\.ts$)/,
    seesTypesOf: /^src\/(contract\/|api\/api-types\.ts$)/,
    instead:
      'dashboard sees types of contract and of src/api/api-types.ts. Use `import type`, or ask the daemon through the API.',
    packages: {
      allowed: /^(?!node:)/,
      instead: 'the dashboard runs in a browser, which has no module of Node. Ask the daemon through the API.',
    },
  },
}

export function roomImports(tree: SourceTree): Problem[] {
  return tree.sources
    .filter((source) => !source.isTest)
    .flatMap(({ path, imports }) =>
      imports.flatMap((found) => {
        const message = objection(path, found)
        const what = found.target ?? found.specifier
        return message === undefined
          ? []
          : [{ path, line: found.line, rule: 'room-imports', message: `imports ${what}: ${message}` }]
      }),
    )
}

function objection(path: string, { specifier, target, typeOnly }: Import): string | undefined {
  const room = Object.entries(rooms).find(([folder]) => path.startsWith(`${folder}/`))?.[1]
  if (room === undefined) return undefined
  if (target === undefined) return room.packages?.allowed.test(specifier) === false ? room.packages.instead : undefined
  if (!room.sees.test(target) && !(typeOnly && room.seesTypesOf?.test(target))) return room.instead
  return neighbours.find(({ isBroken }) => isBroken(path, target))?.instead
}

const neighbours: { isBroken: (path: string, target: string) => boolean; instead: string }[] = [
  {
    isBroken: (path, target) =>
      areStrangers(/^src\/adapters\/([^/]+)/, path, target) && !target.startsWith('src/adapters/process/'),
    instead: 'no adapter imports another (except process). Let the daemon join the two.',
  },
  {
    isBroken: (path, target) => areStrangers(/^src\/core\/policies\/([^/.]+)/, path, target),
    instead: 'no policy imports another. Move what both need to a file of its own in src/core.',
  },
  {
    isBroken: (path, target) => areStrangers(/^dashboard\/(?:src\/)?features\/([^/.]+)/, path, target),
    instead: 'no dashboard feature imports another. Move what both need out of features.',
  },
  {
    isBroken: (path, target) =>
      /^dashboard\/src\/(parts|live)\//.test(path) && target.startsWith('dashboard/src/features/'),
    instead: 'parts and live know no feature. Take what you need as a property, or move it into the feature.',
  },
  {
    isBroken: (path, target) => path.startsWith('dashboard/src/live/') && target.startsWith('dashboard/src/parts/'),
    instead: 'live brings data and draws nothing. Move what both need into dashboard/src/live.',
  },
  {
    isBroken: (path, target) =>
      /^src\/daemon\/(?!main\.ts$|offline\/)/.test(path) && target.startsWith('src/adapters/'),
    instead:
      'only src/daemon/main.ts and offline programs name adapters. Take a port from src/core/ports.ts as a parameter.',
  },
]

function areStrangers(family: RegExp, path: string, target: string): boolean {
  const [from, to] = [family.exec(path)?.[1], family.exec(target)?.[1]]
  return from !== undefined && to !== undefined && from !== to
}
