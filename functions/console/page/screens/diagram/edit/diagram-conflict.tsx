import type { DraftEditor } from '#page/core/draft-editor.ts';
import { ConflictDialog } from '#page/parts/conflict-dialog.tsx';
import type { DiagramDraft } from '../diagram-draft.ts';
import { diagramVersionFields } from '../diagram-version-fields.ts';

interface DiagramConflictProps {
	readonly editor: DraftEditor<DiagramDraft>;
	/** Called when the person gives up the draft after somebody else deleted the diagram. */
	readonly onDrop: () => void;
}

/** Compares the version that somebody else stored meanwhile with the draft, field by field. */
export function DiagramConflict({ editor, onDrop }: DiagramConflictProps) {
	return <ConflictDialog kind="diagram" editor={editor} fieldsOf={diagramVersionFields} onDrop={onDrop} />;
}
