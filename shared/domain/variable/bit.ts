import * as v from 'valibot';
import { atMost, bitPositionSchema, eachItem, idSchema, listSchema, maxTextLength, text, uniqueBy } from '../validation/field.ts';
import { messageFor } from '../validation/parse.ts';
import { problem } from '../validation/problem.ts';

const maxBits = 8;

/** A bit as it is sent and stored. */
export const bitSchema = v.object({ id: idSchema, name: text(maxTextLength), bit: bitPositionSchema });

/** A named bit of a byte (shared/domain/variable/README.md#bits). */
export type Bit = v.InferOutput<typeof bitSchema>;

/** The bits of a bit-compressed variable: 1 to 8, each with its own id and position. */
export const bitsSchema = v.pipe(
	listSchema,
	atMost(maxBits, 'bits'),
	eachItem(bitSchema),
	v.nonEmpty(messageFor(problem('bits_required', 'At least one bit is required when binary_compressed is true.'))),
	uniqueBy<Bit>('id'),
	uniqueBy<Bit>('bit'),
);

/** Returns whether `value` is a whole number from 0 to 255. */
export function isByte(value: number): boolean {
	return Number.isInteger(value) && value >= 0 && value <= 255;
}

/**
 * Returns one bit of a byte. Position 0 is the least significant bit.
 * @example
 * bitOf(0b10000001, 7); // 1
 */
export function bitOf(byte: number, position: number): 0 | 1 {
	return ((byte >> position) & 1) === 1 ? 1 : 0;
}
