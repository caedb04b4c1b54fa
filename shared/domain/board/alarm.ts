import * as v from 'valibot';
import {
	bitPositionSchema,
	finiteNumber,
	idSchema,
	maxTextLength,
	optionalField,
	text,
	variableIdSchema,
} from '../validation/field.ts';

/** An alarm: a condition on one variable, or on one bit of it. */
export const alarmSchema = v.object({
	id: idSchema,
	name: text(maxTextLength),
	varId: variableIdSchema,
	bit: optionalField(bitPositionSchema),
	condition: v.picklist(['>', '>=', '<', '<=', '==', '!=']),
	threshold: finiteNumber,
	severity: v.picklist(['info', 'warning', 'critical']),
	message: text(maxTextLength),
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
export function isActive({ condition, threshold }: Alarm, value: number): boolean {
	return conditions[condition](value, threshold);
}
