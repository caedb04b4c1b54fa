import type { Report } from '#domain/board/report.ts';
import { createItemVersions } from '#page/core/item-versions.ts';
import { reportDraftOf, reportRequests, reportVersionFields } from './report-draft.ts';

/** Compares and saves versions of reports. */
export const versions = createItemVersions<Report>({
	draftOf: ({ content, version }) => reportDraftOf({ ...content, version }),
	fieldsOf: reportVersionFields,
	requests: reportRequests,
});
