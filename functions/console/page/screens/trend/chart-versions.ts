import { chartSchema } from '#domain/board/chart.ts';
import { parse } from '#domain/validation/parse.ts';
import { checkInput } from '#page/core/check-input.ts';
import type { Chart } from '#page/core/definitions.ts';
import { createItemVersions } from '#page/core/item-versions.ts';
import { type ChartInput, chartRequests, storedDraftOf } from './chart-draft.ts';
import { type ChartLine, chartVersionFields, lineNameOf } from './chart-version-fields.ts';

/** Compares and saves versions of charts. */
export const versions = createItemVersions<ChartInput>({
	draftOf: ({ content, version }) => {
		const row = { ...content, version };
		return isChart(row) ? storedDraftOf(row).content : null;
	},
	fieldsOf: (compared) => chartVersionFields(compared, lineWords),
	requests: chartRequests,
});

function isChart(row: unknown): row is Chart {
	return checkInput((input) => parse(chartSchema, input), row).size === 0;
}

/** Describes a line by its label and its colour. */
function lineWords(line: ChartLine): string {
	return [lineNameOf(line), line.label ?? '', line.color ?? ''].filter((text) => text !== '').join(' · ');
}
