import { useLayoutEffect } from 'preact/hooks';
import type { DraftEditor } from '#page/core/draft-editor.ts';
import { leaveGuard } from '#page/core/route.ts';
import { useShortcuts } from '#page/core/shortcuts.ts';
import { commonText } from '#page/i18n/common.ts';

/** While an editor is on the screen: leaving with changes asks first, and Ctrl+S saves. `label` says what is saved. */
export function useEditing(
	{ isChanged }: Pick<DraftEditor<unknown>, 'isChanged'>,
	save: () => Promise<void>,
	label = commonText().save,
): void {
	useLayoutEffect(() => {
		leaveGuard.editor = { isChanged: () => isChanged.value, ask: () => confirm(commonText().leave) };
		return () => {
			leaveGuard.editor = null;
		};
	}, []);
	useShortcuts([{ key: 'Ctrl+s', label, run: () => void save() }]);
}

/** Moves the focus to the first field that is wrong, once the page says what is wrong. */
export function focusFirstFault(form: HTMLElement | null): void {
	requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
}

/** Returns whether what is changed may be discarded. */
export function mayDiscard({ isChanged }: Pick<DraftEditor<unknown>, 'isChanged'>): boolean {
	return !isChanged.value || confirm(commonText().discardAsk);
}
