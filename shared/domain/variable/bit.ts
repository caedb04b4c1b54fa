import * as v from 'valibot';
import { bitPositionSchema, idSchema, listUpTo, text, uniqueBy } from '../validation/field.ts';
import { maxTextLength } from '../validation/input-limits.ts';
import { messageFor } from '../validation/parse.ts';
import { problem } from '../validation/problem.ts';

const maxBits = 8;

/** A bit as it is sent and stored. */
export const bitSchema = v.object({ id: idSchema, name: text(maxTextLength), bit: bitPositionSchema });

/** A named bit of a byte (shared/domain/variable/README.md#bits). */
export type Bit = v.InferOutput<typeof bitSchema>;

/** The bits of a bit-compressed variable: 1 to 8, each with its own id and position. */
export const bitsSchema = v.pipe(
	...listUpTo(bitSchema, maxBits, 'bits'),
	v.nonEmpty(messageFor(problem('bits_required', 'At least one bit is required when binary_compressed is true.'))),
	uniqueBy<Bit>('id'),
	uniqueBy<Bit>('bit'),
);
