/** Which address shows which page; each page is loaded when it is first opened, and its filters are in the address. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { Loading } from './parts/notice.tsx'
import { readAgentsSearch, readHandoffsSearch, readOverviewSearch } from './search.ts'
import { Shell } from './shell.tsx'
import { Broken } from './broken.tsx'
import { Lost } from './lost.tsx'

const root = createRootRoute({ component: Shell, notFoundComponent: Lost })

const overview = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: readOverviewSearch,
  component: lazyRouteComponent(() => import('./features/overview/page.tsx'), 'OverviewPage'),
})

const agents = createRoute({
  getParentRoute: () => root,
  path: '/agents',
  validateSearch: readAgentsSearch,
  component: lazyRouteComponent(() => import('./features/agents/page.tsx'), 'AgentsPage'),
})

const agent = createRoute({
  getParentRoute: () => root,
  path: '/agents/$id',
  component: lazyRouteComponent(() => import('./features/agent/page.tsx'), 'AgentPage'),
})

const handoffs = createRoute({
  getParentRoute: () => root,
  path: '/handoffs',
  validateSearch: readHandoffsSearch,
  component: lazyRouteComponent(() => import('./features/handoffs/page.tsx'), 'HandoffsPage'),
})

const inbox = createRoute({
  getParentRoute: () => root,
  path: '/inbox',
  component: lazyRouteComponent(() => import('./features/inbox/page.tsx'), 'InboxPage'),
})

const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyRouteComponent(() => import('./features/settings/page.tsx'), 'SettingsPage'),
})

export const router = createRouter({
  routeTree: root.addChildren([overview, agents, agent, handoffs, inbox, settings]),
  scrollRestoration: true,
  defaultErrorComponent: Broken,
  defaultPendingComponent: () => <Loading what="the page" />,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
