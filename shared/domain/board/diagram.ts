import * as v from 'valibot';
import {
	atMost,
	atMostVariables,
	bitPositionSchema,
	eachItem,
	finiteNumber,
	idSchema,
	listSchema,
	maxTextLength,
	optionalField,
	rule,
	text,
	variableIdSchema,
} from '../validation/field.ts';
import { problem } from '../validation/problem.ts';
import { maxBoardItems, maxBoardVariables } from './reference.ts';

/** A position on the diagram as a fraction of its width or height. */
const fraction = v.pipe(
	finiteNumber,
	rule<number>(
		(value) => value >= 0 && value <= 1,
		problem('number_out_of_range', 'Must be a number from 0 to 1.', { minimum: 0, maximum: 1 }),
		{ minimum: 0, maximum: 1 },
	),
);

/** An item of a diagram. */
export const diagramItemSchema = v.object({
	varId: variableIdSchema,
	bit: optionalField(bitPositionSchema),
	x: fraction,
	y: fraction,
	label: optionalField(text(maxTextLength)),
});

/** A diagram with values at positions on a picture. */
export const diagramSchema = v.pipe(
	v.object({
		id: idSchema,
		title: text(maxTextLength),
		items: v.pipe(listSchema, atMost(maxBoardItems, 'items'), eachItem(diagramItemSchema)),
	}),
	atMostVariables(maxBoardVariables, maxBoardItems, 'items'),
);

/** The content of a diagram. */
export type Diagram = v.InferOutput<typeof diagramSchema>;
