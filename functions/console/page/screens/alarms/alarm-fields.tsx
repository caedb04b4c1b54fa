import { severityOrder } from '#page/core/alarm-state.ts';
import type { FieldError } from '#page/core/api.ts';
import { variables } from '#page/core/definitions.ts';
import { numberSigns } from '#page/core/number-signs.ts';
import { alarmStateText } from '#page/i18n/alarm-states.ts';
import { commonText } from '#page/i18n/common.ts';
import { problemText } from '#page/i18n/i18n.ts';
import { BindingFields } from '#page/parts/binding-fields.tsx';
import { Field } from '#page/parts/field.tsx';
import { NumberInput } from '#page/parts/number-input.tsx';
import { SegmentedField } from '#page/parts/segmented.tsx';
import { Select } from '#page/parts/select.tsx';
import { TextInput } from '#page/parts/text-input.tsx';
import type { AlarmDraft } from './alarm-draft.ts';
import { alarmEditorText } from './alarm-editor-texts.ts';
import { RuleFields } from './rule-fields.tsx';
import { alarmText } from './texts.ts';

/** Each of the `problems` is shown at its field. */
interface AlarmFieldsProps {
	readonly draft: AlarmDraft;
	readonly problems: ReadonlyMap<string, FieldError>;
	readonly disabled: boolean;
	readonly onChange: (part: Partial<AlarmDraft>) => void;
}

/** The conditions in the order of the choice. */
const conditions = ['>', '>=', '<', '<=', '==', '!='] as const;

/** The fields of an alarm. */
export function AlarmFields({ draft, problems, disabled, onChange }: AlarmFieldsProps) {
	const text = alarmEditorText();
	const words = alarmText();
	const errorOf = (field: string): string | null => {
		const problem = problems.get(field);
		if (problem === undefined) return null;
		return problem.code === 'no_number' ? commonText().numberMissing(numberSigns.value.decimal) : problemText(problem).text;
	};
	// A bit has no unit.
	const unit = draft.bit === null && draft.varId !== null ? (variables.rows.value?.get(draft.varId)?.unit ?? '') : '';
	return (
		<>
			<Field label={commonText().name} error={errorOf('name')}>
				{(ties) => <TextInput {...ties} value={draft.name} disabled={disabled} onText={(name) => onChange({ name })} />}
			</Field>
			<BindingFields binding={draft} onBind={onChange} problemOf={(field) => problems.get(field)} disabled={disabled} />
			<Field label={words.condition} error={errorOf('condition')}>
				{(ties) => (
					<Select
						{...ties}
						value={draft.condition}
						disabled={disabled}
						choices={conditions.map((condition) => ({ value: condition, label: text.conditions[condition] }))}
						onChoose={(condition) => onChange({ condition })}
					/>
				)}
			</Field>
			<Field label={unit === '' ? text.threshold : text.thresholdIn(unit)} error={errorOf('threshold')}>
				{(ties) => (
					<NumberInput
						ties={ties}
						value={draft.threshold}
						wrong="unreadable"
						disabled={disabled}
						onValue={(threshold) => onChange({ threshold })}
					/>
				)}
			</Field>
			<SegmentedField
				label={words.severity}
				value={draft.severity}
				disabled={disabled}
				choices={severityOrder.map((severity, index) => ({
					value: severity,
					label: `${index + 1} ${alarmStateText().severities[severity]}`,
				}))}
				onChoose={(severity) => onChange({ severity })}
			/>
			<Field label={text.message} error={errorOf('message')}>
				{(ties) => (
					<textarea
						{...ties}
						class="input"
						rows={3}
						value={draft.message}
						disabled={disabled}
						onInput={(event) => onChange({ message: event.currentTarget.value })}
					/>
				)}
			</Field>
			<RuleFields draft={draft} unit={unit} disabled={disabled} errorOf={errorOf} onChange={onChange} />
		</>
	);
}
