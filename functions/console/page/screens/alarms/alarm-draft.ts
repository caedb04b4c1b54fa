import { alarmSchema, completeAlarm } from '#domain/board/alarm.ts';
import { parse } from '#domain/validation/parse.ts';
import type { FieldError, Schemas } from '#page/core/api.ts';
import { checkInput } from '#page/core/check-input.ts';
import type { Variable } from '#page/core/definitions.ts';
import { type Binding, bindingProblems } from '#page/core/reference-problems.ts';
import type { TypedNumber } from '#page/format/typed-number.ts';

type AlarmContent = Omit<Schemas['Alarm'], 'version'>;

/** The optional rules of an alarm (shared/domain/alarm/README.md#definition). The deadband is in the unit of the value. */
export const alarmRules = ['deadband', 'onDelaySeconds', 'offDelaySeconds', 'noDataSeconds'] as const;

/** An alarm while it is edited. `threshold` is null if the typed text is not a number. */
export interface AlarmDraft extends Binding {
	/** 0 before the first save. */
	readonly id: number;
	readonly name: string;
	readonly condition: AlarmContent['condition'];
	readonly threshold: TypedNumber;
	readonly severity: AlarmContent['severity'];
	readonly message: string;
	readonly enabled: boolean;
	readonly deadband: TypedNumber;
	readonly onDelaySeconds: TypedNumber;
	readonly offDelaySeconds: TypedNumber;
	readonly noDataSeconds: TypedNumber;
}

/** The draft of a new alarm. Variable and threshold have no default, so the person must give them. */
export const newAlarmDraft: AlarmDraft = {
	id: 0,
	name: '',
	varId: null,
	bit: null,
	condition: '>',
	threshold: null,
	severity: 'warning',
	message: '',
	enabled: true,
	deadband: null,
	onDelaySeconds: null,
	offDelaySeconds: null,
	noDataSeconds: null,
};

/** Returns the draft of a stored alarm. */
export function alarmDraftOf(alarm: AlarmContent): AlarmDraft {
	const { id, name, varId, bit, condition, threshold, severity, message } = alarm;
	const { deadband = null, onDelaySeconds = null, offDelaySeconds = null, noDataSeconds = null } = alarm;
	return {
		id,
		name,
		varId,
		bit: bit ?? null,
		condition,
		threshold,
		severity,
		message,
		enabled: alarm.enabled ?? true,
		deadband,
		onDelaySeconds,
		offDelaySeconds,
		noDataSeconds,
	};
}

/**
 * Returns the body that saves a draft. A missing variable or threshold is sent as 0, and `alarmProblems` reports it. Empty rules are sent
 * as null, which restores their default: an absent rule would keep its stored value. An absent bit removes the stored one. A bit that is
 * not chosen yet is left out, too, and `alarmProblems` reports it.
 */
export function alarmBodyOf({ varId, bit, threshold, enabled, ...others }: AlarmDraft): Schemas['AlarmInput'] {
	return {
		...others,
		varId: varId ?? 0,
		threshold: numberOf(threshold) ?? 0,
		...(typeof bit === 'number' ? { bit } : {}),
		// Null restores the default: evaluated.
		enabled: enabled ? null : false,
		deadband: numberOf(others.deadband),
		onDelaySeconds: numberOf(others.onDelaySeconds),
		offDelaySeconds: numberOf(others.offDelaySeconds),
		noDataSeconds: numberOf(others.noDataSeconds),
	};
}

/** Returns a typed number; null for an empty field, and for a text that is not a number, which `alarmProblems` reports. */
function numberOf(typed: TypedNumber): number | null {
	return typed === 'unreadable' ? null : typed;
}

/**
 * Checks a draft with the service's own rules and against the variables. Returns the problems by field.
 * @param variables undefined until they were read
 */
export function alarmProblems(
	draft: AlarmDraft,
	variables: ReadonlyMap<number, Variable> | undefined,
): ReadonlyMap<string, FieldError> {
	// A draft names every field, so that no field of the stored alarm counts.
	const stored = null;
	const problems = checkInput((input) => completeAlarm(parse(alarmSchema, input), stored), alarmBodyOf(draft));
	if (numberOf(draft.threshold) === null) problems.set('threshold', noNumber);
	for (const rule of alarmRules) if (draft[rule] === 'unreadable') problems.set(rule, noNumber);
	for (const [field, problem] of bindingProblems(draft, variables)) problems.set(field, problem);
	return problems;
}

const noNumber: FieldError = { code: 'no_number', message: 'Write a number.', params: {} };
