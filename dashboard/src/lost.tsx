/** For an address that leads nowhere. */
import { Link } from '@tanstack/react-router'
import { Empty } from './parts/notice.tsx'

export function Lost() {
  return (
    <Empty isPage title="There is no such page.">
      <Link to="/" className="text-accent underline">
        Go to the overview
      </Link>
    </Empty>
  )
}
