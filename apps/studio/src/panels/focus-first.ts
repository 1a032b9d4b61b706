/** Puts the focus on what one came for, else on nothing: a ring round the cross says that closing is what one came for, and the hint of a button covers what was opened. */
export function focusFirst(event: Event): void {
  const sheet = event.currentTarget as HTMLElement;
  event.preventDefault();
  (sheet.querySelector<HTMLElement>('.sheet-foot .primary:enabled') ?? sheet).focus();
}
