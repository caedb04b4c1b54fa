import { defaultOffDelaySeconds } from '#domain/alarm/effective-rules.ts';
import { type Variable, variables } from '#page/core/definitions.ts';
import { formatExact } from '#page/format/number.ts';
import { formatAge } from '#page/format/time.ts';
import { Checkbox } from '#page/parts/checkbox.tsx';
import { Field } from '#page/parts/field.tsx';
import { NumberInput } from '#page/parts/number-input.tsx';
import type { AlarmDraft, alarmRules } from './alarm-draft.ts';
import { alarmEditorText } from './alarm-editor-texts.ts';
import { usedNoDataSeconds } from './used-no-data.ts';

type AlarmRule = (typeof alarmRules)[number];

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
	// The time without data is the only rule whose default depends on the variable.
	const hints: Readonly<Record<AlarmRule, string>> = {
		deadband: text.ruleHints.deadband,
		onDelaySeconds: `${text.ruleHints.onDelaySeconds} ${text.defaultIs('0 s')}`,
		offDelaySeconds: `${text.ruleHints.offDelaySeconds} ${text.defaultIs(secondsText(defaultOffDelaySeconds))}`,
		noDataSeconds: noDataHint(draft, variable),
	};
	const rule = (name: AlarmRule, label: string) => (
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

/** Returns the hint of the time without data: its default, and the time that the service uses instead of a shorter one. */
function noDataHint({ noDataSeconds }: AlarmDraft, variable: Variable | undefined): string {
	const text = alarmEditorText();
	const defaultSeconds = variable === undefined ? null : usedNoDataSeconds(variable);
	const typed = typeof noDataSeconds === 'number' ? noDataSeconds : null;
	const usedSeconds = variable === undefined ? null : usedNoDataSeconds(variable, typed);
	const isRaised = typed !== null && usedSeconds !== null && usedSeconds > typed;
	return [
		text.ruleHints.noDataSeconds,
		defaultSeconds === null ? '' : text.defaultIs(secondsText(defaultSeconds)),
		isRaised ? text.noDataLonger(secondsText(usedSeconds)) : '',
	]
		.filter((part) => part !== '')
		.join(' ');
}

/** From this length on, a number of seconds is also shown in longer units. */
const longSeconds = 120;

/** Formats a length in seconds: `90 s`, `600 s (10 min)`. */
function secondsText(seconds: number): string {
	const text = `${formatExact(seconds)} s`;
	return seconds < longSeconds ? text : `${text} (${formatAge(seconds * 1000)})`;
}
