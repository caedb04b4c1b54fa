import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { ChangesButton } from '#page/changes/changes-panel.tsx';
import type { DraftEditor } from '#page/core/draft-editor.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { mayDiscard } from '#page/parts/use-editing.ts';
import { WriteButton } from '#page/parts/write-button.tsx';
import { DeleteButton } from './deletion.tsx';

interface EditorHeadProps<Content> {
	readonly editor: DraftEditor<Content>;
	/** The title and the version of the item. */
	readonly children: ComponentChildren;
	/** A sentence about the last act, shown before the buttons. Without it, the title says what is being saved. */
	readonly announcement?: string;
	/** The words on the button that saves. */
	readonly label?: string;
	/** Whether something is to be corrected before a save. By default, whether a problem is shown. */
	readonly isWrong?: boolean;
	/** Whether the changes of the item are shown. Without it, there is no button for them. */
	readonly showsChanges?: Signal<boolean>;
	/** Whether somebody is asked whether to delete the item. Without it, there is no button for that. */
	readonly isDeleting?: Signal<boolean>;
	/** Leaves the editor, after the person has discarded the draft. Without it, the editor stays, with the stored item. */
	readonly onLeave?: () => void;
	/** Null for a person who may only look: then nothing can be deleted or discarded, either. */
	readonly onSave: (() => void) | null;
}

/** The head of an editor: the title, and the buttons for the whole item. A new item can be saved unchanged. */
export function EditorHead<Content>(props: EditorHeadProps<Content>) {
	const { editor, children, announcement, label = commonText().save, showsChanges, isDeleting, onLeave, onSave } = props;
	const { isWrong = editor.shownProblems.value.size > 0 } = props;
	const isStored = editor.base.value.version !== null;
	const isChanged = editor.isChanged.value;
	const discard = (): void => {
		if (onLeave !== undefined && !mayDiscard(editor)) return;
		editor.discard();
		onLeave?.();
	};
	return (
		<div class="head">
			{children}
			<div class="actions">
				{announcement !== undefined && <SavingStatus editor={editor} announcement={announcement} />}
				{isStored && showsChanges !== undefined && <ChangesButton isOpen={showsChanges} />}
				{onSave !== null && (
					<>
						{isStored && isDeleting !== undefined && <DeleteButton isDeleting={isDeleting} />}
						<Button disabled={editor.isSaving.value || (onLeave === undefined && !isChanged)} onClick={discard}>
							{commonText().discard}
						</Button>
						<WriteButton
							look="primary"
							aria-disabled={isWrong || editor.isSaving.value || !editor.isUnsaved.value}
							onClick={onSave}
						>
							{label}
						</WriteButton>
					</>
				)}
			</div>
		</div>
	);
}

/** Says that a save runs, what was done last, or how many fields are wrong. */
function SavingStatus<Content>({ editor, announcement = '' }: Pick<EditorHeadProps<Content>, 'editor' | 'announcement'>) {
	const wrongCount = editor.shownProblems.value.size;
	const isSaving = editor.isSaving.value;
	return (
		<span class={wrongCount === 0 && announcement === '' && !isSaving ? 'sr' : 'muted'} role="status">
			{isSaving ? commonText().saving : announcement}
			{editor.hasTried.value && wrongCount > 0 && <span class="fault"> {commonText().fieldsWrong(wrongCount)}</span>}
		</span>
	);
}
