import { expect } from 'vitest';

/** What an error response says of one field: this code, any params, and a message, by default any (shared/http/README.md#errors). */
export const errorEntry = (code: unknown, message: unknown = expect.any(String)) => ({
	message,
	code,
	params: expect.any(Object),
});
