/** Where the row of a key is found: open addressing, two numbers a slot, the row or -1 and a part of its key. */
export function emptySlots(rows: number): Int32Array {
  let slots = 1024
  while (slots < rows * 2) slots *= 2
  return new Int32Array(slots * 2).fill(-1)
}

/** At most four fifths of the slots are to be taken: they are read and checked at every start. */
export function isFull(slots: Int32Array, rows: number): boolean {
  return rows * 5 > slots.length * 2
}

export function firstSlot(slots: Int32Array, a: number, b: number): number {
  return ((a ^ Math.imul(b, 0x9e3779b1)) << 1) & (slots.length - 2)
}

export function nextSlot(slots: Int32Array, slot: number): number {
  return (slot + 2) & (slots.length - 2)
}

/** For the row that lies there, whose key has none yet. */
export function putRow(slots: Int32Array, rows: Uint32Array, { at, row }: { at: number; row: number }): void {
  let slot = firstSlot(slots, rows[at] ?? 0, rows[at + 1] ?? 0)
  while ((slots[slot] ?? -1) >= 0) slot = nextSlot(slots, slot)
  slots[slot] = row
  slots[slot + 1] = (rows[at + 2] ?? 0) | 0
}
