import { api, resultOf, type Schemas } from '#page/core/api.ts';
import { variables } from '#page/core/definitions.ts';
import { type DraftRequests, foundIn, type Versioned } from '#page/core/draft-editor.ts';
import { wrongAnswer } from '#page/core/wrong-answer.ts';
import { type ReportDraft, reportBodyOf, reportDraftOf, reportProblems } from './report-draft.ts';

/** Checks, saves and reads a report. */
export const reportRequests: DraftRequests<ReportDraft> = {
	check: (draft) => reportProblems(draft, variables.rows.value),
	// A draft also keeps values that the functions of its lines do not use. They are not stored, so they are no changes.
	storedOf: reportBodyOf,
	save: async (draft, header) => {
		const result = await resultOf(api.POST('/saveReport', { params: { header }, body: reportBodyOf(draft) }));
		if (!result.ok) return result;
		const { data: saved } = result.data;
		// The answer to a save is a report. Only a dry run has another answer.
		if ('report' in saved) throw wrongAnswer('save');
		return { ...result, data: storedReportDraft(saved) };
	},
	read: async ({ id }) =>
		foundIn(await resultOf(api.GET('/getReports', { params: { query: { ids: [id] } } })), id, storedReportDraft),
};

/** Returns the draft of a report in an answer of the service. */
export function storedReportDraft(stored: Schemas['Report']): Versioned<ReportDraft> {
	const content = reportDraftOf(stored);
	if (content === null) throw new Error('The service answered with a report that it would refuse.');
	return { content, version: stored.version };
}
