import { type Board, referencesOf } from '../board/board.ts';
import { bitsByVariable } from '../board/reference.ts';
import type { ReferencedBy, VariableRow } from '../ports/schema-store.ts';
import { toJson } from '../variable/variable.ts';
import { type ReadSet, variableKey } from './read-set.ts';
import { checkRowSize } from './row-size.ts';
import type { Change } from './run-transaction.ts';

/** A variable's row with what uses it changed; what clients see of it stays, and so does its version. */
export function withReferencedBy(row: VariableRow, usedBy: ReferencedBy): VariableRow {
	return {
		...row,
		referencedBy: usedBy,
		rowVersion: row.rowVersion + 1,
	};
}

/**
 * The variables whose `usedBy` changes when a board goes from `before` to `after` (null: it is not there). Their rows must
 * have been read; one that is not there any more has nothing to change.
 * @param text the board's key as text
 */
export function referencedByChanges(rows: ReadSet, text: string, before: Board | null, after: Board | null): readonly Change[] {
	const old = before === null ? new Map() : bitsByVariable(referencesOf(before));
	const next = after === null ? new Map() : bitsByVariable(referencesOf(after));
	return [...new Set([...old.keys(), ...next.keys()])].flatMap((id): Change[] => {
		const row = rows.get(variableKey(id));
		const bits = next.get(id);
		if (row === null || sameBits(row.referencedBy.get(text), bits)) return [];
		const usedBy = new Map(row.referencedBy);
		if (bits === undefined) usedBy.delete(text);
		else usedBy.set(text, bits);
		if (bits !== undefined) checkRowSize([toJson(row.variable), [...usedBy]]);
		return [{ key: variableKey(id), row: withReferencedBy(row, usedBy) }];
	});
}

const sameBits = (a: readonly number[] | undefined, b: readonly number[] | undefined): boolean =>
	a === b || (a !== undefined && b !== undefined && a.length === b.length && a.every((bit, index) => bit === b[index]));
