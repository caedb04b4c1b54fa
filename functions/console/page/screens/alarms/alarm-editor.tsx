import { useLayoutEffect, useRef } from 'preact/hooks';
import { readAlarms } from '#page/core/alarms.ts';
import { createDraftEditor, type DraftEditor, type Versioned } from '#page/core/draft-editor.ts';
import { canWrite } from '#page/core/poll.ts';
import { EditorFrame } from '#page/editing/editor-frame.tsx';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { focusFirstFault, mayDiscard, useEditing } from '#page/parts/use-editing.ts';
import { WriteButton } from '#page/parts/write-button.tsx';
import type { AlarmDraft } from './alarm-draft.ts';
import { AlarmFields } from './alarm-fields.tsx';
import { alarmRequests } from './alarm-requests.ts';
import { Backtest } from './backtest.tsx';
import { alarmText } from './texts.ts';
import { TypedCondition } from './typed-condition.tsx';

/** How the editing of an alarm has ended. */
export interface EditingOutcome {
	/** The id of the stored alarm; 0 if none is stored. */
	readonly id: number;
	readonly isSaved: boolean;
}

interface AlarmEditorProps {
	readonly stored: Versioned<AlarmDraft>;
	readonly onDone: (outcome: EditingOutcome) => void;
}

/** The editor of one alarm, with a back-test beside it. */
export function AlarmEditor({ stored, onDone }: AlarmEditorProps) {
	const editor = useRef(createDraftEditor(stored, alarmRequests)).current;
	const form = useRef<HTMLFormElement>(null);
	// A layout effect runs before anybody can act. Later, the focus would leave a field that somebody has chosen meanwhile.
	useLayoutEffect(() => {
		form.current?.querySelector<HTMLElement>('input')?.focus();
	}, []);

	const draft = editor.content.value;
	const problems = editor.shownProblems.value;
	const isLost = !canWrite.value.ok;
	const save = useEditing(editor, {
		onSaved: async () => {
			await readAlarms();
			onDone({ id: editor.base.value.content.id, isSaved: true });
		},
		onFault: () => focusFirstFault(form.current),
	});
	const discard = (): void => {
		if (!mayDiscard(editor)) return;
		editor.discard();
		onDone({ id: editor.base.value.content.id, isSaved: false });
	};

	const { version, content } = editor.base.value;
	return (
		<div class="alarm-editor">
			<form
				ref={form}
				class="panel form"
				noValidate
				onSubmit={(event) => {
					event.preventDefault();
					void save();
				}}
			>
				<EditorFrame
					kind="alarm"
					editor={editor}
					head={
						<div class="panel-head">
							<h2>{draft.id === 0 ? alarmText().newAlarm : content.name}</h2>
							{version !== null && <span class="muted">{commonText().version(version)}</span>}
						</div>
					}
					isFieldPath={(path) => Object.hasOwn(draft, path)}
					notSaved={commonText().notSaved}
					onDrop={() => onDone({ id: 0, isSaved: false })}
				>
					<AlarmFields draft={draft} problems={problems} disabled={isLost} onChange={editor.change} />
					<TypedCondition draft={draft} />
					<EditorButtons editor={editor} onDiscard={discard} />
				</EditorFrame>
			</form>
			<Backtest draft={draft} problems={editor.problems.value.size} wrong={problems.size} />
		</div>
	);
}

interface EditorButtonsProps {
	readonly editor: DraftEditor<AlarmDraft>;
	readonly onDiscard: () => void;
}

/** The buttons of the editor, below a line that says that a save runs, or how many fields are wrong. A new alarm can be saved unchanged. */
function EditorButtons({ editor, onDiscard }: EditorButtonsProps) {
	const wrongFields = editor.shownProblems.value.size;
	const isSaving = editor.isSaving.value;
	return (
		<>
			<p role="status" class="muted">
				{isSaving && commonText().saving}
				{editor.hasTried.value && wrongFields > 0 && <span class="fault">{commonText().fieldsWrong(wrongFields)}</span>}
			</p>
			<div class="buttons">
				<WriteButton type="submit" look="primary" aria-disabled={wrongFields > 0 || isSaving || !editor.isUnsaved.value}>
					{commonText().save}
				</WriteButton>
				<Button disabled={isSaving} onClick={onDiscard}>
					{commonText().discard}
				</Button>
			</div>
		</>
	);
}
