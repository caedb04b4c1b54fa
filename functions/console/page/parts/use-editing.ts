import { useLayoutEffect } from 'preact/hooks';
import type { DraftEditor } from '#page/core/draft-editor.ts';
import { canWrite } from '#page/core/poll.ts';
import { leaveGuard } from '#page/core/route.ts';
import { sessionCheck } from '#page/core/session.ts';
import { useShortcuts } from '#page/core/shortcuts.ts';
import { commonText } from '#page/i18n/common.ts';

/** What an editor does after a save. */
export interface Editing {
	readonly onSaved: () => Promise<void> | void;
	/** Called when the draft has a problem. It moves the focus to the field. */
	readonly onFault?: () => void;
	/** The words for Ctrl+S in the list of keys. */
	readonly label?: string;
}

/**
 * While an editor is on the screen, leaving with changes asks first, and Ctrl+S saves. Returns the function that saves, for the button.
 * It does nothing while saving cannot work, or where nothing is unsaved.
 */
export function useEditing<Content>(
	editor: DraftEditor<Content>,
	{ onSaved, onFault, label = commonText().save }: Editing,
): () => Promise<void> {
	useLeaveGuard(() => editor.isChanged.value);
	const save = async (): Promise<void> => {
		if (!canWrite.value.ok || !editor.isUnsaved.value) return;
		const isSameSession = sessionCheck();
		const outcome = await editor.save();
		if (!isSameSession()) return;
		if (outcome === 'saved') await onSaved();
		else if (editor.problems.value.size > 0) onFault?.();
	};
	useShortcuts([{ key: 'Ctrl+s', label, run: () => void save() }]);
	return save;
}

/**
 * While the component is on the screen, leaving asks first if changes would be lost. `isChanged` is called when somebody is about to leave.
 * The function that the first rendering passes is kept.
 */
export function useLeaveGuard(isChanged: () => boolean): void {
	useLayoutEffect(() => {
		// A dialog may have an editor of its own, above an editor that stays open.
		const outer = leaveGuard.editor;
		leaveGuard.editor = { isChanged, ask: () => confirm(commonText().leave) };
		return () => {
			leaveGuard.editor = outer;
		};
	}, []);
}

/** Moves the focus to the first field with an error, after the errors have been rendered. */
export function focusFirstFault(form: HTMLElement | null): void {
	requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
}

/** Returns whether the draft may be discarded. It asks the person if there are changes. */
export function mayDiscard({ isChanged }: { readonly isChanged: { readonly value: boolean } }): boolean {
	return !isChanged.value || confirm(commonText().discardAsk);
}
