import { completeReport, type Report, type ReportLine, reportSchema } from '#domain/board/report.ts';
import { parse } from '#domain/validation/parse.ts';
import { api, resultOf, type Schemas } from '#page/core/api.ts';
import { checkInput } from '#page/core/check-input.ts';
import { variables } from '#page/core/definitions.ts';
import { type DraftRequests, foundIn, type Versioned } from '#page/core/draft-editor.ts';
import { type DraftField, type DraftVersions, fieldOf, listFields } from '#page/core/draft-fields.ts';
import { formatFormula } from '#page/format/formula.ts';
import { formatExact } from '#page/format/number.ts';
import { commonText } from '#page/i18n/common.ts';
import { reportText } from './report-texts.ts';

/** Checks, saves and reads a report. */
export const reportRequests: DraftRequests<Report> = {
	check: (draft) => checkInput((input) => completeReport(parse(reportSchema, input)), draft),
	isMissing: (_, { id }) => id === 0,
	save: async (draft, header) => {
		const body = { ...draft, lines: draft.lines.map(lineBodyOf) };
		const result = await resultOf(api.POST('/saveReport', { params: { header }, body }));
		if (!result.ok) return result;
		const { data: saved } = result.data;
		// Only a dry run answers anything else.
		if ('report' in saved) throw new Error('The service answered a save like a dry run.');
		return { ...result, data: storedReportDraft(saved) };
	},
	read: async ({ id }) =>
		foundIn(await resultOf(api.GET('/getReports', { params: { query: { ids: [id] } } })), id, storedReportDraft),
};

/** Returns a line as it is sent: null stands for a field that is left out. */
function lineBodyOf(line: ReportLine) {
	const { varId, bit, per, holdSeconds, above, range, counter, between, equation, severity, decimals, group, ...always } = line;
	return {
		...always,
		...{ varId: varId ?? null, bit: bit ?? null, per: per ?? null, holdSeconds: holdSeconds ?? null, above: above ?? null },
		...{ range: range ?? null, between: between ?? null, severity: severity ?? null, decimals: decimals ?? null },
		group: group ?? null,
		counter: counter === undefined ? null : { size: counter.size ?? null, dip: counter.dip ?? null },
		equation: equation === undefined ? null : [...equation],
	};
}

/** Returns the draft of a stored report; null where it is none. */
export function reportDraftOf(stored: unknown): Report | null {
	let draft: Report | null = null;
	const problems = checkInput((input) => {
		draft = completeReport(parse(reportSchema, input));
	}, stored);
	return problems.size === 0 ? draft : null;
}

function storedReportDraft(stored: Schemas['Report']): Versioned<Report> {
	const content = reportDraftOf(stored);
	if (content === null) throw new Error('The service answered with a report that it would refuse.');
	return { content, version: stored.version };
}

/** Returns the fields by which two versions are compared. Lines are compared by their keys. */
export function reportVersionFields(versions: DraftVersions<Report>): readonly DraftField<Report>[] {
	const text = reportText();
	return [
		fieldOf<Report>(['title'], commonText().title, ({ title }) => title),
		fieldOf<Report>(['timeZone'], commonText().timeZone, ({ timeZone }) => timeZone),
		fieldOf<Report>(['dayStart'], text.dayStart, ({ dayStart }) => dayStart),
		fieldOf<Report>(['send'], text.send, ({ send }) => (send ? text.sent : '')),
		...listFields<Report, ReportLine>(
			{
				key: 'lines',
				itemsOf: ({ lines }) => lines,
				withItems: (report, lines) => ({ ...report, lines: [...lines] }),
				nameOf: ({ key }) => key,
				labelOf: ({ name }) => name,
				textOf: lineWords,
			},
			versions,
		),
	];
}

/** Says what a line counts: `Sum over time · Distribution flow · h · m³`. */
function lineWords(line: ReportLine): string {
	const { function: counted, varId, equation, between, range, holdSeconds, counter } = line;
	const words: readonly (string | number | undefined)[] = [
		reportText().functions[counted],
		varId === undefined ? undefined : (variables.rows.value?.get(varId)?.name ?? `#${varId}`),
		line.bit === undefined ? undefined : `${commonText().bit} ${line.bit}`,
		equation === undefined ? undefined : formatFormula(equation),
		line.per,
		line.above === undefined ? undefined : `> ${formatExact(line.above)}`,
		range?.map(formatExact).join(' – '),
		between?.join(' – '),
		holdSeconds === undefined ? undefined : `${holdSeconds} s`,
		counter?.size,
		line.severity,
		line.unit,
		line.decimals,
		line.group,
	];
	return words.filter((word) => word !== undefined && word !== '').join(' · ');
}
