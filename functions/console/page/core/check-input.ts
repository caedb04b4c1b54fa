import { DomainError, type ValidationIssue } from '#domain/errors.ts';
import type { FieldError } from './api.ts';

/**
 * Checks input with the service's own parser, so that errors are shown at their fields before the input is sent.
 * @returns the errors by the path of the field; empty where the parser accepts the input
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
