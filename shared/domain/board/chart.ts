import * as v from 'valibot';
import { atMostVariables, idSchema, listUpTo, optionalField, text, variableIdSchema } from '../validation/field.ts';
import { maxTextLength } from '../validation/input-limits.ts';
import { maxBoardItems, maxBoardVariables } from './reference.ts';

/** A line of a chart. */
export const chartSeriesSchema = v.object({
	varId: variableIdSchema,
	label: optionalField(text(maxTextLength)),
	color: optionalField(text(maxTextLength)),
});

/** A chart with one line for each series. */
export const chartSchema = v.pipe(
	v.object({
		id: idSchema,
		title: text(maxTextLength),
		series: v.pipe(...listUpTo(chartSeriesSchema, maxBoardItems, 'series')),
	}),
	atMostVariables(maxBoardVariables, maxBoardItems, 'series'),
);

/** The content of a chart. */
export type Chart = v.InferOutput<typeof chartSchema>;
