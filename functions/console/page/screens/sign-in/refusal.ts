import type { Failure } from '#page/core/api.ts';
import { type Credentials, credentialFields } from '#page/core/credentials.ts';
import { type LocalText, problemText } from '#page/i18n/i18n.ts';

/** The texts that are shown below fields, by field. */
export type FieldTexts = Readonly<Partial<Record<keyof Credentials, string>>>;

/** The sentences about failed sign-ins. */
export interface RefusalWords {
	readonly refused: string;
	readonly unreachable: string;
	readonly failed: (status: number) => string;
}

/** Returns for how long, in milliseconds, nobody can sign in; null when the service did not say so. */
export function blockedMs({ status, retryAfterMs }: Failure): number | null {
	return status === 429 ? retryAfterMs : null;
}

/** Returns the texts about the errors of single fields. */
export function fieldRefusals({ errors }: Failure): FieldTexts {
	return Object.fromEntries(
		credentialFields.flatMap((field) => {
			const error = errors[field];
			return error === undefined ? [] : [[field, problemText(error).text]];
		}),
	);
}

/**
 * Returns the sentence above the button; null when the texts below the fields are enough. `lang` is set only if the sentence is not in
 * the language of the form.
 */
export function refusalLine(failure: Failure, words: RefusalWords): (Omit<LocalText, 'lang'> & Partial<LocalText>) | null {
	if (failure.kind === 'unreachable') return { text: words.unreachable };
	if (failure.status === 401) return { text: words.refused };
	if (credentialFields.some((field) => failure.errors[field] !== undefined)) return null;
	const { request } = failure.errors;
	return request === undefined ? { text: words.failed(failure.status) } : problemText(request);
}

/** Returns the fields that are empty, each with the text about it. */
export function missingFields(typed: Credentials, text: string): FieldTexts {
	return Object.fromEntries(credentialFields.filter((field) => typed[field].trim() === '').map((field) => [field, text]));
}
