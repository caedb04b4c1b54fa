import { useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import { ChangesButton, ChangesPanel } from '#page/changes/changes-panel.tsx';
import { type Diagram, diagrams, variables } from '#page/core/definitions.ts';
import { deleteStored } from '#page/core/deletions.ts';
import { createDraftEditor, type DraftEditor } from '#page/core/draft-editor.ts';
import { useReadings } from '#page/core/readings.ts';
import { goTo, hrefOf } from '#page/core/route.ts';
import { useShortcuts } from '#page/core/shortcuts.ts';
import { DeleteButton, DeleteDialog } from '#page/editing/deletion.tsx';
import { EditorFrame } from '#page/editing/editor-frame.tsx';
import { commonText } from '#page/i18n/common.ts';
import { Banner } from '#page/parts/banner.tsx';
import { Button } from '#page/parts/button.tsx';
import { useEditing } from '#page/parts/use-editing.ts';
import { WriteButton } from '#page/parts/write-button.tsx';
import { type DiagramDraft, emptyDraft, inputOf, storedDraftOf } from '../diagram-draft.ts';
import { DiagramHead, focusContent, type ShownDiagramProps } from '../diagram-head.tsx';
import { diagramRequests } from '../diagram-requests.ts';
import { DiagramView } from '../diagram-view.tsx';
import { diagramText } from '../texts.ts';
import { BackgroundButton } from './background-button.tsx';
import type { FileNotice } from './background-edits.ts';
import { drawingShortcuts } from './drawing-actions.ts';
import { DrawingEditor } from './drawing-editor.tsx';
import type { DrawingEdits } from './drawing-edits.ts';
import { variablesOfDraft } from './limits.ts';
import { useDrawingEdits } from './use-drawing-edits.ts';
import { useKeptBackground } from './use-kept-background.ts';

/** A diagram that is edited, or viewed with its unsaved edits. */
export function EditedDiagram({ stored, rows, isNew, mode, onMode }: ShownDiagramProps) {
	const editor = useDiagramEditor(stored);
	const edits = useDrawingEdits(editor);
	/** What is said about the file that was chosen as background. */
	const notice = useSignal<FileNotice | null>(null);
	useKeptBackground(stored, edits, notice);
	const isDeleting = useSignal(false);
	const showsChanges = useSignal(false);
	const isEditing = mode === 'edit';
	const draft = editor.content.value;
	const isChanged = editor.isChanged.value;
	const variablesById = variables.rows.value ?? new Map();
	const save = useSaving(editor, edits.announcement, stored);
	useDrawingShortcuts(isEditing, edits);
	const leaveDeleted = async (): Promise<void> => {
		// Without edits, nobody is asked before the address changes.
		editor.discard();
		isDeleting.value = false;
		await diagrams.load();
		leaveFor(null);
	};
	const { content: begun, version } = editor.base.value;
	return (
		<>
			<EditorFrame
				kind="diagram"
				editor={editor}
				head={
					<>
						<DiagramHead stored={stored} rows={rows} isNew={isNew} mode={mode} onMode={onMode} isChanged={isChanged}>
							{stored !== null && <ChangesButton isOpen={showsChanges} />}
							{isEditing && <BackgroundButton edits={edits} notice={notice} />}
							{stored !== null && isEditing && <DeleteButton isDeleting={isDeleting} />}
							{isChanged && <Button onClick={editor.discard}>{commonText().discard}</Button>}
							{(isEditing || isChanged) && (
								<WriteButton look="primary" disabled={!isChanged || editor.isSaving.value} onClick={() => void save()}>
									{editor.isSaving.value ? commonText().saving : diagramText().saveDiagram}
								</WriteButton>
							)}
						</DiagramHead>
						<div class="sr" role="status">
							{edits.announcement.value}
						</div>
						{notice.value !== null && <Banner look={notice.value.isFault ? 'error' : undefined}>{notice.value.text}</Banner>}
					</>
				}
				onDrop={() => void leaveDeleted()}
			>
				{isEditing ? (
					<DrawingEditor edits={edits} variables={variablesById} />
				) : (
					<DiagramView content={inputOf(draft)} variables={variablesById} background={draft.background} />
				)}
				{stored !== null && <ChangesPanel kind="diagram" itemId={stored.id} isOpen={showsChanges} />}
			</EditorFrame>
			{isDeleting.value && version !== null && (
				<DeleteDialog
					name={begun.title}
					remove={() => deleteStored('/deleteDiagram/{id}', { id: begun.id, version })}
					onDeleted={() => void leaveDeleted()}
					onChanged={() => void diagrams.load()}
					onClose={() => {
						isDeleting.value = false;
					}}
				>
					<p class="dialog-text">{diagramText().deleteText}</p>
				</DeleteDialog>
			)}
		</>
	);
}

/** Creates the editor of a diagram, and reads the values of the draft. While the draft is unchanged, it follows the stored diagram. */
function useDiagramEditor(stored: Diagram | null): DraftEditor<DiagramDraft> {
	const newest = stored === null ? { content: emptyDraft, version: null } : storedDraftOf(stored);
	const editor = useMemo(() => createDraftEditor<DiagramDraft>(newest, diagramRequests), []);
	useLayoutEffect(() => editor.follow(newest), [stored, editor.isChanged.value]);
	useReadings(variablesOfDraft(editor.content.value));
	return editor;
}

/** Returns a function that saves. After the first save, the address becomes that of the diagram. */
function useSaving(
	editor: DraftEditor<DiagramDraft>,
	announcement: { value: string },
	stored: Diagram | null,
): () => Promise<void> {
	return useEditing(editor, {
		label: diagramText().saveDiagram,
		onSaved: async () => {
			const { id, title } = editor.base.value.content;
			announcement.value = diagramText().saved(title);
			await diagrams.load();
			// If the person made edits during the save, they are not saved yet, so the editor stays.
			if (id !== stored?.id && !editor.isChanged.value) leaveFor(id);
		},
	});
}

function useDrawingShortcuts(isEditing: boolean, edits: DrawingEdits): void {
	const shortcuts = isEditing ? drawingShortcuts : [];
	useShortcuts(shortcuts.map(({ key, label, perform }) => ({ key, label: label(), run: () => perform(edits) })));
}

function leaveFor(item: number | null): void {
	goTo(hrefOf('diagram', item), { replace: true });
	focusContent();
}
