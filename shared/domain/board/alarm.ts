import * as v from 'valibot';
import {
	bitPositionSchema,
	finiteNumber,
	idSchema,
	integerFrom,
	maxTextLength,
	optionalField,
	rule,
	text,
	variableIdSchema,
} from '../validation/field.ts';
import { problem } from '../validation/problem.ts';

/** The longest delay of an alarm in seconds. */
const maxDelaySeconds = 86_400;
/** The shortest and the longest time without data after which an alarm can be raised, in seconds. */
const minNoDataSeconds = 60;
const maxNoDataSeconds = 2_592_000;

const notNegative = rule<number>((value) => value >= 0, problem('below_minimum', 'Must be at least 0.', { minimum: 0 }), {
	minimum: 0,
});

/** Accepts 0 (never) or a number of seconds from `minNoDataSeconds`. */
const zeroOrMinimum = rule<number>(
	(value) => value === 0 || value >= minNoDataSeconds,
	problem('between_zero_and_minimum', `Must be 0 (never), or at least ${minNoDataSeconds}.`, { minimum: minNoDataSeconds }),
);

/**
 * An alarm: a condition on one variable, or on one bit of it. The last five fields are optional (DESIGN.md section 11). On an update,
 * an absent one keeps its stored value and null restores its default. A stored alarm has no null.
 */
export const alarmSchema = v.object({
	id: idSchema,
	name: text(maxTextLength),
	varId: variableIdSchema,
	bit: optionalField(bitPositionSchema),
	condition: v.picklist(['>', '>=', '<', '<=', '==', '!=']),
	threshold: finiteNumber,
	severity: v.picklist(['info', 'warning', 'critical']),
	message: text(maxTextLength),
	/** False: the alarm is not evaluated. */
	enabled: v.nullish(v.boolean()),
	/** How far the value must move back past the threshold before the condition ends, in the variable's unit. */
	deadband: v.nullish(v.pipe(finiteNumber, notNegative)),
	/** How long the condition must hold before the alarm is raised, in seconds. */
	onDelaySeconds: v.nullish(v.pipe(finiteNumber, integerFrom(0, maxDelaySeconds))),
	/** How long the condition must not hold before the alarm is cleared, in seconds. The minimum limits how often an alarm can change. */
	offDelaySeconds: v.nullish(v.pipe(finiteNumber, integerFrom(10, maxDelaySeconds))),
	/** How long there may be no usable value before the alarm is raised for that, in seconds; 0: never. */
	noDataSeconds: v.nullish(v.pipe(finiteNumber, integerFrom(0, maxNoDataSeconds), zeroOrMinimum)),
});

/** The content of an alarm. */
export type Alarm = v.InferOutput<typeof alarmSchema>;

const conditions: Readonly<Record<Alarm['condition'], (value: number, threshold: number) => boolean>> = {
	'>': (value, threshold) => value > threshold,
	'>=': (value, threshold) => value >= threshold,
	'<': (value, threshold) => value < threshold,
	'<=': (value, threshold) => value <= threshold,
	'==': (value, threshold) => value === threshold,
	'!=': (value, threshold) => value !== threshold,
};

/** Returns whether the alarm's condition holds for a value. */
export function isActive({ condition, threshold }: Pick<Alarm, 'condition' | 'threshold'>, value: number): boolean {
	return conditions[condition](value, threshold);
}
