import type { Signal } from '@preact/signals';
import { maxLines } from '#domain/board/line.ts';
import { ChangesButton } from '#page/changes/changes-panel.tsx';
import type { DraftEditor } from '#page/core/draft-editor.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { DeleteButton } from '#page/parts/delete-button.tsx';
import { WriteButton } from '#page/parts/write-button.tsx';
import type { ReportDraft } from '#page/reports/report-draft.ts';
import { shellText } from '#page/shell/texts.ts';
import { editorText } from './texts.ts';

interface ReportHeadProps {
	readonly editor: DraftEditor<ReportDraft>;
	/** The number of fields whose errors are shown. */
	readonly wrongCount: number;
	/** A sentence about the last act. */
	readonly announcement: string;
	readonly showsChanges: Signal<boolean>;
	readonly onDelete: () => void;
	readonly onDiscard: () => void;
	readonly onSave: () => void;
}

/** The head of the editor: title and version of the report, a sentence about the last act, and the acts on the whole report. */
export function ReportHead({ editor, wrongCount, announcement, showsChanges, onDelete, onDiscard, onSave }: ReportHeadProps) {
	const text = editorText();
	const { title, lines } = editor.content.value;
	const { version } = editor.base.value;
	const isSaving = editor.isSaving.value;
	const isUnchanged = version !== null && !editor.isChanged.value;
	return (
		<div class="head">
			<h1>{title.trim() === '' ? shellText().screens.report : title}</h1>
			<span class="sub">
				{version === null ? text.newReport : commonText().editing(version)} · {text.count(lines.length, maxLines)}
			</span>
			<div class="actions">
				<span class={wrongCount === 0 && announcement === '' && !isSaving ? 'sr' : 'muted'} role="status">
					{isSaving ? commonText().saving : announcement}
					{editor.hasTried.value && wrongCount > 0 && <span class="fault"> {commonText().fieldsWrong(wrongCount)}</span>}
				</span>
				{version !== null && (
					<>
						<ChangesButton isOpen={showsChanges} />
						<DeleteButton onClick={onDelete} />
					</>
				)}
				<Button onClick={onDiscard}>{commonText().discard}</Button>
				<WriteButton look="primary" aria-disabled={wrongCount > 0 || isSaving || isUnchanged} onClick={onSave}>
					{text.save}
				</WriteButton>
			</div>
		</div>
	);
}
