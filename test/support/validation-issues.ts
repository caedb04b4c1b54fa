import { expect } from 'vitest';
import { DomainError, type ValidationIssue } from '#domain/errors.ts';
import { problemParams } from '#domain/validation/problem.ts';

/**
 * Runs `run` and returns the issues of the `invalid` error that it throws; none when it throws nothing. Rethrows other errors. Checks
 * that each issue has a code of the table, with exactly its params (shared/http/README.md#errors).
 */
export const allIssuesOf = (run: () => unknown): readonly ValidationIssue[] => {
	try {
		run();
		return [];
	} catch (error) {
		if (!(error instanceof DomainError) || error.code !== 'invalid' || !('issues' in error.payload)) throw error;
		const issues: readonly ValidationIssue[] = error.payload.issues;
		for (const issue of issues) expectKnownProblem(issue);
		return issues;
	}
};

/** Runs `run` and returns the messages, by path, of the `invalid` error that it throws; empty when it throws nothing. Rethrows other errors. */
export const issuesOf = (run: () => unknown): Record<string, string> =>
	Object.fromEntries(allIssuesOf(run).map(({ path, message }) => [path, message]));

/** The longest text and the longest list that a param may hold. */
const maxParamLength = 100;
const maxParamItems = 10;

const expectKnownProblem = ({ path, code, params }: ValidationIssue): void => {
	const names: readonly string[] = problemParams[code];
	const isOfToken = /^equation\.\d+$/.test(path);
	expect(Object.keys(params).toSorted(), code).toEqual([...names, ...(isOfToken ? ['position'] : [])].toSorted());
	for (const value of Object.values(params))
		if (typeof value === 'number') expect(value, code).toSatisfy(Number.isFinite);
		else if (typeof value === 'string') expect(value.length, code).toBeLessThanOrEqual(maxParamLength);
		else if (typeof value !== 'boolean') expect(value.length, code).toBeLessThanOrEqual(maxParamItems);
};
