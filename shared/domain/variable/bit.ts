import * as v from 'valibot';
import { atMost, bitPositionSchema, idSchema, maxTextLength, text, uniqueBy } from '../validation/field.ts';

/** Most bits of a variable (specification section 2.1). */
export const maxBits = 8;

/** One named boolean state of a byte (specification section 2.3). */
export const bitSchema = v.object({ id: idSchema, name: text(maxTextLength), bit: bitPositionSchema });

export type Bit = v.InferOutput<typeof bitSchema>;

/** The bits of a bit-compressed variable: 1 to 8, no id and no position twice. */
export const bitsSchema = v.pipe(
	v.array(bitSchema),
	v.nonEmpty('At least one bit is required when binary_compressed is true.'),
	atMost<Bit>(maxBits, 'bits'),
	uniqueBy<Bit>('id'),
	uniqueBy<Bit>('bit'),
);

/** Whether `value` is a byte: a whole number from 0 to 255. */
export function isByte(value: number): boolean {
	return Number.isInteger(value) && value >= 0 && value <= 255;
}

/** The state of one bit of a byte, position 0 being the least significant. */
export function bitOf(byte: number, position: number): 0 | 1 {
	return ((byte >> position) & 1) === 1 ? 1 : 0;
}
