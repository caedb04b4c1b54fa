import { chartSchema } from '#domain/board/chart.ts';
import { parse } from '#domain/validation/parse.ts';
import { type Chart, variables } from '#page/core/definitions.ts';
import { type DraftField, type DraftVersions, fieldOf, listFields } from '#page/core/draft-fields.ts';
import { createItemVersions, draftOfChecked } from '#page/core/item-versions.ts';
import { commonText } from '#page/i18n/common.ts';
import { type ChartInput, chartRequests, storedDraftOf } from './chart-draft.ts';

/** Compares and saves versions of charts. */
export const versions = createItemVersions<ChartInput>({
	draftOf: draftOfChecked(
		(input) => parse(chartSchema, input),
		(row: Chart) => storedDraftOf(row).content,
	),
	fieldsOf: (compared) => chartVersionFields(compared, lineWords),
	conflictFieldsOf: (compared) => chartVersionFields(compared, lineNameOf),
	requests: chartRequests,
});

/** A line of a chart. */
type ChartLine = ChartInput['series'][number];

/**
 * Returns the fields by which two versions are compared. Lines of the same variable are compared with each other.
 * @param wordsOf describes a line
 */
function chartVersionFields(
	versions: DraftVersions<ChartInput>,
	wordsOf: (line: ChartLine) => string,
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
function lineNameOf({ varId }: ChartLine): string {
	return variables.rows.value?.get(varId)?.name ?? `#${varId}`;
}

/** Describes a line by its label and its colour. */
function lineWords(line: ChartLine): string {
	return [lineNameOf(line), line.label ?? '', line.color ?? ''].filter((text) => text !== '').join(' · ');
}
