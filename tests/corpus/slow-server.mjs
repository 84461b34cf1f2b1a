/** A server of one tool that takes as long as it is told to. */
let rest = ''
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const tool = { name: 'wait', description: 'waits', inputSchema: { type: 'object', properties: {} } }

function answer({ id, method, params }) {
  if (id === undefined) return
  if (method === 'initialize') {
    const serverInfo = { name: 'slow', version: '1' }
    send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } })
  } else if (method === 'tools/list') send({ id, result: { tools: [tool] } })
  else if (method === 'tools/call') {
    const ms = 1000 * Number(params.arguments.seconds)
    setTimeout(() => send({ id, result: { content: [{ type: 'text', text: 'waited' }] } }), ms)
  } else send({ id, result: {} })
}

process.stdin.setEncoding('utf8').on('data', (text) => {
  const lines = (rest + text).split('\n')
  rest = lines.pop() ?? ''
  for (const line of lines) if (line.trim() !== '') answer(JSON.parse(line))
})
