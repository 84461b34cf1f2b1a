/** A daemon that is killed before a text of a task is written: the journal holds it, and the next one writes it. */
import { expect, test } from 'vitest'
import { quiet } from '../fakes/virtual-clock.ts'
import { House } from '../nights/house.ts'

const PROMPT = 'Repair the login, and say what it was.'

test('killed before the file is written, at the start and when it was heard: nothing is lost', async () => {
  const house = new House()
  house.confirms = true
  await house.boot()
  const write = house.taskTexts.keep.bind(house.taskTexts)
  const never = () => new Promise<void>(() => {})
  house.taskTexts.keep = never
  await house.spawn('agent-1', 'sonnet', { prompt: PROMPT })
  await house.wait(60_000)
  await house.submit({ type: 'agent.message', agent: 'agent-1', text: 'x'.repeat(5000) })
  await house.wait(60_000)
  expect(house.loop.world.agents.get('agent-1')).toMatchObject({
    messages: [{ state: 'heard', text: 'x'.repeat(5000) }],
  })
  expect(house.taskTexts.files.size).toBe(0)

  house.crash()
  house.taskTexts.keep = write
  await house.boot()
  await quiet()
  expect([...house.taskTexts.files.values()]).toEqual([PROMPT, 'x'.repeat(5000)])
  const { task, messages } = house.loop.world.agents.get('agent-1') ?? {}
  expect(task?.map(({ beginning, whole }) => [beginning, whole])).toEqual([
    [PROMPT, undefined],
    ['x'.repeat(200), undefined],
  ])
  expect(messages).toMatchObject([{ cut: true, text: 'x'.repeat(200) }])
})
