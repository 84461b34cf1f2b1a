/** The live terminal alone in a page, for the browser tests. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { ConfirmProvider } from '../../../../dashboard/src/parts/confirm.tsx'
import { LiveTerminal } from '../../../../dashboard/src/parts/terminal/live-terminal.tsx'
import './page.css'

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no root.')
createRoot(root).render(
  <QueryClientProvider client={new QueryClient()}>
    <ConfirmProvider>
      <h1>A terminal</h1>
      <LiveTerminal agent="agent-1" />
    </ConfirmProvider>
  </QueryClientProvider>,
)
