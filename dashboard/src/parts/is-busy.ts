/** Whether single keys must be left alone: somebody types, or a dialog is open. News at the edge are no dialog. */

export function isBusy(target: EventTarget | null): boolean {
  if (document.querySelector('[role=dialog]:not([data-news]), [role=alertdialog]:not([data-news])') !== null)
    return true
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable], .xterm') !== null
}
