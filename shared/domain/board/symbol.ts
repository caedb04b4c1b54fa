import * as v from 'valibot';
import {
	bitPositionSchema,
	finiteNumber,
	fraction,
	listUpTo,
	numberFrom,
	optionalField,
	rule,
	text,
	variableIdSchema,
} from '../validation/field.ts';
import { maxTextLength } from '../validation/input-limits.ts';
import { messageFor } from '../validation/parse.ts';
import { problem } from '../validation/problem.ts';
import { maxBoardItems } from './reference.ts';
import { diagramItemKinds, shapeKinds } from './symbol-kinds.ts';

/** The smallest width and height of a symbol, as a share of the drawing's. */
const minSize = 0.005;

const sizeSchema = numberFrom(minSize, 1);

/** A place on a diagram: shares of its width and height, from the top left. */
export const placeSchema = v.strictTuple([fraction, fraction]);

/** Most characters of the key of a symbol. */
const maxKeyLength = 8;

/** The key by which the ends of pipes name a symbol. */
export const symbolKeySchema = text(maxKeyLength);

/** The values of a variable at which a tank is empty and full. */
const scaleSchema = v.pipe(
	v.strictTuple([finiteNumber, finiteNumber]),
	// The level of the tank is a share of the difference, so the difference must be finite, too.
	v.check(
		([empty, full]) => full > empty && Number.isFinite(full - empty),
		messageFor(problem('not_ascending', 'Its second number must be greater than its first.')),
	),
);

/** How far a symbol is turned clockwise, in degrees. */
const turnSchema = v.pipe(
	finiteNumber,
	rule<number>((value) => [0, 90, 180, 270].includes(value), problem('not_a_quarter_turn', 'Must be 0, 90, 180 or 270.'), {
		type: 'integer',
		minimum: 0,
		maximum: 270,
		multipleOf: 90,
	}),
);

/** The fields of everything that is drawn at a place. Sizes and places are shares of the width and height of the drawing. */
const drawnFields = {
	/** The centre, from the left and from the top. */
	x: fraction,
	y: fraction,
	label: optionalField(text(maxTextLength)),
	key: optionalField(symbolKeySchema),
	/** Width and height. */
	w: optionalField(sizeSchema),
	h: optionalField(sizeSchema),
	turn: optionalField(turnSchema),
	scale: optionalField(scaleSchema),
	/** Where the label stands. */
	words: optionalField(v.picklist(['above', 'below', 'left', 'right'])),
};

/** A variable that is shown on a diagram, as a box with its value or as a symbol. */
export const diagramItemSchema = v.object({
	varId: variableIdSchema,
	bit: optionalField(bitPositionSchema),
	...drawnFields,
	kind: optionalField(v.picklist(diagramItemKinds)),
	/** The place that is measured, to which a line is drawn from the box with the value. */
	tap: optionalField(placeSchema),
});

/** A symbol on a diagram without a variable. */
export const diagramShapeSchema = v.object({ ...drawnFields, kind: v.picklist(shapeKinds) });

/** Refuses a field that would be ignored. */
const ofItemsOnly = optionalField(
	v.never(messageFor(problem('not_of_shape', 'A shape shows no variable: leave it out, or move the shape to items.'))),
);

const sentShapeSchema = v.object({ ...diagramShapeSchema.entries, varId: ofItemsOnly, bit: ofItemsOnly });

/**
 * The shapes of a diagram. A shape with a variable is refused, because the variable would not be stored. The API's description shows a
 * shape without the fields that are refused.
 */
export const shapesSchema = v.pipe(...listUpTo(sentShapeSchema, maxBoardItems, 'shapes', diagramShapeSchema));

/** An item of a diagram. */
export type DiagramItem = v.InferOutput<typeof diagramItemSchema>;

/** A shape of a diagram. */
export type DiagramShape = v.InferOutput<typeof sentShapeSchema>;
