import { type Correction, checkedCorrection, correctionSchema } from '#domain/board/correction.ts';
import { parse } from '#domain/validation/parse.ts';
import { api, resultOf } from '#page/core/api.ts';
import { checkInput } from '#page/core/check-input.ts';
import type { StoredCorrection } from '#page/core/definitions.ts';
import { type DraftRequests, foundIn, type Versioned } from '#page/core/draft-editor.ts';
import { wrongAnswer } from '#page/core/wrong-answer.ts';

/** A correction as it is edited. Times are epoch milliseconds. */
export type CorrectionDraft = Omit<Correction, 'author' | 'time'>;

/** Checks, saves and reads a correction. */
export const correctionRequests: DraftRequests<CorrectionDraft> = {
	check: (draft) => checkInput(parseCorrection, draft),
	// While a new correction is filled in, each of its problems means that something is still missing.
	isMissing: (_, { id }) => id === 0,
	save: async (draft, header) => {
		const body = correctionBodyOf(draft);
		const result = await resultOf(api.POST('/saveCorrection', { params: { header }, body }));
		if (!result.ok) return result;
		const { data: saved } = result.data;
		// The answer to a save is a correction. Only a dry run has another answer.
		if ('correction' in saved) throw wrongAnswer('save');
		return { ...result, data: storedCorrectionDraft(saved) };
	},
	read: async ({ id, varId }) => foundIn(await readCorrections(varId), id, storedCorrectionDraft),
};

/** Returns the body of a save or of a dry run: null stands for a field that is left out. */
export function correctionBodyOf(draft: CorrectionDraft) {
	const { from = null, to = null, value = null, at = null, oldFinal = null, newInitial = null } = draft;
	return { ...draft, from, to, value, at, oldFinal, newInitial };
}

/** Reads the corrections of a variable, by ascending id. */
export function readCorrections(varId: number) {
	return resultOf(api.GET('/getCorrections', { params: { query: { varId: String(varId) } } }));
}

/** Returns the draft of a stored correction; null when `stored` is not a correction. */
export function correctionDraftOf(stored: unknown): CorrectionDraft | null {
	let draft: CorrectionDraft | null = null;
	const problems = checkInput((input) => {
		// The service sets the author and the time of a correction.
		const { author: _, time: __, ...content } = parseCorrection(input);
		draft = content;
	}, stored);
	return problems.size === 0 ? draft : null;
}

/** @throws DomainError `invalid` */
function parseCorrection(input: unknown): Correction {
	return checkedCorrection(parse(correctionSchema, input));
}

/** Returns the draft of a correction in an answer of the service. */
function storedCorrectionDraft(stored: StoredCorrection): Versioned<CorrectionDraft> {
	const content = correctionDraftOf(stored);
	if (content === null) throw new Error('The service answered with a correction that it would refuse.');
	return { content, version: stored.version };
}
