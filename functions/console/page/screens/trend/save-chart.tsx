import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { type Chart, charts } from '#page/core/definitions.ts';
import { createDraftEditor, type Versioned } from '#page/core/draft-editor.ts';
import { EditorConflict } from '#page/editing/editor-frame.tsx';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { Dialog } from '#page/parts/dialog.tsx';
import { Field } from '#page/parts/field.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { Segmented } from '#page/parts/segmented.tsx';
import { TextInput } from '#page/parts/text-input.tsx';
import { useEditing } from '#page/parts/use-editing.ts';
import { WriteButton } from '#page/parts/write-button.tsx';
import { type ChartInput, chartRequests, seriesOf, storedDraftOf } from './chart-draft.ts';
import { trendText } from './texts.ts';

interface SaveChartProps {
	readonly ids: readonly number[];
	/** The opened board; null without one. */
	readonly board: Chart | null;
	readonly onSaved: (chart: ChartInput) => void;
	/** Opens the version of the board that somebody else saved. */
	readonly onTakeTheirs: (chart: ChartInput) => void;
	readonly onClose: () => void;
}

/** Saves the variables of a trend as a chart: a new one, or into the opened board. */
export function SaveChart({ ids, board, onSaved, onTakeTheirs, onClose }: SaveChartProps) {
	const text = trendText();
	const editor = useMemo(() => {
		// A chart with the id 0 is a new one, to which the service gives an id.
		const stored = board === null ? { content: { id: 0, title: '', series: [] }, version: null } : storedDraftOf(board);
		const created = createDraftEditor<ChartInput>(stored, chartRequests);
		created.change({ series: seriesOf(ids, board) });
		return created;
	}, []);
	/** The stored chart that the draft would replace, while the person chooses to save a new chart instead. */
	const replaced = useSignal<Versioned<ChartInput> | null>(null);
	const { title } = editor.content.value;
	const isNew = editor.base.value.version === null;
	const { content: opened } = replaced.value ?? editor.base.value;
	const choosePlace = (place: 'into' | 'new'): void => {
		if (place === 'new') {
			replaced.value = editor.base.value;
			editor.becomeNew();
		} else if (replaced.value !== null) {
			editor.rebase({ ...editor.content.value, id: opened.id }, replaced.value);
			replaced.value = null;
		}
	};
	const save = useEditing(editor, {
		onSaved: async () => {
			await charts.load();
			onSaved(editor.base.value.content);
		},
	});
	const failure = editor.failure.value;
	if (editor.theirs.value !== null)
		return <EditorConflict kind="chart" editor={editor} onTaken={onTakeTheirs} onDrop={onClose} />;
	return (
		<Dialog title={text.saveAsChart} onClose={onClose} closeLabel={commonText().close} small>
			<form
				class="form"
				noValidate
				onSubmit={(event) => {
					event.preventDefault();
					void save();
				}}
			>
				{opened.id !== 0 && (
					<Segmented
						label={text.where}
						value={isNew ? 'new' : 'into'}
						choices={[
							{ value: 'into', label: text.saveInto(opened.title) },
							{ value: 'new', label: text.saveNew },
						]}
						onChoose={choosePlace}
					/>
				)}
				<Field
					label={commonText().title}
					error={editor.shownProblems.value.get('title')?.code === 'empty' ? commonText().titleMissing : null}
				>
					{(ties) => <TextInput {...ties} autofocus value={title} onText={(typed) => editor.change({ title: typed })} />}
				</Field>
				{failure !== null && <Problems failure={failure} fallback={commonText().notSavedButKept} />}
				<div class="dialog-foot">
					<Button onClick={onClose}>{commonText().cancel}</Button>
					<WriteButton type="submit" look="primary" disabled={editor.isSaving.value || !editor.isUnsaved.value}>
						{editor.isSaving.value ? commonText().saving : commonText().save}
					</WriteButton>
				</div>
			</form>
		</Dialog>
	);
}
