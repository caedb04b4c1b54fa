import { signal, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { currentTime } from '#page/core/clock.ts';
import { useDefinitions, variables } from '#page/core/definitions.ts';
import type { Versioned } from '#page/core/draft-editor.ts';
import { listNotice } from '#page/core/list-notice.ts';
import { canWrite, succeededAt } from '#page/core/poll.ts';
import { readAgain } from '#page/core/readings.ts';
import { goTo, hrefOf } from '#page/core/route.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { useEditing } from '#page/parts/use-editing.ts';
import { WriteButton } from '#page/parts/write-button.tsx';
import { lazyScreen } from '#page/shell/lazy-screen.tsx';
import type { Draft } from './draft.ts';
import { EditorFields } from './editor-fields.tsx';
import { EditorNotices } from './editor-notices.tsx';
import { createEditor } from './editor-state.ts';
import { deleteText, editorText } from './editor-texts.ts';
import { FormulaPart } from './formula-part.tsx';
import { ResultPanel } from './result-panel.tsx';
import { sendTrial } from './send-trial.ts';
import { createTrial } from './trial.ts';
import { VariableConflict } from './variable-conflict.tsx';
import { editorRequests } from './variable-requests.ts';
import { DeleteVariable, UsesPanel } from './variable-uses.tsx';

const TypedHistory = lazyScreen(async () => (await import('./typed-history.tsx')).TypedHistory);

/** The version that was saved last, said until something else is typed: a new variable's editor is another one after its first save. */
const lastSaved = signal<{ readonly id: number; readonly version: number | null } | null>(null);

/** The editor of one variable: what is typed left, and what it shows right. */
export function Editor({ stored }: { readonly stored: Versioned<Draft> }) {
	const text = editorText();
	const editor = useMemo(() => createEditor(stored, editorRequests), []);
	const trial = useMemo(() => createTrial(sendTrial, currentTime), []);
	const isDeleting = useSignal(false);
	const form = useRef<HTMLDivElement>(null);
	// The queries of other variables can be taken over as inputs.
	useDefinitions('variables');

	useSignalEffect(() => {
		trial.change(editor.isRight.value ? editor.body.value : null);
	});
	// With every poll that succeeds, what is typed is tried anew.
	useSignalEffect(() => {
		if (succeededAt.value !== null) trial.repeat();
	});
	useEffect(() => () => trial.stop(), []);

	const focusFirstError = (): void => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
	const save = async (): Promise<void> => {
		const outcome = await editor.save();
		if (outcome === 'wrong' || outcome === 'failed') requestAnimationFrame(focusFirstError);
		if (outcome !== 'saved') return;
		const { content, version } = editor.base.value;
		lastSaved.value = { id: content.id, version };
		trial.repeat();
		void variables.load();
		void readAgain();
		// What is typed meanwhile is not saved yet: the editor stays.
		if (stored.content.id !== content.id && !editor.isChanged.value) goTo(hrefOf('variables', content.id), { replace: true });
	};
	useEditing(editor, save);
	const leaveDeleted = (): void => {
		editor.discard();
		listNotice.value = deleteText().deleted(editor.base.value.content.name);
		void variables.load();
		goTo(hrefOf('variables'), { replace: true });
	};

	const { content, version } = editor.base.value;
	const { id, name } = content;
	const isSaved = version !== null && lastSaved.value?.id === id && lastSaved.value.version === version;
	const isLost = !canWrite.value.ok;
	const isWrong = !editor.isRight.value;
	return (
		<div ref={form}>
			<div class="head">
				<a class="muted" href={hrefOf('variables')}>
					{commonText().variables} /
				</a>
				<h1>{id === 0 ? commonText().newVariable : name}</h1>
				<span class="sub">
					{version !== null && text.idAndVersion(id, version)}{' '}
					<span role="status" class="strong">
						{editor.isSaving.value && commonText().saving}
						{isSaved && !editor.isSaving.value && !editor.isChanged.value && `· ${text.saved(version)}`}
					</span>
				</span>
				<div class="actions">
					{version !== null && (
						<Button
							disabled={isLost}
							onClick={() => {
								isDeleting.value = true;
							}}
						>
							{commonText().askDelete}
						</Button>
					)}
					<Button disabled={!editor.isChanged.value} onClick={editor.discard}>
						{commonText().discard}
					</Button>
					<WriteButton
						look="primary"
						aria-disabled={isWrong || editor.isSaving.value || !editor.isChanged.value}
						onClick={() => void save()}
					>
						{commonText().save}
					</WriteButton>
				</div>
			</div>
			<EditorNotices editor={editor} trial={trial} />
			<div class="editor">
				<fieldset class="stack" disabled={isLost}>
					<EditorFields editor={editor} trial={trial} />
					{editor.content.value.kind === 'formula' && <FormulaPart editor={editor} />}
					{editor.content.value.kind !== 'byte' && <TypedHistory editor={editor} />}
				</fieldset>
				<div class="result-side">
					<ResultPanel editor={editor} trial={trial} />
					{id !== 0 && <UsesPanel id={id} />}
				</div>
			</div>
			{isDeleting.value && version !== null && (
				<DeleteVariable
					variable={{ id, version, name }}
					onDeleted={leaveDeleted}
					onClose={() => {
						isDeleting.value = false;
					}}
				/>
			)}
			<VariableConflict editor={editor} trial={trial} />
		</div>
	);
}
