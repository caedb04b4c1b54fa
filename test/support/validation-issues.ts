import { DomainError, type ValidationIssue } from '#domain/errors.ts';

/** Runs `run` and returns the messages, by path, of the `invalid` error that it throws; empty when it throws nothing. Rethrows other errors. */
export const issuesOf = (run: () => unknown): Record<string, string> => {
	try {
		run();
		return {};
	} catch (error) {
		if (!(error instanceof DomainError) || error.code !== 'invalid' || !('issues' in error.payload)) throw error;
		const issues: readonly ValidationIssue[] = error.payload.issues;
		return Object.fromEntries(issues.map(({ path, message }) => [path, message]));
	}
};
