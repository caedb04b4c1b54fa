/** Whether a key was pressed together with one that makes it a key of the browser, such as Alt+Left. */
export function hasModifier({ altKey, ctrlKey, metaKey }: Pick<KeyboardEvent, 'altKey' | 'ctrlKey' | 'metaKey'>): boolean {
	return altKey || ctrlKey || metaKey;
}
