import type { Reference } from '../board/reference.ts';
import type { ValidationIssue } from '../errors.ts';
import type { VariableRow } from '../ports/schema-store.ts';
import { type ReadSet, variableKey } from './read-set.ts';

/** What is wrong with references, given the rows of their variables: each must exist, and have the bit that is picked. */
export function referenceIssues(rows: ReadSet, references: readonly Reference[]): readonly ValidationIssue[] {
	return references.flatMap((reference): ValidationIssue[] => {
		const row = rows.get(variableKey(reference.varId));
		if (row !== null && !row.deleting) return bitOffence(reference, row);
		return [
			{ path: joined(reference.path, 'varId'), message: `There is no variable ${reference.varId}: choose one that exists.` },
		];
	});
}

function bitOffence({ path, bit }: Reference, { variable }: VariableRow): ValidationIssue[] {
	if (bit === undefined) return [];
	const wrong = (message: string): ValidationIssue[] => [{ path: joined(path, 'bit'), message }];
	if (!variable.binary_compressed)
		return wrong('Only a bit-compressed variable has bits: leave bit out, or choose another variable.');
	if (variable.bits.some((each) => each.bit === bit)) return [];
	return wrong(`The variable defines no bit ${bit}; it has ${variable.bits.map((each) => each.bit).join(', ')}.`);
}

const joined = (path: string, field: string): string => (path === '' ? field : `${path}.${field}`);
