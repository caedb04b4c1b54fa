import * as v from 'valibot';
import { atMost, atMostVariables, idSchema, maxTextLength, text, variableIdSchema } from '../validation/field.ts';
import { maxBoardItems, maxBoardVariables } from './reference.ts';

const seriesSchema = v.object({
	varId: variableIdSchema,
	label: v.optional(text(maxTextLength)),
	color: v.optional(text(maxTextLength)),
});

/** A chart with one line for each series. */
export const chartSchema = v.pipe(
	v.object({
		id: idSchema,
		title: text(maxTextLength),
		series: v.pipe(v.array(seriesSchema), atMost(maxBoardItems, 'series')),
	}),
	atMostVariables(maxBoardVariables, 'series'),
);

/** The content of a chart. */
export type Chart = v.InferOutput<typeof chartSchema>;
