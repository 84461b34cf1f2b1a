/** Starts the dashboard in the page: first the code of a login link leaves the address, then everything is drawn. */
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { startLive } from './live/store.ts'
import './styles.css'

const root = document.getElementById('root')
if (root === null) throw new Error('Could not start the dashboard: index.html has no element with the id «root».')

void startLive()
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
