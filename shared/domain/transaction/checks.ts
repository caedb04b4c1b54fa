import { type Reference, referenceProblem } from '../board/reference.ts';
import { DomainError } from '../errors.ts';
import { ValidationIssues } from '../validation/parse.ts';
import { type ReadSet, variableKey } from './read-set.ts';

/**
 * The stored row that a change accepts. A list: a row with one of these versions. `any`: any row, but there must be one. null: any row, or
 * none.
 */
export type VersionMatch = null | 'any' | readonly number[];

/**
 * The largest row in bytes of JSON. DynamoDB stores at most 400 KB, and a row holds more than the client sent
 * (shared/http/README.md#limits).
 */
const maxRowBytes = 350_000;

/**
 * Checks the stored row (null: none) against the versions that the client accepts.
 * @throws DomainError `version_mismatch` when the stored version is not among them
 */
export function checkVersion(match: VersionMatch, stored: { readonly version: number } | null): void {
	if (match === null) return;
	if (stored !== null && (match === 'any' || match.includes(stored.version))) return;
	throw new DomainError('version_mismatch', { stored: stored?.version ?? null });
}

/**
 * Checks the size of a row, given in its JSON form.
 * @throws DomainError `too_large` when the row has more than `maxRowBytes` bytes
 */
export function checkRowSize(json: unknown): void {
	const actual = new TextEncoder().encode(JSON.stringify(json)).length;
	if (actual > maxRowBytes)
		throw new DomainError('too_large', { field: 'request', counted: 'bytes_to_store', actual, limit: maxRowBytes });
}

/**
 * Checks that every referenced variable exists and defines the referenced bit. The rows of the variables must have been read.
 * @throws DomainError `invalid` with the issues, at most as many as a request may have
 */
export function checkReferences(rows: ReadSet, references: readonly Reference[]): void {
	const issues = new ValidationIssues();
	for (const reference of references) {
		const row = rows.get(variableKey(reference.varId));
		// It exists, and nobody knows its bits.
		if (row?.unread !== undefined && !row.deleting) continue;
		const found = referenceProblem(reference, row === null || row.deleting ? null : row.variable);
		if (found === null) continue;
		const [field, problem] = found;
		issues.add(reference.path === '' ? field : `${reference.path}.${field}`, problem);
	}
	issues.throwIfAny();
}
