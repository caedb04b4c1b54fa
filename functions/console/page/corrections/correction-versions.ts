import { type DraftField, fieldOf } from '#page/core/draft-fields.ts';
import { createItemVersions } from '#page/core/item-versions.ts';
import { formatExact } from '#page/format/number.ts';
import { formatDateTime } from '#page/format/time.ts';
import { commonText } from '#page/i18n/common.ts';
import { type CorrectionDraft, correctionDraftOf, correctionRequests } from './correction-draft.ts';
import { correctionText } from './correction-texts.ts';

/** Compares and saves versions of corrections. */
export const versions = createItemVersions<CorrectionDraft>({
	draftOf: ({ content, version }) => correctionDraftOf({ ...content, version }),
	fieldsOf: correctionVersionFields,
	requests: correctionRequests,
});

/** Returns the fields by which two versions are compared. */
function correctionVersionFields(): readonly DraftField<CorrectionDraft>[] {
	const text = correctionText();
	const timeText = (time: number | undefined): string => (time === undefined ? '' : formatDateTime(time));
	const numberText = (number: number | undefined): string => (number === undefined ? '' : formatExact(number));
	return [
		fieldOf<CorrectionDraft>(['type'], text.what, ({ type }) => text.types[type]),
		fieldOf<CorrectionDraft>(['from'], commonText().from, ({ from }) => timeText(from)),
		fieldOf<CorrectionDraft>(['to'], commonText().to, ({ to }) => timeText(to)),
		fieldOf<CorrectionDraft>(['value'], commonText().value, ({ value }) => numberText(value)),
		fieldOf<CorrectionDraft>(['at'], text.at, ({ at }) => timeText(at)),
		fieldOf<CorrectionDraft>(['oldFinal'], text.oldFinal, ({ oldFinal }) => numberText(oldFinal)),
		fieldOf<CorrectionDraft>(['newInitial'], text.newInitial, ({ newInitial }) => numberText(newInitial)),
		fieldOf<CorrectionDraft>(['reason'], text.reason, ({ reason }) => reason),
	];
}
