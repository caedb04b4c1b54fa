import { alarmSchema } from '#domain/board/alarm.ts';
import { parse } from '#domain/validation/parse.ts';
import { variables } from '#page/core/definitions.ts';
import type { DraftField } from '#page/core/draft-fields.ts';
import { createItemVersions, draftOfChecked } from '#page/core/item-versions.ts';
import { formatExact } from '#page/format/number.ts';
import { alarmStateText, conditionWords } from '#page/i18n/alarm-states.ts';
import { commonText } from '#page/i18n/common.ts';
import { bindingWords } from '#page/parts/binding-words.ts';
import { type AlarmDraft, alarmDraftOf } from './alarm-draft.ts';
import { alarmDraftFields } from './alarm-draft-fields.ts';
import { alarmEditorText } from './alarm-editor-texts.ts';
import { alarmRequests } from './alarm-requests.ts';
import { alarmText } from './texts.ts';

/** Compares and saves versions of alarms. */
export const versions = createItemVersions<AlarmDraft>({
	draftOf: draftOfChecked((input) => parse(alarmSchema, input), alarmDraftOf),
	fieldsOf: alarmVersionFields,
	requests: alarmRequests,
});

/** Returns the fields by which two versions are compared, in the words of the editor. */
function alarmVersionFields(): readonly DraftField<AlarmDraft>[] {
	const text = alarmEditorText();
	const words = alarmText();
	return alarmDraftFields({
		labels: {
			name: commonText().name,
			binding: commonText().variable,
			condition: words.condition,
			severity: words.severity,
			message: text.message,
			enabled: text.enabled,
			...text.rules,
		},
		binding: (draft) => bindingWords(draft, variables.rows.value),
		condition: ({ condition, threshold, varId, bit }) => {
			// The threshold of a bit has no unit.
			const unit = bit === null && varId !== null ? variables.rows.value?.get(varId)?.unit : undefined;
			return typeof threshold !== 'number' ? '' : conditionWords({ condition, threshold }, unit ?? '');
		},
		severity: ({ severity }) => alarmStateText().severities[severity],
		enabled: ({ enabled }) => (enabled ? text.yes : text.no),
		rule: (value) => {
			if (value === null) return text.default;
			return value === 'unreadable' ? '' : formatExact(value);
		},
	});
}
