/** What surrounds every page: queries, questions, news, router. */
import { Tooltip } from '@base-ui/react/tooltip'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { ConfirmProvider } from './parts/confirm.tsx'
import { ToastProvider } from './parts/toast.tsx'
import { router } from './router.tsx'

// State comes by the stream; a detail is asked for again only when an event says that it changed.
const queries = new QueryClient({
  defaultOptions: {
    queries: { staleTime: Infinity, refetchOnWindowFocus: false, refetchOnReconnect: false, retry: 1 },
  },
})

export function App() {
  return (
    <QueryClientProvider client={queries}>
      <Tooltip.Provider delay={400}>
        <ToastProvider>
          <ConfirmProvider>
            <RouterProvider router={router} />
          </ConfirmProvider>
        </ToastProvider>
      </Tooltip.Provider>
    </QueryClientProvider>
  )
}
