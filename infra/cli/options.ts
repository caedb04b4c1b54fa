import { InvalidArgumentError } from 'commander';
import { signingKeyName } from '#domain/signing-keys/key-ring.ts';
import { environmentName } from '#shared/resource-names.ts';

/** Text that is not blank. */
export function filledText(text: string): string {
	if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.');
	return text;
}

/** A whole number within bounds. */
export function whole(min: number, max: number, message: string) {
	return (text: string): number => {
		const value = Number(text);
		if (!/^\d{1,16}$/.test(text) || value < min || value > max) throw new InvalidArgumentError(message);
		return value;
	};
}

/** A positive whole number. */
export const positive = whole(1, Number.MAX_SAFE_INTEGER, 'Expected a positive whole number.');

/** An environment's name, as cdk.json has it. */
export function environment(text: string): string {
	if (!environmentName.test(text)) throw new InvalidArgumentError('An environment is small letters and digits, at most 16.');
	return text;
}

/** A signing key's name, as cdk.json has it. */
export function signingKey(text: string): string {
	if (!signingKeyName.test(text))
		throw new InvalidArgumentError('A key is called by small letters, digits and dashes, at most 30.');
	return text;
}
