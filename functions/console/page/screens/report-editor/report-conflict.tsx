import type { DraftEditor } from '#page/core/draft-editor.ts';
import { ConflictDialog } from '#page/parts/conflict-dialog.tsx';
import type { ReportDraft } from '#page/reports/report-draft.ts';
import { reportVersionFields } from '#page/reports/report-version-fields.ts';

interface ReportConflictProps {
	readonly editor: DraftEditor<ReportDraft>;
	/** Called when somebody else deleted the report, and the person gives up the draft. */
	readonly onDrop: () => void;
}

/** Shows the version that somebody else saved meanwhile, or says that the report was deleted. Shows nothing without a conflict. */
export function ReportConflict({ editor, onDrop }: ReportConflictProps) {
	return <ConflictDialog kind="report" editor={editor} fieldsOf={reportVersionFields} onDrop={onDrop} />;
}
