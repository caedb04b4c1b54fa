import { diagrams } from '#page/core/definitions.ts';
import { deleteStored } from '#page/core/deletions.ts';
import type { DraftEditor } from '#page/core/draft-editor.ts';
import { DeleteDialog } from '#page/parts/delete-dialog.tsx';
import type { DiagramDraft } from '../diagram-draft.ts';
import { diagramText } from '../texts.ts';

interface DeleteDiagramProps {
	readonly editor: DraftEditor<DiagramDraft>;
	readonly onDeleted: () => void;
	readonly onClose: () => void;
}

/**
 * Asks whether to delete the diagram, and deletes it if it still has the version that the person began to edit. It is shown only for a
 * stored diagram, which has a version.
 */
export function DeleteDiagram({ editor, onDeleted, onClose }: DeleteDiagramProps) {
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
