import { InvalidArgumentError } from 'commander';
import { signingKeyName } from '#domain/signing-keys/key-ring.ts';
import { environmentName } from '#shared/resource-names.ts';

/** Parses text that must not be blank. */
export const filledText = matching(/\S/, 'It must not be empty.');

/** Returns a parser for a whole number from `min` to `max`. */
export function whole(min: number, max: number, message = `It must be a whole number from ${min} to ${max}.`) {
	return (text: string): number => {
		const value = Number(text);
		// Digits only, at most as many as the largest safe integer has.
		if (!/^\d{1,16}$/.test(text) || value < min || value > max) throw new InvalidArgumentError(message);
		return value;
	};
}

/** Parses a positive whole number. */
export const positiveWhole = whole(1, Number.MAX_SAFE_INTEGER, 'It must be a positive whole number.');

/** Parses a number above 0. */
export function positiveNumber(text: string): number {
	const number = Number(text);
	if (!(number > 0 && Number.isFinite(number))) throw new InvalidArgumentError('It must be a number above 0.');
	return number;
}

/** Parses an http or https address. */
export function httpAddress(text: string): URL {
	const url = URL.parse(text);
	if (url === null || !/^https?:$/.test(url.protocol)) throw new InvalidArgumentError('It must be an http or https address.');
	return url;
}

/** Parses the e-mail of a person, or the id of a person of an OpenID provider. */
export const personId = matching(
	/^(person:[0-9a-f]{32}|[^\s@]+@[^\s@]+)$/i,
	'It must be an e-mail address, or person: with 32 hex digits.',
);

/** Parses the id of a person of an OpenID provider. */
export const openIdPerson = matching(/^person:[0-9a-f]{32}$/, 'It must be person: with 32 hex digits.');

/** Parses a pseudonym that `schema erase-person` printed. */
export const pseudonym = matching(/^person-[0-9a-f]{8}$/, 'It must be as the command printed it: person-3f2a91c4.');

/** Parses the name of an environment in cdk.json. */
export const environment = matching(environmentName, 'An environment is small letters and digits, at most 16.');

/** Parses the name of a signing key in cdk.json. */
export const signingKey = matching(signingKeyName, 'A key is small letters, digits and dashes, at most 30.');

/** Returns a parser for text that matches a pattern. */
function matching(pattern: RegExp, message: string) {
	return (text: string): string => {
		if (!pattern.test(text)) throw new InvalidArgumentError(message);
		return text;
	};
}
