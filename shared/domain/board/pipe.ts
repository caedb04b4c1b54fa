import * as v from 'valibot';
import { bitPositionSchema, finiteNumber, fraction, listUpTo, optionalField, variableIdSchema } from '../validation/field.ts';
import { withKeywords } from '../validation/keywords.ts';
import { placeSchema, symbolKeySchema } from './symbol.ts';
import { maxBends, sides } from './symbol-kinds.ts';

/** The end of a pipe. Without `at` it is the middle of the side. */
export type PipeEnd =
	| readonly [key: string, side: (typeof sides)[number]]
	| readonly [key: string, side: (typeof sides)[number], at: number];

/** Shortens an end without a place to two entries. JSON would write an undefined third one as null. */
const withoutAbsentPlace = v.transform<[string, (typeof sides)[number], number | undefined], PipeEnd>(([key, side, at]) =>
	at === undefined ? [key, side] : [key, side, at],
);

const sideSchema = v.picklist(sides);

/** The end of a pipe: the key of a symbol, a side of it, and the place along that side from 0 to 1 (left out: 0.5). */
const pipeEndSchema = v.pipe(
	v.strictTuple([symbolKeySchema, sideSchema, optionalField(fraction)]),
	withKeywords(withoutAbsentPlace, { minItems: 2, items: v.unknown() }),
);

/** A pipe between two symbols: it flows while its variable is above `over`, or its bit is on, and the other way while it is below `-over`. */
export const diagramPipeSchema = v.object({
	from: pipeEndSchema,
	to: pipeEndSchema,
	/** The bends between the ends. */
	via: optionalField(v.pipe(...listUpTo(placeSchema, maxBends, 'bends'))),
	varId: optionalField(variableIdSchema),
	bit: optionalField(bitPositionSchema),
	/** Left out: 0. */
	over: optionalField(finiteNumber),
	/** Whether it is drawn thin. */
	thin: optionalField(v.boolean()),
});

/** A pipe of a diagram. */
export type DiagramPipe = v.InferOutput<typeof diagramPipeSchema>;
