/** Programs that tests start from their sources are compiled once, and not at every start (vitest.config.ts says where). */
const { NODE_COMPILE_CACHE } = process.env

export const COMPILE_CACHE = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }
