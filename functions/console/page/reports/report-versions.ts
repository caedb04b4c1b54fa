import { createItemVersions } from '#page/core/item-versions.ts';
import { type ReportDraft, reportDraftOf } from './report-draft.ts';
import { reportRequests } from './report-requests.ts';
import { reportVersionFields } from './report-version-fields.ts';

/** Compares and saves versions of reports. */
export const versions = createItemVersions<ReportDraft>({
	draftOf: ({ content, version }) => reportDraftOf({ ...content, version }),
	fieldsOf: reportVersionFields,
	requests: reportRequests,
});
