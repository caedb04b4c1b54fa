import type { SignedIn } from '#domain/use-cases/sign-in.ts';
import { type ApiResponse, ok } from './api-response.ts';

/** Returns the answer of signing in and of renewing: a token, and the user that it is for. */
export function sessionResponse({ token, user, role }: SignedIn): ApiResponse {
	const { id, email, firstName, lastName } = user;
	return ok({ token, user: { id, email, first_name: firstName, last_name: lastName, role } });
}
