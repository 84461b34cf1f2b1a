/** Lets at most so many works run at once; the others wait, in their order. */
export function atMost(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    running += 1
    try {
      return await work()
    } finally {
      running -= 1
      waiting.shift()?.()
    }
  }
  return (work) => {
    if (running < limit) return run(work)
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.push(resolve)
    return promise.then(() => run(work))
  }
}
