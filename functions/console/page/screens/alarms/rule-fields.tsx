import { variables } from '#page/core/definitions.ts';
import { formatExact } from '#page/format/number.ts';
import { formatAge } from '#page/format/time.ts';
import { Checkbox } from '#page/parts/checkbox.tsx';
import { Field } from '#page/parts/field.tsx';
import { NumberInput } from '#page/parts/number-input.tsx';
import type { AlarmDraft, alarmRules } from './alarm-draft.ts';
import { alarmEditorText } from './alarm-editor-texts.ts';
import { rulesInSeconds } from './rule-defaults.ts';

interface RuleFieldsProps {
	readonly draft: AlarmDraft;
	readonly unit: string;
	readonly disabled: boolean;
	readonly errorOf: (field: string) => string | null;
	readonly onChange: (part: Partial<AlarmDraft>) => void;
}

/** The optional rules of an alarm, each with its default. */
export function RuleFields({ draft, unit, disabled, errorOf, onChange }: RuleFieldsProps) {
	const text = alarmEditorText();
	const variable = draft.varId === null ? undefined : variables.rows.value?.get(draft.varId);
	const typed = typeof draft.noDataSeconds === 'number' ? draft.noDataSeconds : null;
	const defaults = variable === undefined ? null : rulesInSeconds(variable, null);
	const noData = variable === undefined ? null : rulesInSeconds(variable, typed).noData;
	const seconds = (value: number): string =>
		value < 120 ? `${formatExact(value)} s` : `${formatExact(value)} s (${formatAge(value * 1000)})`;
	const hints: Readonly<Record<(typeof alarmRules)[number], string>> = {
		deadband: text.ruleHints.deadband,
		onDelaySeconds: `${text.ruleHints.onDelaySeconds} ${text.defaultIs('0 s')}`,
		offDelaySeconds: `${text.ruleHints.offDelaySeconds} ${text.defaultIs(seconds(defaults?.offDelay ?? 60))}`,
		noDataSeconds: [
			text.ruleHints.noDataSeconds,
			defaults?.noData === undefined || defaults.noData === null ? '' : text.defaultIs(seconds(defaults.noData)),
			typed !== null && noData !== null && noData > typed ? text.noDataLonger(seconds(noData)) : '',
		]
			.filter((part) => part !== '')
			.join(' '),
	};
	const rule = (name: (typeof alarmRules)[number], label: string) => (
		<Field label={label} hint={hints[name]} error={errorOf(name)}>
			{(ties) => (
				<NumberInput
					ties={ties}
					value={draft[name]}
					wrong="unreadable"
					disabled={disabled}
					onValue={(value) => onChange({ [name]: value })}
				/>
			)}
		</Field>
	);
	return (
		<>
			<Checkbox label={text.enabled} checked={draft.enabled} disabled={disabled} onToggle={(enabled) => onChange({ enabled })} />
			<div class="two-fields">
				{rule('onDelaySeconds', text.rules.onDelaySeconds)}
				{rule('offDelaySeconds', text.rules.offDelaySeconds)}
				{rule('deadband', unit === '' ? text.rules.deadband : `${text.rules.deadband} (${unit})`)}
				{rule('noDataSeconds', text.rules.noDataSeconds)}
			</div>
		</>
	);
}
