import { useLayoutEffect } from 'preact/hooks';
import type { DraftEditor } from '#page/core/draft-editor.ts';
import { canWrite } from '#page/core/poll.ts';
import { leaveGuard } from '#page/core/route.ts';
import { useShortcuts } from '#page/core/shortcuts.ts';
import { commonText } from '#page/i18n/common.ts';

/** What follows a save. */
export interface Editing {
	readonly onSaved: () => Promise<void> | void;
	/** Called where something is wrong: moves the focus there. */
	readonly onFault?: () => void;
	/** Whether there is anything to save. Always without it. */
	readonly canSave?: () => boolean;
	/** Says what Ctrl+S saves. */
	readonly label?: string;
}

/**
 * While an editor is on the screen: leaving with changes asks first, and Ctrl+S saves. Returns what saves, for the button. It does
 * nothing while nothing can be written.
 */
export function useEditing<Content>(
	editor: DraftEditor<Content>,
	{ onSaved, onFault, canSave = () => true, label = commonText().save }: Editing,
): () => Promise<void> {
	useLeaveGuard(() => editor.isChanged.value);
	const save = async (): Promise<void> => {
		if (!canWrite.value.ok || !canSave()) return;
		const outcome = await editor.save();
		if (outcome === 'saved') await onSaved();
		else if (editor.problems.value.size > 0) onFault?.();
	};
	useShortcuts([{ key: 'Ctrl+s', label, run: () => void save() }]);
	return save;
}

/** While the component is on the screen, leaving asks first where something would be lost. `isChanged` is called when somebody is about to leave. */
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

/** Moves the focus to the first field that is wrong, once the page says what is wrong. */
export function focusFirstFault(form: HTMLElement | null): void {
	requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
}

/** Returns whether what is changed may be discarded. */
export function mayDiscard({ isChanged }: { readonly isChanged: { readonly value: boolean } }): boolean {
	return !isChanged.value || confirm(commonText().discardAsk);
}
