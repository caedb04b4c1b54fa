import type { Reference } from '../board/reference.ts';
import { DomainError } from '../errors.ts';
import type { VariableRow } from '../ports/schema-store.ts';
import { ValidationIssues } from '../validation/parse.ts';
import { problem } from '../validation/problem.ts';
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
		throw new DomainError('too_large', { field: 'request', counted: 'bytes to store', actual, limit: maxRowBytes });
}

/**
 * Checks that every referenced variable exists and defines the referenced bit. The rows of the variables must have been read.
 * @throws DomainError `invalid` with the issues, at most as many as a request may have
 */
export function checkReferences(rows: ReadSet, references: readonly Reference[]): void {
	const issues = new ValidationIssues();
	for (const { path, varId, bit } of references) {
		const row = rows.get(variableKey(varId));
		const prefix = path === '' ? '' : `${path}.`;
		if (row === null || row.deleting) {
			const message = `There is no variable ${varId}: choose one that exists.`;
			issues.add(`${prefix}varId`, problem('no_such_variable', message, { variable: varId }));
		} else if (bit !== undefined) checkBit(row, bit, `${prefix}bit`, issues);
	}
	issues.throwIfAny();
}

function checkBit({ variable }: VariableRow, bit: number, path: string, issues: ValidationIssues): void {
	if (!variable.binary_compressed)
		issues.add(
			path,
			problem('variable_without_bits', 'Only a bit-compressed variable has bits: leave bit out, or choose another variable.'),
		);
	else if (!variable.bits.some((each) => each.bit === bit)) {
		const bits = variable.bits.map((each) => each.bit).join(', ');
		issues.add(path, problem('no_such_bit', `The variable defines no bit ${bit}; it has ${bits}.`, { bit, bits }));
	}
}
