/** For a page that could not be drawn: a fault of ours, said as one. */
import { Button } from './parts/button.tsx'
import { Empty } from './parts/notice.tsx'

export function Broken({ error }: { error: unknown }) {
  return (
    <div role="alert">
      <Empty isPage title="This page could not be shown.">
        <p className="wrap-anywhere">
          {error instanceof Error ? error.message : String(error)}. Your agents are not concerned; `pan status` shows
          them in a terminal, too.
        </p>
        <Button onClick={() => location.reload()}>Load it again</Button>
      </Empty>
    </div>
  )
}
