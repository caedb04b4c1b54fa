import { type DraftField, fieldOf } from '#page/core/draft-fields.ts';
import type { TypedNumber } from '#page/format/typed-number.ts';
import { type AlarmDraft, alarmRules } from './alarm-draft.ts';

/** The words for comparing two versions of an alarm, in the present language. */
export interface AlarmWords {
	readonly labels: Readonly<
		Record<'name' | 'binding' | 'condition' | 'severity' | 'message' | 'enabled' | (typeof alarmRules)[number], string>
	>;
	readonly binding: (draft: AlarmDraft) => string;
	readonly condition: (draft: AlarmDraft) => string;
	readonly severity: (draft: AlarmDraft) => string;
	/** Whether the alarm is evaluated. */
	readonly enabled: (draft: AlarmDraft) => string;
	/** The words for an optional rule. */
	readonly rule: (value: TypedNumber) => string;
}

/** Returns the fields by which two versions are compared. Variable and bit are one field, and so are condition and threshold. */
export function alarmDraftFields(words: AlarmWords): readonly DraftField<AlarmDraft>[] {
	const { labels } = words;
	return [
		fieldOf(['name'], labels.name, ({ name }) => name),
		fieldOf(['varId', 'bit'], labels.binding, words.binding),
		fieldOf(['condition', 'threshold'], labels.condition, words.condition),
		fieldOf(['severity'], labels.severity, words.severity),
		fieldOf(['message'], labels.message, ({ message }) => message),
		fieldOf(['enabled'], labels.enabled, words.enabled),
		...alarmRules.map((rule) => fieldOf<AlarmDraft>([rule], labels[rule], (draft) => words.rule(draft[rule]))),
	];
}
