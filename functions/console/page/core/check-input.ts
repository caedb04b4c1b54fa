import { DomainError, type ValidationIssue } from '#domain/errors.ts';
import type { FieldError } from './api.ts';

/**
 * Checks input with the service's own parser, so that what is wrong stands at its field before it is sent.
 * @returns what is wrong, by the path of the field; empty where the parser takes it
 */
export function checkInput(parse: (input: unknown) => unknown, input: unknown): Map<string, FieldError> {
	try {
		parse(input);
		return new Map();
	} catch (error) {
		if (!isInvalid(error)) throw error;
		return new Map(error.payload.issues.map(({ path, code, message, params }) => [path, { code, message, params }]));
	}
}

function isInvalid(error: unknown): error is DomainError<'invalid'> & { payload: { issues: readonly ValidationIssue[] } } {
	return error instanceof DomainError && error.code === 'invalid';
}
