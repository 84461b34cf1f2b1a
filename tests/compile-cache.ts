/** Programs that tests start from their sources are compiled once, and not at every start. */
import { join } from 'node:path'

export const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(import.meta.dirname, '../node_modules/.cache/compile') }
