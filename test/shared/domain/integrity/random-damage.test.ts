import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Board, boardOf, referencesOf } from '#domain/board/board.ts';
import { boardKinds } from '#domain/board/board-kinds.ts';
import type { Reference } from '#domain/board/reference.ts';
import { DomainError } from '#domain/errors.ts';
import type { SchemaStore } from '#domain/ports/schema-store.ts';
import { keyText } from '#domain/transaction/read-set.ts';
import type { WriteDeps } from '#domain/transaction/run-transaction.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteIdempotency } from '#infra/local/adapters/sqlite/sqlite-idempotency.ts';
import { createSqliteSchemaStore } from '#infra/local/adapters/sqlite/sqlite-schema-store.ts';
import { checkReferences, readStored, type Stored } from '#test/integrity/check.ts';
import { type Scenario, scenario } from '#test/integrity/commands.ts';
import { type Backend, send } from '#test/integrity/harness.ts';
import {
	addBoard,
	contentsOf,
	damageReference,
	damageVariable,
	deleteRow,
	findAll,
	leaveBits,
	repairAll,
} from '#test/support/builders/damage.ts';
import { testOrigin } from '#test/support/builders/origin.ts';
import { firstSeed } from '#test/support/cases.ts';
import { createFakeStore } from '#test/support/fakes/fake-schema-store.ts';
import { randomFrom, Scheduler } from '#test/support/fakes/scheduler.ts';

const pause = async (): Promise<void> => undefined;
const now = () => 1_000_000;

/** The first rows of each schema: variables 1 to 3, chart 4 and alarm 5. */
const firstCommands: Scenario['clients'][number] = [
	{ do: 'save variable', id: 0, bits: null } as const,
	{ do: 'save variable', id: 0, bits: [0, 7] } as const,
	{ do: 'save variable', id: 0, bits: null } as const,
	{ do: 'save chart', id: 0, refs: [{ varId: 1 }, { varId: 2 }] } as const,
	{ do: 'save alarm', id: 0, ref: { varId: 2, bit: 7 } } as const,
].map((action) => ({ action, fault: undefined, copies: 0 }));

let requests = 0;
const sendAll = async (backend: Backend, schema: string, commands: Scenario['clients'][number], turn = pause): Promise<void> => {
	for (const { action } of commands) {
		requests += 1;
		if (action.do !== 'poll') await send(backend, action, { schema, mark: `m${requests}`, turn, token: `t${requests}` });
	}
};

const damages = fc.array(
	fc.record({
		what: fc.constantFrom(
			'drop variable',
			'drop board',
			'forget reference',
			'add reference',
			'begin deletion',
			'change bits',
			'add board',
			'change count',
		),
		which: fc.nat(1000),
		bits: fc.subarray([0, 3, 7], { minLength: 1 }),
	}),
	{ maxLength: 8 },
);
type Damage = (typeof damages extends fc.Arbitrary<infer Damages> ? Damages : never)[number];

const applyDamage = async (store: SchemaStore, schema: string, { what, which, bits }: Damage): Promise<void> => {
	const { variables, boards } = await readStored(store, schema);
	const variable = variables[which % Math.max(1, variables.length)];
	const board = boards[which % Math.max(1, boards.length)];
	const id = variable?.variable.id ?? 0;
	const metadata = await store.schemaMetadata(schema);
	const newBoards: readonly Board[] = [
		boardOf('alarm', { id: 0, name: 'x', varId: id + 1, condition: '>', threshold: 0, severity: 'info', message: 'm' }),
		boardOf('diagram', { id: 0, title: 'x', items: bits.map((bit) => ({ varId: id + 1, bit, x: 0, y: 0 })) }),
		boardOf('chart', { id: 0, title: 'x', series: [{ varId: id + 1 }, { varId: 2 }] }),
	];
	const newBoard = newBoards[which % newBoards.length];
	if (what === 'change count') {
		const boards = { chart: which % 3, diagram: which % 4, alarm: which % 5, correction: which % 2, report: 0, entry: 0 };
		const correction = { expectedRevision: metadata.revision, variables: which, boards, lastId: 0 };
		expect(await store.correctMetadata(schema, correction)).toBe('committed');
	} else if (what === 'add board' && newBoard !== undefined) {
		const newId = metadata.lastId + 1 + which;
		await addBoard(store, schema, { ...newBoard, content: { ...newBoard.content, id: newId } } as Board);
	} else if (what === 'drop board' && board !== undefined)
		await deleteRow(store, schema, { kind: board.kind, id: board.board.content.id });
	else if (variable === undefined) return;
	else if (what === 'drop variable') await deleteRow(store, schema, { kind: 'variable', id });
	else if (what === 'begin deletion') await damageVariable(store, schema, id, () => ({ deleting: true }));
	else if (what === 'change bits') await leaveBits(store, schema, id, ...bits);
	else if (what === 'forget reference') {
		const [text] = variable.referencedBy.keys();
		if (text !== undefined) await damageReference(store, schema, id, text, null);
	} else if (what === 'add reference') {
		const known = board === undefined ? 'chart#77' : keyText({ kind: board.kind, id: board.board.content.id });
		await damageReference(store, schema, id, which % 3 === 0 ? 'nonsense' : known, bits);
	}
};

const withoutPath = ({ varId, bit }: Reference): Reference => ({ path: '', varId, bit });

/** The references of each board. */
const boardsOf = ({ boards }: Stored): ReadonlyMap<string, readonly Reference[]> =>
	new Map(boards.map(({ kind, board }) => [keyText({ kind, id: board.content.id }), referencesOf(board).map(withoutPath)]));

/** Boards of one variable, which go with it. */
const ofOneVariable: readonly string[] = ['alarm', 'correction'];

/** The boards expected after a repair, from the damaged rows alone: only references to missing variables are gone. */
const expectedBoards = ({ variables, boards }: Stored): ReadonlyMap<string, readonly Reference[]> => {
	const existing = new Set(variables.filter(({ deleting }) => !deleting).map(({ variable }) => variable.id));
	const isValid = ({ varId }: Reference): boolean => existing.has(varId);
	const left = boards.filter(({ board }) => !ofOneVariable.includes(board.kind) || referencesOf(board).every(isValid));
	return new Map(
		left.map(({ kind, board }) => [
			keyText({ kind, id: board.content.id }),
			referencesOf(board).filter(isValid).map(withoutPath),
		]),
	);
};

/** Expects that the schema is consistent, except for the undefined bits, which are left to a person. */
const expectConsistent = async (store: SchemaStore, schema: string): Promise<void> => {
	const stored = await readStored(store, schema);
	checkReferences(stored);
	const { metadata } = await contentsOf(store, schema);
	const ids = [...stored.variables.map(({ variable }) => variable.id), ...stored.boards.map(({ board }) => board.content.id)];
	expect(metadata.variables).toBe(stored.variables.length);
	for (const kind of boardKinds)
		expect(metadata.boards[kind] ?? -1).toBeOneOf([-1, stored.boards.filter((board) => board.kind === kind).length]);
	expect(metadata.lastId).toBeGreaterThanOrEqual(Math.max(0, ...ids));
	expect(stored.variables.filter(({ deleting }) => deleting)).toEqual([]);
	for (const { kind } of await findAll({ store, pause, now, origin: testOrigin }, schema)) expect(kind).toBe('undefined_bit');
};

/** The store of a process that dies at its commit of that number. */
const dyingAt = (store: SchemaStore, commit: number): SchemaStore => {
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

test(`a repair makes a damaged schema consistent, interrupted or not, and loses nothing else (seed ${firstSeed})`, async () => {
	const database = openDatabase(':memory:');
	const backend = { store: createSqliteSchemaStore(database), idempotency: createSqliteIdempotency(database) };
	const { store } = backend;
	let schemas = 0;
	let found = 0;
	const property = fc.asyncProperty(scenario, damages, fc.nat(6), async ({ clients }, each, diesAt) => {
		schemas += 1;
		const schema = `s${schemas}`;
		await sendAll(backend, schema, [...firstCommands, ...clients.flat()]);
		expect(await findAll({ store, pause, now, origin: testOrigin }, schema), 'found without damage').toEqual([]);
		for (const damage of each) await applyDamage(store, schema, damage);
		const damaged = await readStored(store, schema);
		found += (await findAll({ store, pause, now, origin: testOrigin }, schema)).length;
		await repairAll({ store: dyingAt(store, diesAt), pause, now, origin: testOrigin }, schema).catch(() => undefined);
		for (const { inconsistency, left } of await repairAll({ store, pause, now, origin: testOrigin }, schema))
			expect(left).toBe(inconsistency.kind === 'undefined_bit' ? 'needs_person' : null);
		await expectConsistent(store, schema);
		const after = await readStored(store, schema);
		expect(boardsOf(after)).toEqual(expectedBoards(damaged));
		expect(after.panel).toEqual(damaged.panel);
		const expected = damaged.variables.filter(({ deleting }) => !deleting).map(({ variable }) => variable);
		expect(after.variables.map(({ variable }) => variable)).toEqual(expected);
	});
	await fc.assert(property, { numRuns: 500, seed: firstSeed });
	expect(found).toBeGreaterThan(500);
});

test(`during concurrent writes, finds only real damage and repairs nothing else (seed ${firstSeed})`, async () => {
	let finished = 0;
	const property = fc.asyncProperty(scenario, damages, async ({ seed: order, clients }, each) => {
		const random = randomFrom(order);
		const scheduler = new Scheduler(random);
		let started = false;
		const turn = (): Promise<void> => (started ? scheduler.turn() : pause());
		const { store, idempotency } = createFakeStore(turn, random);
		const backend = { store, idempotency };
		/** Returns null when the rows changed during every attempt. */
		const duringWrites = async <Result>(
			work: (deps: WriteDeps, schema: string) => Promise<readonly Result[]>,
		): Promise<readonly Result[] | null> => {
			started = true;
			const working = work({ store, pause: turn, now, origin: testOrigin }, 's').catch((error: unknown) => {
				if (error instanceof DomainError && error.code === 'write_contention') return null;
				throw error;
			});
			const tasks = [working, ...clients.map((commands) => sendAll(backend, 's', commands, turn))];
			await scheduler.runAll(tasks);
			await Promise.all(tasks);
			started = false;
			const result = await working;
			if (result !== null) finished += 1;
			return result;
		};
		await sendAll(backend, 's', firstCommands);
		expect((await duringWrites(findAll)) ?? []).toEqual([]);
		expect((await duringWrites(repairAll)) ?? []).toEqual([]);
		for (const damage of each) await applyDamage(store, 's', damage);
		await duringWrites(repairAll);
		await repairAll({ store, pause, now, origin: testOrigin }, 's');
		await expectConsistent(store, 's');
	});
	await fc.assert(property, { numRuns: 200, seed: firstSeed });
	expect(finished).toBeGreaterThan(500);
});
