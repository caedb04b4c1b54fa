import * as v from 'valibot';
import {
	bitPositionSchema,
	finiteNumber,
	idSchema,
	integerFrom,
	notNegative,
	optionalField,
	rule,
	text,
	variableIdSchema,
} from '../validation/field.ts';
import { maxTextLength } from '../validation/input-limits.ts';
import { withKeywords } from '../validation/keywords.ts';
import { ValidationIssues } from '../validation/parse.ts';
import { problem } from '../validation/problem.ts';
import { clearingThreshold, conditions } from './condition.ts';

/** The longest delay of an alarm (a day), and the shortest one before it is cleared, in seconds. */
const maxDelaySeconds = 86_400;
const minOffDelaySeconds = 10;
/** The shortest and the longest time without data (30 days) after which an alarm can be raised, in seconds. */
const minNoDataSeconds = 60;
const maxNoDataSeconds = 2_592_000;

/** Accepts 0 (never) or a number of seconds from `minNoDataSeconds`. */
const zeroOrMinimum = rule<number>(
	(value) => value === 0 || value >= minNoDataSeconds,
	problem('between_zero_and_minimum', `Must be 0 (never), or at least ${minNoDataSeconds}.`, { minimum: minNoDataSeconds }),
);

/**
 * An alarm: a condition on one variable, or on one bit of it. The last five fields are optional (shared/domain/alarm/README.md#definition).
 * On an update, an absent one keeps its stored value and null restores its default. `bit` is optional, too, but an absent one is removed. A
 * stored alarm has no null.
 */
export const alarmSchema = v.object({
	id: idSchema,
	name: text(maxTextLength),
	varId: variableIdSchema,
	bit: optionalField(bitPositionSchema),
	condition: v.picklist(conditions),
	threshold: finiteNumber,
	severity: v.picklist(['info', 'warning', 'critical']),
	message: withKeywords(text(maxTextLength), { form: 'lines' }),
	/** False: the alarm is not evaluated. */
	enabled: v.nullish(v.boolean()),
	/** How far the value must move back past the threshold before the condition ends, in the variable's unit. */
	deadband: v.nullish(v.pipe(finiteNumber, notNegative)),
	/** How long the condition must hold before the alarm is raised, in seconds. */
	onDelaySeconds: v.nullish(v.pipe(finiteNumber, integerFrom(0, maxDelaySeconds))),
	/** How long the condition must not hold before the alarm is cleared, in seconds. The minimum limits how often an alarm can change. */
	offDelaySeconds: v.nullish(v.pipe(finiteNumber, integerFrom(minOffDelaySeconds, maxDelaySeconds))),
	/** How long there may be no usable value before the alarm is raised for that, in seconds; 0: never. */
	noDataSeconds: v.nullish(v.pipe(finiteNumber, integerFrom(0, maxNoDataSeconds), zeroOrMinimum)),
});

/** The content of an alarm. */
export type Alarm = v.InferOutput<typeof alarmSchema>;

/** Returns whether the alarm is evaluated, which it is by default. */
export function isEnabled({ enabled }: Pick<Alarm, 'enabled'>): boolean {
	return enabled ?? true;
}

/**
 * Returns the alarm that a save stores. Of the last five fields, an absent one keeps its stored value, and null restores the default: a
 * client that sends back only the fields that it knows does not change the others. An absent bit removes the stored one.
 * @param stored null: the alarm is new
 * @throws DomainError `invalid` when the deadband cannot have an effect
 */
export function completeAlarm(sent: Alarm, stored: Alarm | null): Alarm {
	const alarm: Alarm = {
		...sent,
		enabled: chosen(sent.enabled, stored?.enabled),
		deadband: chosen(sent.deadband, stored?.deadband),
		onDelaySeconds: chosen(sent.onDelaySeconds, stored?.onDelaySeconds),
		offDelaySeconds: chosen(sent.offDelaySeconds, stored?.offDelaySeconds),
		noDataSeconds: chosen(sent.noDataSeconds, stored?.noDataSeconds),
	};
	checkDeadband(alarm);
	return alarm;
}

/** Returns what a save stores of an optional field: the sent value, or the stored one where none was sent. Null becomes the default. */
const chosen = <Value>(sent: Value | null | undefined, stored: Value | null | undefined): Value | undefined =>
	(sent === undefined ? stored : sent) ?? undefined;

/** Checks that the deadband moves the threshold to another number. */
function checkDeadband(alarm: Alarm): void {
	const { condition, threshold, bit } = alarm;
	const deadband = alarm.deadband ?? 0;
	if (deadband === 0) return;
	const issues = new ValidationIssues();
	const movedThreshold = clearingThreshold(alarm, deadband);
	if (condition === '==' || condition === '!=' || bit !== undefined)
		issues.add('deadband', problem('deadband_not_possible', 'Must be 0 with == and !=, and with a bit.'));
	else if (!Number.isFinite(movedThreshold) || movedThreshold === threshold)
		issues.add(
			'deadband',
			problem('deadband_without_effect', 'Is too small or too large: the threshold moved by it must be another number.'),
		);
	issues.throwIfAny();
}
