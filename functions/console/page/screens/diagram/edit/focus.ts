/** Moves the focus to a symbol, after the symbol has been drawn. */
export function focusEntry(id: number | null | undefined): void {
	requestAnimationFrame(() => document.querySelector<HTMLElement>(`.editing [data-entry="${id}"]`)?.focus());
}

/** Moves the focus to the first field beside the drawing. */
export function focusForm(): void {
	requestAnimationFrame(() => document.querySelector<HTMLElement>('.edit-side :is(input, select)')?.focus());
}

/** Moves the focus to the drawing, after the element that had it was removed. */
export function focusDrawing(): void {
	document.querySelector<HTMLElement>('.editing')?.focus();
}
