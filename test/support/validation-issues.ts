import { DomainError, type ValidationIssue } from '#domain/errors.ts';

/** The messages by path of the `invalid` that `run` throws; none where it does not throw. Any other error is passed on. */
export const offencesOf = (run: () => unknown): Record<string, string> => {
	try {
		run();
		return {};
	} catch (error) {
		if (!(error instanceof DomainError) || error.code !== 'invalid' || !('offences' in error.payload)) throw error;
		const offences: readonly ValidationIssue[] = error.payload.offences;
		return Object.fromEntries(offences.map(({ path, message }) => [path, message]));
	}
};
