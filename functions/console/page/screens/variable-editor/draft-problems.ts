import { parseVariable } from '#domain/variable/variable.ts';
import type { FieldError, Schemas } from '#page/core/api.ts';
import { checkInput } from '#page/core/check-input.ts';

/**
 * Checks a body as the service does before it stores it, so that errors stand at their fields while somebody types.
 * @returns what is wrong, by the path of the field; empty where a save would pass this check
 */
export function problemsOf(body: Schemas['VariableInput']): ReadonlyMap<string, FieldError> {
	// Numbers that are none are null in JSON. The name is trimmed already, as the service would.
	return checkInput(parseVariable, JSON.parse(JSON.stringify(body)));
}
