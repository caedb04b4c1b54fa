import type { DraftEditor } from '#page/core/draft-editor.ts';
import { ConflictDialog } from '#page/parts/conflict-dialog.tsx';
import type { DiagramDraft } from '../diagram-draft.ts';
import { diagramVersionFields } from '../diagram-version-fields.ts';

interface DiagramConflictProps {
	readonly editor: DraftEditor<DiagramDraft>;
	/** Leaves the draft, where somebody else deleted the diagram. */
	readonly onDrop: () => void;
}

/** What somebody else stored meanwhile beside the draft, entry by entry. */
export function DiagramConflict({ editor, onDrop }: DiagramConflictProps) {
	return <ConflictDialog kind="diagram" editor={editor} fieldsOf={diagramVersionFields} onDrop={onDrop} />;
}
