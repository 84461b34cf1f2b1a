/** What the two sides of a drill's clock agree on. */

/** Names the temporary home whose file moves the clock. */
export const DRILL_CLOCK = 'CLOISTER_DRILL_CLOCK'
export const CLOCK_FILE = 'drill-clock'
