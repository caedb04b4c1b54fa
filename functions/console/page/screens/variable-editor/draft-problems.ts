import { DomainError, type ValidationIssue } from '#domain/errors.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import type { FieldError, Schemas } from '#page/core/api.ts';

/**
 * Checks a body as the service does before it stores it, so that errors stand at their fields while somebody types.
 * @returns what is wrong, by the path of the field; empty where a save would pass this check
 */
export function problemsOf(body: Schemas['VariableInput']): ReadonlyMap<string, FieldError> {
	try {
		// Numbers that are none are null in JSON. The name is trimmed already, as the service would.
		parseVariable(JSON.parse(JSON.stringify(body)));
		return new Map();
	} catch (error) {
		if (!isInvalid(error)) throw error;
		return new Map(error.payload.issues.map(({ path, code, message, params }) => [path, { code, message, params }]));
	}
}

function isInvalid(error: unknown): error is DomainError<'invalid'> & { payload: { issues: readonly ValidationIssue[] } } {
	return error instanceof DomainError && error.code === 'invalid';
}
