import { api, type FieldError, type Result, resultOf, type Schemas } from '#page/core/api.ts';
import type { Trial, TrialState } from '#page/core/trial.ts';
import { wrongAnswer } from '#page/core/wrong-answer.ts';
import { type ReportDraft, reportBodyOf, rightPartOf } from '#page/reports/report-draft.ts';

/** The numbers of a draft for yesterday. */
export type TriedReport = Schemas['TriedReport'];

/** The number of a line for yesterday. */
export type TriedLine = Schemas['CountedLine'];

/** The trial of a draft: it asks the service for the numbers that the draft would have for yesterday. */
export type ReportTrial = Trial<TrialBody, TriedReport>;

/** The state of the trial of a draft. */
export type ReportTrialState = TrialState<TriedReport>;

/** The body of a trial. It contains the lines without problems. */
export type TrialBody = ReturnType<typeof reportBodyOf>;

/** The title of a tried report, and the name of each of its lines. */
const anyName = '–';

/**
 * Returns the body that tries a draft; null if no line can be tried. The draft is sent as a new report, so that the stored one has no
 * influence. Fields that do not change the numbers always have the same value, so an edit of them leaves the body as it was, and nothing is
 * tried again.
 */
export function trialBodyOf(draft: ReportDraft, problems: ReadonlyMap<string, FieldError>): TrialBody | null {
	const rightPart = rightPartOf(draft, problems);
	if (rightPart === null) return null;
	const { lines, ...report } = reportBodyOf({ ...rightPart, id: 0, title: anyName, send: false });
	return { ...report, lines: lines.map((line) => ({ ...line, name: anyName, decimals: null, group: null })) };
}

/** Asks the service to count yesterday. Nothing is stored, so the request needs no idempotency key. */
export async function sendReportTrial(body: TrialBody): Promise<Result<TriedReport>> {
	const result = await resultOf(api.POST('/saveReport', { params: { query: { dryRun: '1' }, header: {} }, body }));
	if (!result.ok) return result;
	const { data } = result.data;
	if (!('report' in data)) throw wrongAnswer('dry run');
	return { ...result, data };
}

/**
 * Returns the service's errors about fields of lines, by the path of the field in the draft. Other errors are left out. The positions of
 * lines may differ, because a trial lacks the wrong lines of the draft.
 */
export function trialProblems(
	{ lines }: Pick<ReportDraft, 'lines'>,
	sent: TrialBody | null,
	{ failure }: ReportTrialState,
): ReadonlyMap<string, FieldError> {
	const found = Object.entries(failure?.errors ?? {}).flatMap(([path, error]): readonly [string, FieldError][] => {
		// Such as `lines.3.counter.size`.
		const [, sentIndex = '', field = ''] = /^lines\.(\d+)\.(.+)$/.exec(path) ?? [];
		const key = sent?.lines[Number(sentIndex)]?.key;
		const index = sentIndex === '' ? -1 : lines.findIndex((line) => line.key === key);
		return index < 0 ? [] : [[`lines.${index}.${field}`, error]];
	});
	return new Map(found);
}
