import * as v from 'valibot';
import { atMost, idSchema, maxTextLength, text, variableIdSchema } from '../validation/field.ts';
import { maxBoardItems, type Reference } from './reference.ts';

/** A chart: one line for each series. */
export const chartSchema = v.object({
	id: idSchema,
	title: text(maxTextLength),
	series: v.pipe(
		v.array(
			v.object({
				varId: variableIdSchema,
				label: v.optional(text(maxTextLength)),
				color: v.optional(text(maxTextLength)),
			}),
		),
		atMost(maxBoardItems, 'series'),
	),
});

export type Chart = v.InferOutput<typeof chartSchema>;

export function chartReferences({ series }: Chart): readonly Reference[] {
	return series.map(({ varId }, index) => ({ path: `series.${index}`, varId }));
}

/** The chart less a variable's series. */
export function chartWithout(chart: Chart, varId: number): Chart {
	return {
		...chart,
		series: chart.series.filter((each) => each.varId !== varId),
	};
}
