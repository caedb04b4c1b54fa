import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { commonText } from '#page/i18n/common.ts';
import { areAtFields } from '#page/parts/problem-paths.ts';
import { Problems } from '#page/parts/problems.tsx';
import { lazyScreen } from '#page/shell/lazy-screen.tsx';
import type { ConflictProps } from './conflict-dialog.tsx';
import type { EditedKind } from './item-kinds.ts';

interface EditorFrameProps<Kind extends EditedKind> extends ConflictProps<Kind> {
	readonly head: ComponentChildren;
	/** Whether a problem belongs to a field, which shows it. Without this function, every refusal is also said below the head. */
	readonly isFieldPath?: (path: string) => boolean;
	/** Says that nothing was saved, when the service gave no reason. */
	readonly notSaved?: string;
	readonly children: ComponentChildren;
}

/** What every editor of an item shows: its head, why a save failed, its fields, and the dialog of a conflict. */
export function EditorFrame<Kind extends EditedKind>({
	head,
	isFieldPath = () => false,
	notSaved = commonText().notSavedButKept,
	children,
	...conflict
}: EditorFrameProps<Kind>) {
	const failure = conflict.editor.failure.value;
	return (
		<>
			{head}
			{failure !== null && !areAtFields(failure, isFieldPath) && <Problems failure={failure} fallback={notSaved} />}
			{children}
			<EditorConflict {...conflict} />
		</>
	);
}

/** Says that somebody else saved or deleted the edited item meanwhile. The dialog is loaded with the first conflict. */
export function EditorConflict<Kind extends EditedKind>(props: ConflictProps<Kind>) {
	const Conflict = useMemo(
		() => lazyScreen(async () => (await import('./conflict-dialog.tsx')).loadConflictDialog(props.kind)),
		[props.kind],
	);
	return props.editor.theirs.value === null ? null : <Conflict {...props} />;
}
