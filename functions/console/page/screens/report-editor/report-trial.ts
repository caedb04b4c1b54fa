import type { Schemas } from '#page/core/api.ts';
import { api, type FieldError, type Result, resultOf } from '#page/core/api.ts';
import type { Trial, TrialState } from '#page/core/trial.ts';
import { type ReportDraft, reportBodyOf, rightPartOf } from '#page/reports/report-draft.ts';

/** The numbers of yesterday. */
export type TriedReport = Schemas['TriedReport'];

/** The number of a line. */
export type TriedLine = Schemas['CountedLine'];

/** Counts yesterday as a report that is typed would tell it. */
export type ReportTrial = Trial<TrialBody, TriedReport>;

/** What is known of a report that is typed. */
export type ReportTrialState = TrialState<TriedReport>;

/** What is tried: the lines in which nothing is wrong. */
export type TrialBody = ReturnType<typeof reportBodyOf>;

/**
 * Returns what can be tried of a draft; null where nothing can. It is tried as a new report, so that nothing depends on what is stored, and
 * without what does not change its numbers.
 */
export function trialBodyOf(draft: ReportDraft, problems: ReadonlyMap<string, FieldError>): TrialBody | null {
	const right = rightPartOf(draft, problems);
	if (right === null) return null;
	const { lines, ...report } = reportBodyOf({ ...right, id: 0, title: '–', send: false });
	return { ...report, lines: lines.map((line) => ({ ...line, name: '–', decimals: null, group: null })) };
}

/** Has the service count yesterday, and stores nothing. */
export async function sendReportTrial(body: TrialBody): Promise<Result<TriedReport>> {
	const result = await resultOf(api.POST('/saveReport', { params: { query: { dryRun: '1' }, header: {} }, body }));
	if (!result.ok) return result;
	const { data } = result.data;
	if (!('report' in data)) throw new Error('The service answered a dry run like a save.');
	return { ...result, data };
}

/** Returns what the service found wrong in a trial, by the path of the field in the draft: a trial may lack lines of it. */
export function trialProblems(
	{ lines }: Pick<ReportDraft, 'lines'>,
	sent: TrialBody | null,
	{ failure }: ReportTrialState,
): ReadonlyMap<string, FieldError> {
	const found = Object.entries(failure?.errors ?? {}).flatMap(([path, error]): readonly [string, FieldError][] => {
		const [, place = '', field = ''] = /^lines\.(\d+)\.(.+)$/.exec(path) ?? [];
		const key = sent?.lines[Number(place)]?.key;
		const index = place === '' ? -1 : lines.findIndex((line) => line.key === key);
		return index < 0 ? [] : [[`lines.${index}.${field}`, error]];
	});
	return new Map(found);
}
