/** At once, then at most once in a pause; what came during the pause is done at its end. */
export function paced(work: () => void, pauseMs: number): { call: () => void; cancel: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isWanted = false
  const call = (): void => {
    if (timer !== undefined) {
      isWanted = true
      return
    }
    isWanted = false
    timer = setTimeout(() => {
      timer = undefined
      if (isWanted) call()
    }, pauseMs)
    work()
  }
  return { call, cancel: () => clearTimeout(timer) }
}
