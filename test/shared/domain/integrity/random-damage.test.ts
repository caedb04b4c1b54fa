import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Board, boardOf, referencesOf } from '#domain/board/board.ts';
import type { Reference } from '#domain/board/reference.ts';
import { checkSchema, type Report } from '#domain/integrity/repair.ts';
import type { SchemaStore } from '#domain/ports/schema-store.ts';
import { keyText } from '#domain/transaction/read-set.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteIdempotency } from '#infra/local/adapters/sqlite/sqlite-idempotency.ts';
import { createSqliteSchemaStore } from '#infra/local/adapters/sqlite/sqlite-schema-store.ts';
import { checkStored, readStored, type Stored } from '#test/integrity/check.ts';
import { type Scenario, scenario } from '#test/integrity/commands.ts';
import { type Backend, send } from '#test/integrity/harness.ts';
import { addBoard, contentsOf, damageUser, damageVariable, drop, leaveBits } from '#test/support/builders/damage.ts';
import { createFakeStore } from '#test/support/fakes/fake-schema-store.ts';
import { randomFrom, Turns } from '#test/support/fakes/scheduler.ts';

const seed = Date.now() % 2 ** 31;
const at = async (): Promise<void> => undefined;

const first: Scenario['clients'][number] = [
	{ do: 'save variable', id: 0, bits: null } as const,
	{ do: 'save variable', id: 0, bits: [0, 7] } as const,
	{ do: 'save variable', id: 0, bits: null } as const,
	{ do: 'save chart', id: 0, refs: [{ varId: 1 }, { varId: 2 }] } as const,
	{ do: 'save alarm', id: 0, ref: { varId: 2, bit: 7 } } as const,
].map((action) => ({ action, fault: undefined, copies: 0 }));

let sendings = 0;
const sendAll = async (backend: Backend, schema: string, commands: Scenario['clients'][number], turn = at): Promise<void> => {
	for (const { action } of commands) {
		sendings += 1;
		if (action.do !== 'poll') await send(backend, action, { schema, mark: `m${sendings}`, turn, token: `t${sendings}` });
	}
};

const checked = async (store: SchemaStore, schema: string, mend: boolean): Promise<readonly Report[]> => {
	const reports: Report[] = [];
	await checkSchema({ store, pause: at }, schema, { mend, onReport: (report) => reports.push(report) });
	return reports;
};

const blow = fc.record({
	what: fc.constantFrom('drop variable', 'drop board', 'forget user', 'claim user', 'going', 'bits', 'unknown board', 'count'),
	which: fc.nat(1000),
	bits: fc.subarray([0, 3, 7], { minLength: 1 }),
});

const strike = async (
	store: SchemaStore,
	schema: string,
	{ what, which, bits }: typeof blow extends fc.Arbitrary<infer Blow> ? Blow : never,
) => {
	const { variables, boards } = await readStored(store, schema);
	const variable = variables[which % Math.max(1, variables.length)];
	const board = boards[which % Math.max(1, boards.length)];
	const id = variable?.variable.id ?? 0;
	const head = await store.schemaMetadata(schema);
	const newBoards: readonly Board[] = [
		boardOf('alarm', { id: 0, name: 'x', varId: id + 1, condition: '>', threshold: 0, severity: 'info', message: 'm' }),
		boardOf('diagram', { id: 0, title: 'x', items: bits.map((bit) => ({ varId: id + 1, bit, x: 0, y: 0 })) }),
		boardOf('chart', { id: 0, title: 'x', series: [{ varId: id + 1 }, { varId: 2 }] }),
	];
	const next = newBoards[which % newBoards.length];
	if (what === 'count') {
		const correction = { expectedRevision: head.revision, variables: which, lastId: 0 };
		expect(await store.correctMetadata(schema, correction)).toBe('committed');
	} else if (what === 'unknown board' && next !== undefined) {
		const far = head.lastId + 1 + which;
		await addBoard(store, schema, { ...next, content: { ...next.content, id: far } } as Board);
	} else if (what === 'drop board' && board !== undefined)
		await drop(store, schema, { kind: board.kind, id: board.board.content.id });
	else if (variable === undefined) return;
	else if (what === 'drop variable') await drop(store, schema, { kind: 'variable', id });
	else if (what === 'going') await damageVariable(store, schema, id, () => ({ deleting: true }));
	else if (what === 'bits') await leaveBits(store, schema, id, ...bits);
	else if (what === 'forget user') {
		const [text] = variable.referencedBy.keys();
		if (text !== undefined) await damageUser(store, schema, id, text, null);
	} else if (what === 'claim user') {
		const known = board === undefined ? 'chart#77' : keyText({ kind: board.kind, id: board.board.content.id });
		await damageUser(store, schema, id, which % 3 === 0 ? 'nonsense' : known, bits);
	}
};

/** What boards should come to, told from the damaged rows alone: whatever refers to nothing is gone, and no more. */
const expectedBoards = ({ variables, boards }: Stored): ReadonlyMap<string, readonly Reference[]> => {
	const stands = ({ varId, bit }: Reference): boolean => {
		const row = variables.find(({ variable }) => variable.id === varId);
		if (row === undefined || row.deleting) return false;
		return bit === undefined || (row.variable.binary_compressed && row.variable.bits.some((each) => each.bit === bit));
	};
	const kept = boards.filter(({ board }) => board.kind !== 'alarm' || referencesOf(board).every(stands));
	return new Map(
		kept.map(({ kind, board }) => [keyText({ kind, id: board.content.id }), referencesOf(board).filter(stands).map(plain)]),
	);
};
const plain = ({ varId, bit }: Reference): Reference => ({ path: '', varId, bit });

const boardsOf = ({ boards }: Stored): ReadonlyMap<string, readonly Reference[]> =>
	new Map(boards.map(({ kind, board }) => [keyText({ kind, id: board.content.id }), referencesOf(board).map(plain)]));

/** The invariants hold; only what is left to a person is still found. */
const expectWhole = async (store: SchemaStore, schema: string): Promise<void> => {
	const stored = await readStored(store, schema);
	// The panel's items are left to a person; a check tells them, see below.
	checkStored({ ...stored, panel: null }, []);
	const { head } = await contentsOf(store, schema);
	const ids = [...stored.variables.map(({ variable }) => variable.id), ...stored.boards.map(({ board }) => board.content.id)];
	expect(head.variables).toBe(stored.variables.length);
	expect(head.lastId).toBeGreaterThanOrEqual(Math.max(0, ...ids));
	expect(stored.variables.filter(({ deleting }) => deleting)).toEqual([]);
	for (const { finding } of await checked(store, schema, false)) expect(finding.kind).toBe('undefined_panel_bit');
};

/** The store of a process that dies at its commit of that number. */
const dying = (store: SchemaStore, commit: number): SchemaStore => {
	let commits = 0;
	return {
		...store,
		commit: async (...args) => {
			commits += 1;
			if (commits === commit) throw new Error('died');
			return store.commit(...args);
		},
	};
};

test(`a damaged schema is whole after a repair, interrupted or not, and loses nothing else (seed ${seed})`, async () => {
	const database = openDatabase(':memory:');
	const backend = { store: createSqliteSchemaStore(database), idempotency: createSqliteIdempotency(database) };
	const { store } = backend;
	let schemas = 0;
	let found = 0;
	const property = fc.asyncProperty(scenario, fc.array(blow, { maxLength: 8 }), fc.nat(6), async ({ clients }, blows, dies) => {
		schemas += 1;
		const schema = `s${schemas}`;
		await sendAll(backend, schema, [...first, ...clients.flat()]);
		expect(await checked(store, schema, false), 'found in a schema without damage').toEqual([]);
		for (const each of blows) await strike(store, schema, each);
		const damaged = await readStored(store, schema);
		const before = await contentsOf(store, schema);
		const told = await checked(store, schema, false);
		expect(await contentsOf(store, schema), 'changed by a check').toEqual(before);
		await checked(dying(store, dies), schema, true).catch(() => undefined);
		const reports = await checked(store, schema, true);
		found += told.length;
		for (const report of reports) expect(report.outcome).toBe(report.finding.kind === 'undefined_panel_bit' ? 'left' : 'mended');
		await expectWhole(store, schema);
		const after = await readStored(store, schema);
		expect(boardsOf(after)).toEqual(expectedBoards(damaged));
		expect(after.panel).toEqual(damaged.panel);
		const stay = damaged.variables.filter(({ deleting }) => !deleting).map(({ variable }) => variable);
		expect(after.variables.map(({ variable }) => variable)).toEqual(stay);
	});
	await fc.assert(property, { numRuns: 500, seed });
	expect(found).toBeGreaterThan(500);
});

test(`beside writes nothing is found that is not wrong, and a repair does no harm (seed ${seed})`, async () => {
	const property = fc.asyncProperty(scenario, fc.array(blow, { maxLength: 6 }), async ({ seed: order, clients }, blows) => {
		const random = randomFrom(order);
		const turns = new Turns(random);
		let started = false;
		const turn = (): Promise<void> => (started ? turns.turn() : at());
		const { store, idempotency } = createFakeStore(turn, random);
		const backend = { store, idempotency };
		const beside = async (mend: boolean): Promise<readonly Report[]> => {
			started = true;
			const reports: Report[] = [];
			const checking = { mend, onReport: (report: Report) => reports.push(report) };
			const tasks = [
				checkSchema({ store, pause: turn }, 's', checking),
				...clients.map((commands) => sendAll(backend, 's', commands, turn)),
			];
			await turns.runAll(tasks);
			await Promise.all(tasks);
			started = false;
			return reports;
		};
		await sendAll(backend, 's', first);
		expect(await beside(false)).toEqual([]);
		expect(await beside(true)).toEqual([]);
		for (const each of blows) await strike(store, 's', each);
		await beside(true);
		await checked(store, 's', true);
		await expectWhole(store, 's');
	});
	await fc.assert(property, { numRuns: 200, seed });
});
