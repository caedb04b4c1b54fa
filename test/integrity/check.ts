import { expect } from 'vitest';
import { boardName, parseBoard, referencesOf } from '#domain/board/board.ts';
import { boardKinds } from '#domain/board/board-kinds.ts';
import { bitsByVariable } from '#domain/board/reference.ts';
import type { ChangeEntry } from '#domain/changes/change-entry.ts';
import { itemKeyText } from '#domain/changes/change-key.ts';
import { gapsOf } from '#domain/changes/gaps.ts';
import {
	type BoardRow,
	idOfRow,
	type PanelRow,
	type Row,
	type RowKey,
	type SchemaMetadata,
	type SchemaStore,
	type VariableRow,
} from '#domain/ports/schema-store.ts';
import { keyText, panelKey } from '#domain/transaction/read-set.ts';
import { itemKeyOf } from '#domain/transaction/row-change.ts';
import type { Action } from './commands.ts';
import { type RequestOutcome, tankKeysOf } from './harness.ts';

/** A request that ended. */
export interface EndedRequest {
	readonly action: Exclude<Action, { do: 'poll' }>;
	readonly mark: string;
	readonly outcome: RequestOutcome;
}

/** All rows of a schema. */
export interface Stored {
	readonly variables: readonly VariableRow[];
	readonly boards: readonly BoardRow[];
	readonly panel: PanelRow | null;
}

/** Reads all rows of a schema, without a snapshot: nothing may be written meanwhile. */
export const readStored = async (store: SchemaStore, schema: string): Promise<Stored> => {
	const [variables, [panel], ...boards] = await Promise.all([
		store.list(schema, 'variable'),
		store.get(schema, [panelKey]),
		...boardKinds.map((kind) => store.list(schema, kind)),
	]);
	return { variables, boards: boards.flat(), panel: panel ?? null };
};

/** Expects that `referencedBy` lists exactly the boards and bits that refer to each variable, and that every variable exists. */
export const checkReferences = ({ variables, boards }: Stored): void => {
	const expected = new Map<number, [string, readonly number[]][]>();
	for (const row of boards) {
		const text = keyText({ kind: row.kind, id: row.board.content.id });
		for (const [id, bits] of bitsByVariable(referencesOf(row.board)))
			expected.set(id, [...(expected.get(id) ?? []), [text, bits]]);
	}
	const actual = new Map(
		variables
			.filter(({ referencedBy }) => referencedBy.size > 0)
			.map(({ variable, referencedBy }) => [variable.id, [...referencedBy].sort()]),
	);
	expect(actual, 'referencedBy').toEqual(new Map([...expected].map(([id, users]) => [id, users.sort()])));
};

/** Expects that the metadata count the rows, and list every definition that changed since an earlier reading. */
export const checkMetadata = (
	{ variables, boards }: Stored,
	metadata: SchemaMetadata,
	earlier: { readonly variables: Stored['variables']; readonly metadata: SchemaMetadata },
): void => {
	expect(metadata.variables, 'number of variables').toBe(variables.length);
	for (const kind of boardKinds)
		expect(metadata.boards[kind] ?? 0, `number of boards of kind ${kind}`).toBe(
			boards.filter((board) => board.kind === kind).length,
		);
	expect(metadata.listed, 'number of listed revisions').toBe(metadata.revision);
	const commits = metadata.revision - earlier.metadata.revision;
	if (commits > metadata.changes.length) return;
	const listed = new Set(commits === 0 ? [] : metadata.changes.slice(-commits).flat());
	const states = (rows: Stored['variables']) =>
		new Map(rows.map(({ variable, version, deleting }) => [variable.id, `${version} ${deleting}`]));
	const [before, after] = [states(earlier.variables), states(variables)];
	for (const id of new Set([...before.keys(), ...after.keys()]))
		if (before.get(id) !== after.get(id)) expect(listed.has(id), `variable ${id} changed and is listed`).toBe(true);
};

/** Expects that variables define every bit that boards and the panel use. The panel may refer to deleted variables. */
const checkBits = ({ variables, boards, panel }: Stored): void => {
	const byId = new Map(variables.map(({ variable }) => [variable.id, variable]));
	const items = panel === null ? [] : [...panel.panel.pumps, ...panel.panel.states];
	for (const { varId, bit } of [...boards.flatMap(({ board }) => referencesOf(board)), ...items]) {
		const variable = byId.get(varId);
		if (bit === undefined || variable === undefined) continue;
		expect(variable.binary_compressed && variable.bits.some((each) => each.bit === bit), `bit ${bit} of variable ${varId}`).toBe(
			true,
		);
	}
};

const markOf = ({ board }: BoardRow): string => boardName(board);

/** Expects that every confirmed save is stored, unless a later request replaced it, and that no rejected save is stored. */
const checkAnswers = ({ variables, boards, panel }: Stored, done: readonly EndedRequest[]): void => {
	const stored = new Set([
		...variables.map(({ variable }) => variable.unit),
		...boards.map(markOf),
		...(panel ? [panel.panel.title] : []),
	]);
	const refused = new Set(done.filter(({ outcome }) => outcome.kind === 'refused').map(({ mark }) => mark));
	for (const { mark, outcome } of done) if (outcome.kind !== 'refused') refused.delete(mark);
	for (const mark of refused) expect(stored.has(mark), `${mark} was rejected and is stored`).toBe(false);

	const created = new Map<unknown, string>();
	const answered = new Map<string, string>();
	for (const { action, mark, outcome } of done) {
		if (outcome.kind !== 'answered' || !('id' in outcome.data)) continue;
		const { id, version } = outcome.data;
		const kind = action.do;
		if ('id' in action && action.id === 0) {
			expect(created.get(id) ?? mark, `id ${String(id)} was assigned twice`).toBe(mark);
			created.set(id, mark);
		}
		const save = `${kind} ${String(id)} version ${String(version)}`;
		expect(answered.get(save) ?? mark, `${save} was confirmed twice`).toBe(mark);
		answered.set(save, mark);
	}
	const current = new Map<string, { version: number; mark: string }>();
	for (const { variable, version } of variables) current.set(`save variable ${variable.id}`, { version, mark: variable.unit });
	for (const row of boards) current.set(`save ${row.kind} ${row.board.content.id}`, { version: row.version, mark: markOf(row) });
	const mayBeGone = done.some(({ action, outcome }) => action.do.startsWith('delete') && outcome.kind !== 'refused');
	for (const [save, mark] of answered) {
		const [, what = '', version = ''] = /^(.*) version (\d+)$/.exec(save) ?? [];
		const now = current.get(what);
		if (now === undefined) expect(mayBeGone, `${save} was confirmed and is missing`).toBe(true);
		else {
			expect(now.version, `${save} was confirmed and is missing`).toBeGreaterThanOrEqual(Number(version));
			if (now.version === Number(version)) expect(now.mark, save).toBe(mark);
		}
	}
};

/** Whether the response says that a row was deleted. */
export const wasDeleted = (outcome: RequestOutcome): boolean =>
	outcome.kind === 'answered' && Object.values(outcome.data)[0] === true;

/** Expects that no row is stored whose deletion was confirmed, and that only the panel refers to such a row. */
const checkDeletions = ({ variables, boards }: Stored, done: readonly EndedRequest[]): void => {
	for (const { action, outcome } of done) {
		if (!wasDeleted(outcome)) continue;
		if (action.do === 'delete variable') {
			expect(
				variables.some(({ variable }) => variable.id === action.id),
				`variable ${action.id} was deleted`,
			).toBe(false);
			const users = boards.filter(({ board }) => referencesOf(board).some(({ varId }) => varId === action.id));
			expect(users, `boards that refer to variable ${action.id}, which was deleted`).toEqual([]);
		}
		if (action.do === 'delete board') {
			const left = boards.some(({ kind, board }) => kind === action.kind && board.content.id === action.id);
			expect(left, `${action.kind} ${action.id} was deleted`).toBe(false);
		}
	}
};

/** Expects that every diagram has its tanks, bound or not, the join and a pipe of each reference, and that no pipe lost an end. */
const checkDrawings = ({ boards }: Stored, done: readonly EndedRequest[]): void => {
	for (const row of boards) {
		if (row.board.kind !== 'diagram') continue;
		const { content } = row.board;
		expect(() => parseBoard('diagram', JSON.parse(JSON.stringify(content))), markOf(row)).not.toThrow();
		const save = done.find(({ mark }) => mark === content.title);
		if (save?.action.do !== 'save diagram') continue;
		const { refs } = save.action;
		const keys = [...content.items, ...(content.shapes ?? [])].flatMap(({ key }) => key ?? []);
		expect(keys.toSorted(), `symbols of ${markOf(row)}`).toEqual(['join', ...tankKeysOf(refs)]);
		expect(content.pipes?.length, `pipes of ${markOf(row)}`).toBe(refs.length);
	}
};

/** Expects everything that must hold after all requests have ended. */
export const checkStored = (stored: Stored, done: readonly EndedRequest[]): void => {
	checkReferences(stored);
	checkBits(stored);
	checkDrawings(stored, done);
	checkAnswers(stored, done);
	checkDeletions(stored, done);
};

/** Checks that the journal of changes tells of every version of every item, and of nothing else. */
export const checkJournal = ({ variables, boards, panel }: Stored, entries: readonly ChangeEntry[]): void => {
	const rows = [...variables, ...boards, ...(panel === null ? [] : [panel])];
	const versions = new Map(rows.map((row) => [itemKeyText(itemKeyOf(keyOf(row))), row.version]));
	expect(gapsOf(entries, versions)).toEqual([]);
	const told = new Set(entries.map(itemKeyText));
	for (const text of versions.keys()) expect(told.has(text), `the journal tells of ${text}`).toBe(true);
};

const keyOf = (row: Row): RowKey => (row.kind === 'panel' ? panelKey : { kind: row.kind, id: idOfRow(row) });
