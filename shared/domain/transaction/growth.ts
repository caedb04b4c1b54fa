import { boardKinds, boardPlurals, perBoardKind } from '../board/board-kinds.ts';
import { DomainError } from '../errors.ts';
import { type ListedKind, maxRows, type RowCommit } from '../ports/schema-store.ts';

/** Number of rows that a commit adds to each kind, less those that it deletes. */
export type Growth = Readonly<Record<ListedKind, number>>;

const listedKinds = ['variable', ...boardKinds] as const;

/** Returns the growth of a schema by a commit. */
export function growthOf(rows: readonly RowCommit[]): Growth {
	const growth = { variable: 0, ...perBoardKind(() => 0) };
	for (const { key, expected, put } of rows) {
		if (key.kind === 'panel' || put === undefined) continue;
		if (expected === null && put !== null) growth[key.kind] += 1;
		if (expected !== null && put === null) growth[key.kind] -= 1;
	}
	return growth;
}

/** Returns the ids of the variables whose definitions a commit changes: one entry of `SchemaMetadata.changes`. */
export function changedDefinitions(rows: readonly RowCommit[]): readonly number[] {
	return rows.flatMap(({ key, put, keepsDefinition = false }) =>
		key.kind === 'variable' && put !== undefined && !keepsDefinition ? [key.id] : [],
	);
}

/** The error for a commit that the store refuses as `full`. It says which limit was met and what to do. */
export function schemaFull(rows: readonly RowCommit[]): DomainError<'too_large'> {
	const growth = growthOf(rows);
	const kind = listedKinds.find((each) => growth[each] > 0) ?? 'variable';
	const limit = maxRows[kind];
	const things = kind === 'variable' ? 'variables' : boardPlurals[kind];
	const remedy = `Delete ${things} that are not needed, then save again.`;
	return new DomainError('too_large', {
		field: 'request',
		counted: `${things}_in_schema`,
		actual: limit + growth[kind],
		limit,
		remedy,
	});
}
