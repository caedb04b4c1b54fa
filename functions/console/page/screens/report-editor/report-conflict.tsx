import type { DraftEditor } from '#page/core/draft-editor.ts';
import { ConflictDialog } from '#page/parts/conflict-dialog.tsx';
import type { ReportDraft } from '#page/reports/report-draft.ts';
import { reportVersionFields } from '#page/reports/report-version-fields.ts';

interface ReportConflictProps {
	readonly editor: DraftEditor<ReportDraft>;
	/** Called when somebody else deleted the report, and what was typed is given up. */
	readonly onDrop: () => void;
}

/** What somebody else did to the report meanwhile. Nothing is shown without that. */
export function ReportConflict({ editor, onDrop }: ReportConflictProps) {
	return <ConflictDialog kind="report" editor={editor} fieldsOf={reportVersionFields} onDrop={onDrop} />;
}
