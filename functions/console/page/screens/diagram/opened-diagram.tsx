import { useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import { HistoryPanel } from '#page/changes/history.tsx';
import { type Diagram, diagrams, variables } from '#page/core/definitions.ts';
import { deleteStored } from '#page/core/deletions.ts';
import { createDraftEditor, type DraftEditor } from '#page/core/draft-editor.ts';
import { useReadings } from '#page/core/readings.ts';
import { goTo, hrefOf } from '#page/core/route.ts';
import { useShortcuts } from '#page/core/shortcuts.ts';
import { commonText } from '#page/i18n/common.ts';
import { Banner } from '#page/parts/banner.tsx';
import { ConflictDialog } from '#page/parts/conflict-dialog.tsx';
import { DeleteDialog } from '#page/parts/delete-dialog.tsx';
import { EmptyState } from '#page/parts/empty-state.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { useEditing } from '#page/parts/use-editing.ts';
import { BackgroundButton, useBackground } from './background-button.tsx';
import { type DiagramDraft, emptyDraft, inputOf, storedDraftOf } from './diagram-draft.ts';
import { DiagramHead } from './diagram-head.tsx';
import { diagramRequests } from './diagram-requests.ts';
import { DiagramSide } from './diagram-side.tsx';
import { diagramVersionFields } from './diagram-version-fields.ts';
import { Drawing } from './drawing.tsx';
import { ItemList } from './item-list.tsx';
import { ProcessView } from './process-view.tsx';
import { drawnDiagramOf, variablesOf } from './symbols/drawn-diagram.ts';
import { diagramText } from './texts.ts';
import { focusContent, useDiagramEdits } from './use-diagram-edits.ts';

/** Properties of OpenedDiagram. */
export interface OpenedDiagramProps {
	/** Null: it is new, or there is none. */
	readonly stored: Diagram | null;
	readonly rows: readonly Diagram[];
	readonly isNew: boolean;
}

/** One diagram, to be read and to be edited. */
export function OpenedDiagram({ stored, rows, isNew }: OpenedDiagramProps) {
	const text = diagramText();
	const known = variables.rows.value ?? new Map();
	const editor = useDiagramEditor(stored);
	const edits = useDiagramEdits(editor, known);
	const isEditing = useSignal(isNew);
	const isDeleting = useSignal(false);
	const showsHistory = useSignal(false);
	const draft = editor.content.value;
	const background = useBackground(draft.id);
	const drawn = drawnDiagramOf(editor.isChanged.value || stored === null ? inputOf(draft) : stored);

	const save = useEditing(editor, {
		label: text.saveDiagram,
		canSave: () => editor.isChanged.value,
		onSaved: async () => {
			const { id, title } = editor.base.value.content;
			edits.announcement.value = text.saved(title);
			background.moveTo(id);
			await diagrams.load();
			// What is changed meanwhile is not saved yet: the editor stays.
			if (id !== stored?.id && !editor.isChanged.value) leaveFor(id);
		},
	});
	useShortcuts(
		isEditing.value
			? [
					{ key: 'Ctrl+z', label: text.undo, run: edits.undo },
					{ key: 'Ctrl+Shift+z', label: text.redo, run: edits.redo },
				]
			: [],
	);
	const leaveDeleted = async (): Promise<void> => {
		editor.discard();
		isDeleting.value = false;
		await diagrams.load();
		leaveFor(null);
	};

	const failure = editor.theirs.value === null ? editor.failure.value : null;
	return (
		<>
			<DiagramHead
				stored={stored}
				rows={rows}
				isNew={isNew}
				editor={editor}
				isEditing={isEditing}
				showsHistory={showsHistory}
				background={<BackgroundButton diagram={draft.id} state={background} />}
				onOpen={(item) => {
					goTo(hrefOf('diagram', item));
					focusContent();
				}}
				onDelete={() => {
					isDeleting.value = true;
				}}
				onSave={() => void save()}
			/>
			<div class="sr" role="status">
				{edits.announcement.value}
			</div>
			{background.fault.value !== null && <Banner look="error">{background.fault.value}</Banner>}
			{failure !== null && <Problems failure={failure} fallback={commonText().notSavedButKept} />}
			{stored === null && !isNew && !editor.isChanged.value ? (
				<EmptyState icon="i-diagram" title={rows.length === 0 ? text.noDiagrams : text.notFound}>
					{rows.length === 0 && <p>{text.noDiagramsText}</p>}
				</EmptyState>
			) : (
				<div class={isEditing.value ? 'diagram' : 'diagram viewing'}>
					{isEditing.value || drawn.isPlain ? (
						<Drawing draft={draft} variables={known} background={background.svg.value} edits={isEditing.value ? edits : null} />
					) : (
						<ProcessView diagram={drawn} variables={known} background={background.svg.value} />
					)}
					{(isEditing.value || drawn.isPlain) && <ItemList items={draft.items} variables={known} />}
					{isEditing.value && <DiagramSide editor={editor} edits={edits} variables={known} />}
				</div>
			)}
			{stored !== null && <HistoryPanel kind="diagram" itemId={stored.id} isOpen={showsHistory} />}
			<ConflictDialog kind="diagram" editor={editor} fieldsOf={diagramVersionFields} onDrop={() => void leaveDeleted()} />
			{isDeleting.value && (
				<DeleteDiagram
					editor={editor}
					onDeleted={() => void leaveDeleted()}
					onClose={() => {
						isDeleting.value = false;
					}}
				/>
			)}
		</>
	);
}

function leaveFor(item: number | null): void {
	goTo(hrefOf('diagram', item), { replace: true });
	focusContent();
}

interface DeleteDiagramProps {
	readonly editor: DraftEditor<DiagramDraft>;
	readonly onDeleted: () => void;
	readonly onClose: () => void;
}

/** Deletes the diagram in the version that its editor began from. */
function DeleteDiagram({ editor, onDeleted, onClose }: DeleteDiagramProps) {
	const {
		content: { id, title },
		version,
	} = editor.base.value;
	return (
		<DeleteDialog
			name={title}
			remove={() => deleteStored('/deleteDiagram/{id}', { id, version: version ?? 0 })}
			onDeleted={onDeleted}
			onChanged={() => void diagrams.load()}
			onClose={onClose}
		>
			<p class="dialog-text">{diagramText().deleteText}</p>
		</DeleteDialog>
	);
}

/** Edits what is stored, follows it while nothing is changed, and reads the values of the draft. */
function useDiagramEditor(stored: Diagram | null): DraftEditor<DiagramDraft> {
	const newest = stored === null ? { content: emptyDraft, version: null } : storedDraftOf(stored);
	const editor = useMemo(() => createDraftEditor<DiagramDraft>(newest, diagramRequests), []);
	useLayoutEffect(() => editor.follow(newest), [stored, editor.isChanged.value]);
	useReadings(variablesOf(editor.isChanged.value || stored === null ? inputOf(editor.content.value) : stored));
	return editor;
}
