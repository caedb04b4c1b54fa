import { expect } from 'vitest';
import { boardKinds, referencesOf } from '#domain/board/board.ts';
import { bitsByVariable } from '#domain/board/reference.ts';
import type { BoardRow, PanelRow, SchemaStore, VariableRow } from '#domain/ports/schema-store.ts';
import { keyText, panelKey } from '#domain/transaction/read-set.ts';
import type { Action } from './commands.ts';
import type { Outcome } from './harness.ts';

/** A request that ended, for looking back at the whole. */
export interface Done {
	readonly action: Exclude<Action, { do: 'poll' }>;
	readonly mark: string;
	readonly outcome: Outcome;
}

/** Everything stored in a schema once all is quiet. */
export interface Stored {
	readonly variables: readonly VariableRow[];
	readonly boards: readonly BoardRow[];
	readonly panel: PanelRow | null;
}

/** Reads everything stored in a schema. */
export const readStored = async (store: SchemaStore, schema: string): Promise<Stored> => {
	const [variables, [panel], ...boards] = await Promise.all([
		store.list(schema, 'variable'),
		store.get(schema, [panelKey]),
		...boardKinds.map((kind) => store.list(schema, kind)),
	]);
	return { variables, boards: boards.flat(), panel: panel ?? null };
};

/** `referencedBy` says exactly which boards refer to each variable, and by which bits; every reference is to a variable that is there. */
const checkReferences = ({ variables, boards }: Stored): void => {
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

/** Every bit that a board or the panel picks is one that its variable defines; the panel may outlive its variables. */
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

const markOf = ({ board }: BoardRow): string => (board.kind === 'alarm' ? board.content.name : board.content.title);

/** What was answered is there, unless something answered or unknown came over it; what was refused is nowhere. */
const checkAnswers = ({ variables, boards, panel }: Stored, done: readonly Done[]): void => {
	const stored = new Set([
		...variables.map(({ variable }) => variable.unit),
		...boards.map(markOf),
		...(panel ? [panel.panel.title] : []),
	]);
	const refused = new Set(done.filter(({ outcome }) => outcome.kind === 'refused').map(({ mark }) => mark));
	for (const { mark, outcome } of done) if (outcome.kind !== 'refused') refused.delete(mark);
	for (const mark of refused) expect(stored.has(mark), `${mark} was refused and is stored`).toBe(false);

	const created = new Map<unknown, string>();
	const answered = new Map<string, string>();
	for (const { action, mark, outcome } of done) {
		if (outcome.kind !== 'answered' || !('id' in outcome.data)) continue;
		const { id, version } = outcome.data;
		const kind = action.do;
		if ('id' in action && action.id === 0) {
			expect(created.get(id) ?? mark, `id ${String(id)} was given twice`).toBe(mark);
			created.set(id, mark);
		}
		const save = `${kind} ${String(id)} version ${String(version)}`;
		expect(answered.get(save) ?? mark, `${save} was answered twice`).toBe(mark);
		answered.set(save, mark);
	}
	const current = new Map<string, { version: number; mark: string }>();
	for (const { variable, version } of variables) current.set(`save variable ${variable.id}`, { version, mark: variable.unit });
	for (const row of boards) current.set(`save ${row.kind} ${row.board.content.id}`, { version: row.version, mark: markOf(row) });
	const mayBeGone = done.some(({ action, outcome }) => action.do.startsWith('delete') && outcome.kind !== 'refused');
	for (const [save, mark] of answered) {
		const [, what = '', version = ''] = /^(.*) version (\d+)$/.exec(save) ?? [];
		const now = current.get(what);
		if (now === undefined) expect(mayBeGone, `${save} was answered and is gone`).toBe(true);
		else {
			expect(now.version, `${save} was answered and is not there`).toBeGreaterThanOrEqual(Number(version));
			if (now.version === Number(version)) expect(now.mark, save).toBe(mark);
		}
	}
};

/** Whether a deletion was answered true: false says only that there was nothing then. */
export const wasDeleted = (outcome: Outcome): boolean => outcome.kind === 'answered' && Object.values(outcome.data)[0] === true;

/** What was deleted and answered so is not there, and nothing refers to it but the panel. */
const checkDeletions = ({ variables, boards }: Stored, done: readonly Done[]): void => {
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

/** Everything that must hold of a schema once all is quiet. */
export const checkStored = (stored: Stored, done: readonly Done[]): void => {
	checkReferences(stored);
	checkBits(stored);
	checkAnswers(stored, done);
	checkDeletions(stored, done);
};
