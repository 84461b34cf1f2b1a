/** Addresses that are no routes of the table, because they answer with something else than one JSON text. */
const REF = '#/components/schemas/'
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }
const refused = { $ref: '#/components/responses/unauthorized' }

export const OTHER_PATHS = {
  '/healthz': {
    get: {
      operationId: 'getHealthz',
      summary: 'Whether the daemon answers; asks for no token.',
      tags: ['daemon'],
      security: [],
      responses: { 200: { description: 'It does.', content: { 'application/json': { schema: { type: 'object' } } } } },
    },
  },
  '/metrics': {
    get: {
      operationId: 'getMetrics',
      summary: 'Counters and gauges for Prometheus.',
      tags: ['daemon'],
      responses: { 200: { description: 'As text.', content: { 'text/plain': {} } }, 401: refused },
    },
  },
  '/api/stream': {
    get: {
      operationId: 'getStream',
      summary:
        'All state as server-sent events; `id` is the seq of the journal. The first message is a `snapshot`, or with ' +
        'Last-Event-ID a `change` with what was missed; the last one is a `bye` with the reason.',
      tags: ['stream'],
      parameters: [{ name: 'Last-Event-ID', in: 'header', schema: { type: 'string' } }],
      responses: {
        200: {
          description: 'Each `data` is one of these, as the name of its event says.',
          content: {
            'text/event-stream': {
              schema: {
                oneOf: ['StreamSnapshot', 'StreamChange', 'StreamBye'].map((name) => ({ $ref: REF + name })),
              },
            },
          },
        },
        401: refused,
      },
    },
  },
  '/api/agents/{id}/terminal': {
    get: {
      operationId: 'getAgentsTerminal',
      summary:
        'WebSocket with the subprotocols `cloister.terminal` and `token.<token>`: the live terminal, read-only until it ' +
        'is taken over. Binary frames are what the pane prints; text frames are TerminalFromServer and TerminalFromClient.',
      tags: ['agents'],
      parameters: [id],
      responses: { 101: { description: 'The terminal follows.' }, 401: refused },
    },
  },
}
