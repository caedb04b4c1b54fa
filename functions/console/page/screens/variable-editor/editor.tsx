import { type Signal, signal, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { ChangesPanel } from '#page/changes/changes-panel.tsx';
import { currentTime } from '#page/core/clock.ts';
import { useDefinitions, variables } from '#page/core/definitions.ts';
import type { Versioned } from '#page/core/draft-editor.ts';
import { listNotice } from '#page/core/list-notice.ts';
import { canWrite, pollNow, succeededAt } from '#page/core/poll.ts';
import { goTo, hrefOf } from '#page/core/route.ts';
import { may } from '#page/core/session.ts';
import { createTrial } from '#page/core/trial.ts';
import { EditorFrame } from '#page/editing/editor-frame.tsx';
import { EditorHead } from '#page/editing/editor-head.tsx';
import { commonText } from '#page/i18n/common.ts';
import { Banner } from '#page/parts/banner.tsx';
import { Button } from '#page/parts/button.tsx';
import { ForRole } from '#page/parts/for-role.tsx';
import { focusFirstFault, useEditing } from '#page/parts/use-editing.ts';
import { lazyScreen } from '#page/shell/lazy-screen.tsx';
import { MyFacts, TheirFacts } from './conflict-facts.tsx';
import type { Draft } from './draft.ts';
import { DecimalsPanel, EditorFields } from './editor-fields.tsx';
import { createEditor, type VariableEditor } from './editor-state.ts';
import { deleteText, editorText } from './editor-texts.ts';
import { editorRequests, sendTrial } from './variable-requests.ts';
import type { VariableTrial } from './variable-trial.ts';

const CorrectionList = lazyScreen(async () => (await import('#page/corrections/correction-list.tsx')).CorrectionList);
const DeleteVariable = lazyScreen(async () => (await import('./variable-uses.tsx')).DeleteVariable);
const FormulaPart = lazyScreen(async () => (await import('./formula-part.tsx')).FormulaPart);
const ResultPanel = lazyScreen(async () => (await import('./result-panel.tsx')).ResultPanel);
const TypedHistory = lazyScreen(async () => (await import('./typed-history.tsx')).TypedHistory);
const UsesPanel = lazyScreen(async () => (await import('./variable-uses.tsx')).UsesPanel);
const VariableFacts = lazyScreen(async () => (await import('./variable-facts.tsx')).VariableFacts);

/**
 * The variable and version that were saved last, for the words "Saved" until the next edit. It outlives the editor, because a new
 * variable gets another editor after its first save.
 */
const lastSaved = signal<{ readonly id: number; readonly version: number | null } | null>(null);

/** The editor of one variable: its fields on the left, and its trial on the right. */
export function Editor({ stored }: { readonly stored: Versioned<Draft> }) {
	const editor = useMemo(() => createEditor(stored, editorRequests), []);
	const trial = useEditorTrial(editor);
	const isDeleting = useSignal(false);
	const showsChanges = useSignal(false);
	const form = useRef<HTMLDivElement>(null);
	// The queries of other variables can be taken over as inputs.
	useDefinitions('variables');

	const save = useEditing(editor, {
		onSaved: () => {
			const { content, version } = editor.base.value;
			lastSaved.value = { id: content.id, version };
			trial.repeat();
			void variables.load();
			pollNow();
			// Edits that were made during the save are not saved yet, so the editor stays.
			if (stored.content.id !== content.id && !editor.isChanged.value) goTo(hrefOf('variables', content.id), { replace: true });
		},
		onFault: () => focusFirstFault(form.current),
	});
	const leaveDeleted = (): void => {
		editor.discard();
		listNotice.value = deleteText().deleted(editor.base.value.content.name);
		void variables.load();
		goTo(hrefOf('variables'), { replace: true });
	};

	const {
		content: { id, name },
		version,
	} = editor.base.value;
	return (
		<div ref={form}>
			<EditorFrame
				kind="variable"
				editor={editor}
				head={
					<EditorHead
						editor={editor}
						isWrong={!editor.isRight.value}
						showsChanges={showsChanges}
						isDeleting={isDeleting}
						onSave={may('engineer') ? () => void save() : null}
					>
						<VariableTitle editor={editor} />
					</EditorHead>
				}
				ofTheirs={(theirs) => <TheirFacts {...theirs} />}
				ofMine={<MyFacts editor={editor} trial={trial} />}
				onDrop={() => goTo(hrefOf('variables'), { replace: true })}
			>
				<NewerVersion editor={editor} trial={trial} />
				<EditorColumns editor={editor} trial={trial} showsChanges={showsChanges} />
			</EditorFrame>
			{isDeleting.value && version !== null && (
				<DeleteVariable
					variable={{ id, version, name }}
					onDeleted={leaveDeleted}
					onClose={() => {
						isDeleting.value = false;
					}}
				/>
			)}
		</div>
	);
}

interface EditorPartProps {
	readonly editor: VariableEditor;
	readonly trial: VariableTrial;
}

/** The fields of the variable, and beside them its trial and uses, or its changes. */
function EditorColumns({ editor, trial, showsChanges }: EditorPartProps & { readonly showsChanges: Signal<boolean> }) {
	const { id, name, unit } = editor.base.value.content;
	const { kind } = editor.content.value;
	return (
		<div class="editor">
			<div class="stack">
				{may('engineer') ? (
					<fieldset class="stack" disabled={!canWrite.value.ok}>
						<EditorFields editor={editor} trial={trial} />
						{kind === 'formula' && <FormulaPart editor={editor} />}
						{/* The bits of a byte are states, so a byte has no curve. */}
						{kind !== 'byte' && <TypedHistory editor={editor} />}
					</fieldset>
				) : (
					<VariableFacts content={editor.base.value.content} />
				)}
				{/* A choice of this browser: everybody can make it, also without a connection. */}
				{id !== 0 && kind !== 'byte' && <DecimalsPanel varId={id} />}
			</div>
			{showsChanges.value ? (
				<ChangesPanel kind="variable" itemId={id} isOpen={showsChanges} onRestored={() => void editor.followStored()} />
			) : (
				<div class="result-side">
					<ForRole needs="engineer">
						<ResultPanel editor={editor} trial={trial} />
					</ForRole>
					{id !== 0 && <UsesPanel id={id} />}
					{id !== 0 && <CorrectionList varId={id} name={name} unit={unit} />}
				</div>
			)}
		</div>
	);
}

/** Tries the draft whenever it changes, and with every poll that succeeds. */
function useEditorTrial(editor: VariableEditor): VariableTrial {
	const trial = useMemo(() => createTrial(sendTrial, currentTime), []);
	useSignalEffect(() => {
		trial.change(may('engineer') && editor.isRight.value ? editor.body.value : null);
	});
	useSignalEffect(() => {
		if (succeededAt.value !== null) trial.repeat();
	});
	useEffect(() => () => trial.stop(), []);
	return trial;
}

/** The name and version of the variable, and whether it is being saved. */
function VariableTitle({ editor }: Pick<EditorPartProps, 'editor'>) {
	const text = editorText();
	const {
		content: { id, name },
		version,
	} = editor.base.value;
	const isSaving = editor.isSaving.value;
	const isSaved = version !== null && lastSaved.value?.id === id && lastSaved.value.version === version;
	return (
		<>
			<a class="muted" href={hrefOf('variables')}>
				{commonText().variables} /
			</a>
			<h1>{id === 0 ? commonText().newVariable : name}</h1>
			<span class="sub">
				{version !== null && text.idAndVersion(id, version)}{' '}
				<span role="status" class="strong">
					{isSaving && commonText().saving}
					{isSaved && !isSaving && !editor.isChanged.value && `· ${text.saved(version)}`}
				</span>
			</span>
		</>
	);
}

/** Says that somebody else has saved the variable, as a trial shows before the person saves. */
function NewerVersion({ editor, trial }: EditorPartProps) {
	const text = editorText();
	const { version } = editor.base.value;
	const storedVersion = trial.state.value.answer?.storedVersion ?? 0;
	if (version === null || storedVersion <= version || editor.theirs.value !== null) return null;
	return (
		<Banner look="doubt" icon="i-user" action={<Button onClick={() => void editor.compare()}>{text.compare}</Button>}>
			{text.conflictSoon(storedVersion)}
		</Banner>
	);
}
