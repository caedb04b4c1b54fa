import * as v from 'valibot';
import { bitPositionSchema, finiteNumber, idSchema, maxTextLength, text, variableIdSchema } from '../validation/field.ts';
import type { Reference } from './reference.ts';

/** The conditions of an alarm, each over the value and the threshold. */
const conditions = {
	'>': (value: number, threshold: number) => value > threshold,
	'>=': (value: number, threshold: number) => value >= threshold,
	'<': (value: number, threshold: number) => value < threshold,
	'<=': (value: number, threshold: number) => value <= threshold,
	'==': (value: number, threshold: number) => value === threshold,
	'!=': (value: number, threshold: number) => value !== threshold,
} as const;

/** An alarm: a condition on one variable, or on one bit of it. */
export const alarmSchema = v.object({
	id: idSchema,
	name: text(maxTextLength),
	varId: variableIdSchema,
	bit: v.optional(bitPositionSchema),
	condition: v.picklist(['>', '>=', '<', '<=', '==', '!=']),
	threshold: finiteNumber,
	severity: v.picklist(['info', 'warning', 'critical']),
	message: text(maxTextLength),
});

export type Alarm = v.InferOutput<typeof alarmSchema>;

export function alarmReferences({ varId, bit }: Alarm): readonly Reference[] {
	return [{ path: '', varId, bit }];
}

/** Whether the alarm's condition holds for a value. */
export function isActive({ condition, threshold }: Alarm, value: number): boolean {
	return conditions[condition](value, threshold);
}
