import type { Variable } from '#page/core/definitions.ts';
import type { DraftEditor } from '#page/core/draft-editor.ts';
import { formatCondition } from '#page/format/condition.ts';
import { formatExact } from '#page/format/number.ts';
import { alarmStateText } from '#page/i18n/alarm-states.ts';
import { commonText } from '#page/i18n/common.ts';
import { bindingWords } from '#page/parts/binding-fields.tsx';
import { Button } from '#page/parts/button.tsx';
import { ConflictDialog } from '#page/parts/conflict-dialog.tsx';
import { Dialog } from '#page/parts/dialog.tsx';
import { type AlarmDraft, alarmDifferences, mergedAlarm } from './alarm-draft.ts';
import { alarmEditorText } from './alarm-editor-texts.ts';
import { alarmText } from './texts.ts';

/** Properties of AlarmConflict. `onDrop` is called when what was typed is given up. */
export interface AlarmConflictProps {
	readonly editor: DraftEditor<AlarmDraft>;
	readonly known: ReadonlyMap<number, Variable> | undefined;
	readonly onDrop: () => void;
}

/** What somebody else did to the alarm meanwhile: saved it, or deleted it. Nothing is shown without either. */
export function AlarmConflict({ editor, known, onDrop }: AlarmConflictProps) {
	const text = alarmEditorText();
	const words = alarmText();
	const theirs = editor.theirs.value;
	const mine = editor.content.value;
	if (theirs === null) return null;
	if (theirs.content === null)
		return (
			<Dialog title={text.goneTitle} onClose={editor.closeConflict} small>
				<p class="dialog-text">{text.goneText}</p>
				<div class="dialog-foot">
					<Button onClick={onDrop}>{text.drop}</Button>
					<Button look="primary" onClick={editor.becomeNew}>
						{text.asNew}
					</Button>
				</div>
			</Dialog>
		);
	const stored = theirs.content;
	return (
		<ConflictDialog
			title={text.conflictTitle}
			text={commonText().storedMeanwhile(theirs.version ?? 0)}
			fields={alarmDifferences(editor.base.value.content, stored, mine, {
				labels: {
					name: commonText().name,
					binding: commonText().variable,
					condition: words.condition,
					severity: words.severity,
					message: text.message,
					enabled: text.enabled,
					...text.rules,
				},
				binding: (draft) => bindingWords(draft, known),
				condition: ({ condition, threshold }) => (threshold === null ? '' : formatCondition({ condition, threshold }, '')),
				severity: ({ severity }) => alarmStateText().severities[severity],
				enabled: ({ enabled }) => (enabled ? text.yes : text.no),
				rule: (value) => (typeof value === 'number' ? formatExact(value) : value === null ? text.default : ''),
			})}
			onGoOn={(keys) => editor.rebase(mergedAlarm(stored, mine, keys), { content: stored, version: theirs.version })}
			onTakeTheirs={() => editor.rebase(stored, { content: stored, version: theirs.version })}
			onClose={editor.closeConflict}
		/>
	);
}
