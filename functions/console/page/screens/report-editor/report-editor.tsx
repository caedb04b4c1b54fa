import { type ReadonlySignal, useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { maxLines } from '#domain/board/line.ts';
import { ChangesPanel } from '#page/changes/changes-panel.tsx';
import type { FieldError } from '#page/core/api.ts';
import { currentTime } from '#page/core/clock.ts';
import { deleteStored } from '#page/core/deletions.ts';
import { createDraftEditor, type DraftEditor, type Versioned } from '#page/core/draft-editor.ts';
import { canWrite, succeededAt } from '#page/core/poll.ts';
import { createTrial } from '#page/core/trial.ts';
import { DeleteDialog } from '#page/editing/deletion.tsx';
import { EditorFrame } from '#page/editing/editor-frame.tsx';
import { EditorHead } from '#page/editing/editor-head.tsx';
import { commonText } from '#page/i18n/common.ts';
import { pathsAt } from '#page/parts/problem-paths.ts';
import { useEditing } from '#page/parts/use-editing.ts';
import type { ReportDraft } from '#page/reports/report-draft.ts';
import { reportRequests } from '#page/reports/report-requests.ts';
import { lazyScreen } from '#page/shell/lazy-screen.tsx';
import { shellText } from '#page/shell/texts.ts';
import { LineTable } from './line-table.tsx';
import { ReportFields, TitleField } from './report-fields.tsx';
import { type ReportTrial, sendReportTrial, type TrialBody, trialBodyOf, trialProblems } from './report-trial.ts';
import { editorText } from './texts.ts';
import { type LineEdits, useLineEdits } from './use-line-edits.ts';

const LineForm = lazyScreen(async () => (await import('./line-form.tsx')).LineForm);

interface ReportEditorProps {
	readonly stored: Versioned<ReportDraft>;
	/** Called when the editor is left, with the id of the stored report, or 0 if none is stored. */
	readonly onDone: (id: number) => void;
}

/** The editor of one report: its lines on the left and the chosen line on the right, with the numbers of yesterday. */
export function ReportEditor({ stored, onDone }: ReportEditorProps) {
	const editor = useMemo(() => createDraftEditor(stored, reportRequests), []);
	const edits = useLineEdits(editor);
	const trial = useReportTrial(editor);
	const isDeleting = useSignal(false);
	const showsChanges = useSignal(false);
	const save = useEditing(editor, {
		label: editorText().save,
		onSaved: () => onDone(editor.base.value.content.id),
		onFault: edits.showFirstProblem,
	});
	const { content, version } = editor.base.value;
	return (
		<div ref={edits.root}>
			<EditorFrame
				kind="report"
				editor={editor}
				head={
					<EditorHead
						editor={editor}
						announcement={edits.announcement.value}
						label={editorText().save}
						showsChanges={showsChanges}
						isDeleting={isDeleting}
						onLeave={() => onDone(content.id)}
						onSave={() => void save()}
					>
						<ReportTitle editor={editor} />
					</EditorHead>
				}
				isFieldPath={isFieldPath}
				// The dialog itself discards the draft before it calls this.
				onDrop={() => onDone(0)}
			>
				<div class="split">
					<Lines editor={editor} edits={edits} trial={trial} />
					{showsChanges.value ? (
						<ChangesPanel kind="report" itemId={content.id} isOpen={showsChanges} onRestored={() => void editor.followStored()} />
					) : (
						<ChosenLine editor={editor} edits={edits} trial={trial} />
					)}
				</div>
			</EditorFrame>
			{isDeleting.value && version !== null && (
				<DeleteDialog
					name={content.title}
					remove={() => deleteStored('/deleteReport/{id}', { id: content.id, version })}
					onDeleted={() => {
						editor.discard();
						onDone(0);
					}}
					onChanged={() => {
						isDeleting.value = false;
						void editor.compare();
					}}
					onClose={() => {
						isDeleting.value = false;
					}}
				>
					<p class="dialog-text">{editorText().deleteText}</p>
				</DeleteDialog>
			)}
		</div>
	);
}

/** The title and version of the report, and how many lines it has. */
function ReportTitle({ editor }: Pick<PartProps, 'editor'>) {
	const text = editorText();
	const { title, lines } = editor.content.value;
	const { version } = editor.base.value;
	return (
		<>
			<h1>{title.trim() === '' ? shellText().screens.report : title}</h1>
			<span class="sub">
				{version === null ? text.newReport : commonText().editing(version)} · {text.count(lines.length, maxLines)}
			</span>
		</>
	);
}

interface PartProps {
	readonly editor: DraftEditor<ReportDraft>;
	readonly edits: LineEdits;
	readonly trial: TriedDraft;
}

/** The title, the lines and the other fields of the report. */
function Lines({ editor, edits, trial }: PartProps) {
	const draft = editor.content.value;
	const disabled = !canWrite.value.ok;
	const problems = problemsToShow(editor, trial);
	const fields = { draft, problems, disabled, onChange: editor.change };
	return (
		<div class="panel form">
			<TitleField {...fields} />
			<LineTable
				draft={draft}
				edits={edits}
				trial={trial.state.value}
				disabled={disabled}
				wrongCountOf={(index) => pathsAt(problems, `lines.${index}`).length}
			/>
			<ReportFields {...fields} />
		</div>
	);
}

/** The form of the chosen line. */
function ChosenLine({ editor, edits, trial }: PartProps) {
	const draft = editor.content.value;
	const index = draft.lines.findIndex(({ id }) => id === edits.selected.value);
	const line = draft.lines[index];
	if (line === undefined) return <p class="panel muted">{editorText().choose}</p>;
	const { content, version } = editor.base.value;
	const problems = problemsToShow(editor, trial);
	return (
		<LineForm
			key={line.id}
			draft={draft}
			line={line}
			disabled={!canWrite.value.ok}
			trial={trial.state.value}
			storedKeys={new Set(version === null ? [] : content.lines.map(({ key }) => key))}
			isWrong={problemAt(editor.problems.value, `lines.${index}`) !== undefined}
			problemOf={(path) => problemAt(problems, `lines.${index}.${path}`)}
			onChange={(part) => edits.change(line.id, part)}
			onShown={edits.moveFocus}
		/>
	);
}

/** The trial of a draft, and the part of the draft that was sent. */
interface TriedDraft extends ReportTrial {
	readonly body: ReadonlySignal<TrialBody | null>;
}

/**
 * Asks the service to count yesterday whenever an edit may change the numbers. After a failure it asks again when the service answers
 * again.
 */
function useReportTrial(editor: DraftEditor<ReportDraft>): TriedDraft {
	const trial = useMemo(() => createTrial(sendReportTrial, currentTime), []);
	const body = useComputed(() => trialBodyOf(editor.content.value, editor.problems.value));
	useSignalEffect(() => trial.change(body.value));
	useSignalEffect(() => {
		if (succeededAt.value !== null && trial.state.peek().phase === 'failed') trial.repeat();
	});
	useEffect(() => () => trial.stop(), []);
	return { ...trial, body };
}

/** Returns the problems to show: those that the page finds, those of the last save, and those of the last trial. */
function problemsToShow(editor: DraftEditor<ReportDraft>, { body, state }: TriedDraft): ReadonlyMap<string, FieldError> {
	return new Map([...trialProblems(editor.content.value, body.value, state.value), ...editor.shownProblems.value]);
}

/** Returns the problem of a field, or of a part of it. */
function problemAt(problems: ReadonlyMap<string, FieldError>, path: string): FieldError | undefined {
	const [first] = pathsAt(problems, path);
	return problems.get(path) ?? (first === undefined ? undefined : problems.get(first));
}

/** Whether a problem belongs to a field, where it is shown. Others are shown above the lines. */
function isFieldPath(path: string): boolean {
	return path === 'title' || path === 'timeZone' || path === 'dayStart' || path.startsWith('lines.');
}
