import { createItemVersions } from '#page/core/item-versions.ts';
import { type CorrectionDraft, correctionDraftOf, correctionRequests, correctionVersionFields } from './correction-draft.ts';

/** Compares and saves versions of corrections. */
export const versions = createItemVersions<CorrectionDraft>({
	draftOf: ({ content, version }) => correctionDraftOf({ ...content, version }),
	fieldsOf: correctionVersionFields,
	requests: correctionRequests,
});
