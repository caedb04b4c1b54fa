import { variables } from '#page/core/definitions.ts';
import { type DraftField, type DraftVersions, fieldOf, listFields } from '#page/core/draft-fields.ts';
import { commonText } from '#page/i18n/common.ts';
import type { ChartInput } from './chart-draft.ts';

/** A line of a chart. */
export type ChartLine = ChartInput['series'][number];

/**
 * Returns the fields by which two versions are compared. Lines of the same variable are compared with each other.
 * @param wordsOf describes a line in full; without it, a line is described by its variable
 */
export function chartVersionFields(
	versions: DraftVersions<ChartInput>,
	wordsOf: (line: ChartLine) => string = lineNameOf,
): readonly DraftField<ChartInput>[] {
	return [
		fieldOf<ChartInput>(['title'], commonText().title, ({ title }) => title),
		...listFields<ChartInput, ChartLine>(
			{
				key: 'series',
				itemsOf: ({ series }) => series,
				withItems: (chart, series) => ({ ...chart, series: [...series] }),
				nameOf: ({ varId }) => varId,
				labelOf: lineNameOf,
				textOf: wordsOf,
			},
			versions,
		),
	];
}

/** Names the variable of a line. */
export function lineNameOf({ varId }: ChartLine): string {
	return variables.rows.value?.get(varId)?.name ?? `#${varId}`;
}
