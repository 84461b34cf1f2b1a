import { vi } from 'vitest'
import { lives } from '../../src/adapters/process/proc-stat.ts'
import { ProcessTrees } from '../../src/adapters/process/process-trees.ts'
import { releaseUnrecorded } from '../../src/adapters/process/sentinel.ts'
import { VirtualClock } from '../fakes/virtual-clock.ts'
import { VirtualFleet } from '../fakes/virtual-fleet.ts'
import { Trees, type Proc } from '../e2e/processes/trees.ts'
import { processesSuite, type TreeWish } from './processes-suite.ts'

const CHILDREN = `sleep 300 & say $!
  sleep 300 & say $!
  wait`
const STUBBORN = `trap '' TERM HUP
  sleep 300 & say $!
  while :; do wait; sleep 300; done`
const WORK = `i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done
  say $$; exec sleep 300`

processesSuite('Linux', () => {
  const trees = new Trees()
  const { home, homeId } = trees.home()
  const other = trees.home()
  const started = new Map<string, Proc[]>()
  const tagOf = ({ run, home: whose }: Pick<TreeWish, 'run' | 'home'>) =>
    `${whose === 'other' ? other.homeId : homeId}.${run}`
  const procsOf = (tree: Pick<TreeWish, 'run' | 'home'>) => started.get(tagOf(tree)) ?? []
  const add = async (tag: string, script: string, count: number) => {
    started.set(tag, [...(started.get(tag) ?? []), ...(await trees.start(tag, script, count))])
  }
  return {
    processes: new ProcessTrees({ home, homeId, askMs: 200, graceMs: 200, countMaxAgeMs: 0 }),
    start: (tree) => (tree.stubborn ? add(tagOf(tree), STUBBORN, 1) : add(tagOf(tree), CHILDREN, 2)),
    work: (run) => add(tagOf({ run }), WORK, 1),
    die: async (run) => {
      for (const { pid } of procsOf({ run })) process.kill(pid, 'SIGKILL')
      await vi.waitFor(() => {
        if (procsOf({ run }).some(lives)) throw new Error(`${run} still lives`)
      })
    },
    lives: (tree) => procsOf(tree).some(lives),
    resumeAside: () => releaseUnrecorded(home),
    remove: () => trees.remove(),
  }
})

processesSuite('in memory', () => {
  const clock = new VirtualClock(0)
  const homes = { ours: new VirtualFleet(clock), other: new VirtualFleet(clock) }
  const agentOf = ({ run, home = 'ours' }: Pick<TreeWish, 'run' | 'home'>) => homes[home].agent(`agent-of-${run}`)
  return {
    processes: homes.ours,
    start: async ({ run, home = 'ours' }) => {
      await homes[home].start({ agent: `agent-of-${run}`, generation: 1, run })
      agentOf({ run, home })?.silent({ rests: true })
    },
    work: async (run) => agentOf({ run })?.stirs(),
    die: async (run) => agentOf({ run })?.dies(),
    lives: (tree) => agentOf(tree)?.alive === true,
    resumeAside: async () => homes.ours.resumeUnrecorded(),
    remove: async () => {},
  }
})
