/** How an understudy takes an order to save its state or to write down where it stands, and a prompt to go on with. */
import { obeyed } from '../../../core/handoffs/orders.ts'
import type { Step } from './script.ts'

/** Before what the script plans; a turn in which it only saves ends there. */
export function handoffSteps(text: string, on: 'obey' | 'half'): Step[] {
  const document = obeyed(text, 'the next part')
  if (document !== undefined) {
    const written = on === 'half' ? document.text.slice(0, document.text.length / 2) : document.text
    return [
      { do: 'edit', file: document.path, text: written },
      { do: 'stop', background: 0, ms: 0 },
    ]
  }
  if (/^\W*Cloister: .{1,120} goes on with your work/.test(text)) {
    const state = '# State\n\n## Done\n- some parts\n\n## Next Steps\n1. the next part\n'
    return [
      { do: 'edit', file: '.planning/STATE.md', text: state },
      { do: 'stop', background: 0, ms: 0 },
    ]
  }
  const [, mark] = /(CLOISTER-NEXT [A-Za-z0-9]+) \| <current task>/.exec(text) ?? []
  if (mark === undefined) return []
  const command = `echo "${mark} | its parts | go on with the next part"`
  return [
    {
      do: 'tool',
      call: { tool: 'Bash', input: { command, description: 'Say it' } },
      ms: 100,
      cpu: false,
      fails: false,
    },
  ]
}
