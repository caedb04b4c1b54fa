import { referencesOf } from '#domain/board/board.ts';
import { referenceProblem } from '#domain/board/reference.ts';
import { itemsOf } from '#domain/panel/panel.ts';
import { type BoardRow, idOfRow, type VariableRow } from '#domain/ports/schema-store.ts';
import { maxReferencingBoards } from '#domain/transaction/referenced-by.ts';
import type { ValidationIssues } from '#domain/validation/parse.ts';
import { type Problem, problem } from '#domain/validation/problem.ts';
import type { Variable } from '#domain/variable/variable.ts';
import { listName, type SchemaContents } from './contents.ts';

const wrong = (message: string): Problem => problem('invalid_value', message);

/** Adds an issue for each contradiction in the contents of a file: in ids, versions, references, and states of alarms. */
export function checkTogether(contents: SchemaContents, issues: ValidationIssues): void {
	const rows = rowsWithPaths(contents);
	checkRows(contents, rows, issues);
	const variables = new Map(contents.variables.map(({ variable }) => [variable.id, variable]));
	checkReferences(contents, rows, variables, issues);
	for (const { path, row } of rows)
		if (row.kind === 'variable' && row.referencedBy.size > maxReferencingBoards)
			issues.add(
				path,
				wrong(`At most ${maxReferencingBoards} boards may refer to a variable; these are ${row.referencedBy.size}.`),
			);
	const alarms = new Set(contents.boards.flatMap(({ kind, board }) => (kind === 'alarm' ? [board.content.id] : [])));
	for (const id of contents.alarmRows.keys())
		if (!alarms.has(id))
			issues.add('evaluation.alarms', wrong(`The file has no alarm ${id}: take its states out, or put the alarm in.`));
}

/** Rows with their paths in the file. */
type RowsWithPaths = readonly { readonly path: string; readonly row: VariableRow | BoardRow }[];

function rowsWithPaths({ variables, boards }: SchemaContents): RowsWithPaths {
	const nextPositions = new Map<string, number>();
	return [...variables, ...boards].map((row) => {
		const list = row.kind === 'variable' ? 'variables' : listName(row.kind);
		const position = nextPositions.get(list) ?? 0;
		nextPositions.set(list, position + 1);
		return { path: `${list}.${position}`, row };
	});
}

/** Checks ids, versions and the revision. Variables and boards have one sequence of ids. */
function checkRows({ lastId, revision, panel }: SchemaContents, rows: RowsWithPaths, issues: ValidationIssues): void {
	const pathsById = new Map<number, string>();
	for (const { path, row } of rows) {
		const id = idOfRow(row);
		const first = pathsById.get(id);
		if (first !== undefined) issues.add(`${path}.id`, wrong(`Must be unique: ${first} has it, too.`));
		else pathsById.set(id, path);
		if (id < 1) issues.add(`${path}.id`, wrong('Must be at least 1: only what is not stored has the id 0.'));
		if (id > lastId) issues.add(`${path}.id`, wrong(`Must be at most lastId, which is ${lastId}.`));
		checkVersions(row, path, issues);
	}
	if (panel !== null) checkVersions(panel, 'panel', issues);
	if (revision === 0 && (pathsById.size > 0 || panel !== null))
		issues.add('revision', wrong('Must be at least 1 where anything is stored.'));
}

function checkVersions(
	{ version, rowVersion }: { readonly version: number; readonly rowVersion: number },
	path: string,
	issues: ValidationIssues,
): void {
	if (rowVersion < version) issues.add(`${path}.rowVersion`, wrong(`Must be at least the version, which is ${version}.`));
}

/**
 * Checks that references are to variables of the file, and to bits that these define. Only an item of the panel may refer to a variable
 * that was deleted (shared/domain/panel/README.md#rules).
 */
function checkReferences(
	{ panel }: SchemaContents,
	rows: RowsWithPaths,
	variables: ReadonlyMap<number, Variable>,
	issues: ValidationIssues,
): void {
	for (const { path, row } of rows)
		for (const reference of row.kind === 'variable' ? [] : referencesOf(row.board)) {
			const found = referenceProblem(reference, variables.get(reference.varId) ?? null);
			if (found === null) continue;
			const [field, cause] = found;
			// The path of a reference is empty where the board itself holds `varId`.
			issues.add([path, reference.path, field].filter((part) => part !== '').join('.'), cause);
		}
	for (const { path, item } of panel === null ? [] : itemsOf(panel.panel)) {
		const variable = variables.get(item.varId);
		const found = variable === undefined ? null : referenceProblem(item, variable);
		if (found === null) continue;
		const [field, cause] = found;
		issues.add(`panel.${path}.${field}`, cause);
	}
}
