import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout } from 'node:timers/promises';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { createDynamoPacks } from '#adapters/dynamo/packs.ts';
import type { Definition, RowCommit } from '#domain/ports/schema-store.ts';
import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import { packDefinitions } from '#domain/reading/pack-definitions.ts';
import { makeQuery, makeVariable, makeVariableRow } from '#test/support/builders/builders.ts';
import { units as counted } from '#test/support/cost/units.ts';
import { consumedBy } from '#test/support/servers/consumed-capacity.ts';
import { describeDynamo, names, openAdapters } from '#test/support/servers/dynamo.ts';

describeDynamo('packs in DynamoDB', () => {
	let adapters: Awaited<ReturnType<typeof openAdapters>>;
	let packs: ReturnType<typeof createDynamoPacks>;
	const key = (id: number) => ({ kind: 'variable', id }) as const;
	/** A variable with texts as plants have them: each is another one. */
	const row = (id: number, version = 1, unit = 'm³/h') => {
		const name = `Pumping station ${id % 40}, flow of pump ${id}`;
		return makeVariableRow(id, {
			version,
			rowVersion: version,
			variable: makeVariable({
				id,
				name,
				unit,
				varsTsdb: { [name]: makeQuery({ calc_topic: `plant/station_${id % 40}/pump_${(id * 7919) % 10_007}/flow` }) },
			}),
		});
	};
	const create = (id: number): RowCommit => ({ key: key(id), expected: null, put: row(id) });
	const commit = async (...rows: RowCommit[]) => expect(await adapters.store.commit('s', rows)).toBe('committed');
	const fill = async (count: number, first = 1) => {
		for (let id = first; id < first + count; id += 90)
			await commit(...Array.from({ length: Math.min(90, first + count - id) }, (_, index) => create(id + index)));
	};
	const pack = () => packDefinitions({ store: adapters.store, packs }, 's');
	const idsUpTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
	const coldPoll = (ids: readonly number[] | 'all') => createDefinitionCache(adapters.store).get('s', ids);
	const unitsOf = (definitions: ReadonlyMap<number, Definition>) =>
		[...definitions].map(([id, { variable, version }]) => [id, version, variable.unit]).sort();

	beforeEach(async () => {
		adapters = await openAdapters();
		packs = createDynamoPacks(adapters.dynamo, { variables: names.variables });
		return () => adapters.dynamo.close();
	});

	test('a cold poll of 500 costs at most 15 units, of 10,000 at most 250; a save at most 20 more', {
		timeout: 300_000,
	}, async () => {
		await fill(500);
		const before = await consumedBy(adapters.dynamo, () => coldPoll(idsUpTo(500)));
		expect(await pack()).toBe(true);
		const units: Record<string, number> = { 'cold poll of 500 without a pack': before.units };
		const measure = async (name: string, work: () => Promise<unknown>) => {
			units[name] = (await consumedBy(adapters.dynamo, work)).units;
		};
		await measure('cold poll of 500', async () => expect((await coldPoll(idsUpTo(500))).size).toBe(500));
		await measure('cold poll of 40', async () => expect((await coldPoll(idsUpTo(40))).size).toBe(40));
		await measure('nothing to pack', async () => expect(await pack()).toBe(false));
		await commit({ key: key(7), expected: 1, put: row(7, 2, 'L/s') });
		await measure('cold poll of 500 after a save', async () =>
			expect((await coldPoll(idsUpTo(500))).get(7)?.variable.unit).toBe('L/s'),
		);
		await measure('pack after a save', async () => expect(await pack()).toBe(true));
		await measure('cold poll of 500, packed again', async () =>
			expect((await coldPoll(idsUpTo(500))).get(7)?.variable.unit).toBe('L/s'),
		);
		await fill(9500, 501);
		await pack();
		await measure('cold poll of 10,000', async () => expect((await coldPoll('all')).size).toBe(10_000));
		console.table(units);
		expect(units['cold poll of 500 after a save']).toBeLessThanOrEqual(15);
		expect(units['pack after a save']).toBeLessThanOrEqual(20);
		expect(units['cold poll of 500 without a pack']).toBeGreaterThan(1000);
		expect(units['cold poll of 500']).toBeLessThanOrEqual(counted.revision + counted.packOf500);
		expect(units['cold poll of 500, packed again']).toBe(units['cold poll of 500']);
		expect(units['cold poll of 500 after a save']).toBeLessThanOrEqual(
			counted.revision + counted.packOf500 + counted.changedDefinition,
		);
		expect(units['cold poll of 40']).toBeLessThanOrEqual(counted.revision + counted.packOf40);
		expect(units['nothing to pack']).toBeLessThanOrEqual(2);
		expect(units['pack after a save']).toBeLessThanOrEqual(counted.newPack);
		expect(units['cold poll of 10,000']).toBeLessThanOrEqual(250);
	});

	test('a poll reads what is stored, whatever was written since and wherever packing ended', { timeout: 300_000 }, async () => {
		const change = fc.record({
			do: fc.constantFrom('save', 'save', 'delete', 'pack', 'end packing at a write', 'poll'),
			id: fc.integer({ min: 1, max: 200 }),
		});
		await fc.assert(
			fc.asyncProperty(fc.array(change, { minLength: 4, maxLength: 25 }), async (changes) => {
				adapters = await openAdapters();
				packs = createDynamoPacks(adapters.dynamo, { variables: names.variables });
				const stored = new Map<number, number>();
				await fill(130);
				for (const id of idsUpTo(130)) stored.set(id, 1);
				const warm = createDefinitionCache(adapters.store);
				for (const [index, { do: kind, id }] of changes.entries()) {
					const version = stored.get(id);
					if (kind === 'save') {
						await commit({ key: key(id), expected: version ?? null, put: row(id, (version ?? 0) + 1, `u${index}`) });
						stored.set(id, (version ?? 0) + 1);
					} else if (kind === 'delete' && version !== undefined) {
						await commit({ key: key(id), expected: version, put: null });
						stored.delete(id);
					} else if (kind === 'pack') await pack();
					else if (kind === 'end packing at a write')
						await failingAtPut(1 + (id % 3), pack).catch((error: unknown) => expect(String(error)).toContain('ended'));
					const expected = [...stored].sort();
					for (const cache of [warm, createDefinitionCache(adapters.store)])
						expect(
							[...(await cache.get('s', idsUpTo(200)))].map(([each, definition]) => [each, definition.version]).sort(),
						).toEqual(expected);
				}
				adapters.dynamo.close();
			}),
			{ numRuns: 12 },
		);
	});

	test('neither the pack nor the cache of a schema that was restored and written anew is used', async () => {
		const warm = createDefinitionCache(adapters.store);
		const poll = async () => unitsOf(await warm.get('s', [1]));
		const table = { TableName: names.variables };
		const { client } = adapters.dynamo;
		await commit(create(1));
		const backup = await Promise.all([0, 1].map((id) => client.send(new GetCommand({ ...table, Key: { schema: 's', id } }))));
		await commit({ key: key(1), expected: 1, put: row(1, 2, 'bar') });
		await pack();
		expect(unitsOf(await coldPoll([1]))).toEqual([[1, 2, 'bar']]);
		expect(await poll()).toEqual([[1, 2, 'bar']]);
		// The state before the second save comes back, and another save leads to the same revision.
		for (const { Item } of backup) await client.send(new PutCommand({ ...table, Item }));
		await commit({ key: key(1), expected: 1, put: row(1, 2, 'psi') });
		expect(await adapters.store.revision('s')).toMatchObject({ revision: 2 });
		expect(await poll()).toEqual([[1, 2, 'psi']]);
		expect(unitsOf(await coldPoll([1]))).toEqual([[1, 2, 'psi']]);
		expect(await pack()).toBe(true);
		expect(unitsOf(await coldPoll([1]))).toEqual([[1, 2, 'psi']]);
	});

	test.each([
		['a head of another format', { id: -2, format: 2, revision: 1 }],
		['a part that is no text', { id: -1000, revision: 1, body: new Uint8Array([1, 2, 3]) }],
		['a part of another revision', { id: -1000, revision: 9, body: new Uint8Array([1]) }],
		['a part of another form', { id: -1000, text: 'later' }],
	])('is not used where it cannot be read: %s', async (_, item) => {
		await commit(create(1), create(2));
		await pack();
		await adapters.dynamo.client.send(new PutCommand({ TableName: names.variables, Item: { schema: 's', ...item } }));
		expect(await adapters.store.packed('s', [1])).toBeNull();
		expect((await coldPoll([1, 2])).size).toBe(2);
		await commit({ key: key(1), expected: 1, put: row(1, 2) });
		expect(await pack()).toBe(true);
		expect((await adapters.store.packed('s', [1]))?.definitions.get(1)?.version).toBe(2);
	});

	test('says of rows that cannot be read what the table says, and keeps what is stored of them', async () => {
		await commit(create(1), create(2), create(3), create(4));
		const { client } = adapters.dynamo;
		const itemOf = async (id: number) =>
			(await client.send(new GetCommand({ TableName: names.variables, Key: { schema: 's', id } }))).Item;
		const damage = async (id: number, damaged: (body: string) => string) => {
			const Item = await itemOf(id);
			await client.send(new PutCommand({ TableName: names.variables, Item: { ...Item, body: damaged(String(Item?.['body'])) } }));
		};
		await damage(1, (body) => body.slice(0, 40));
		await damage(2, (body) => body.replace('"last"', '"map"'));
		await damage(3, (body) => body.replace('"usedBy":[]', '"usedBy":7'));
		expect(await pack()).toBe(true);
		const definitionsOf = (all: ReadonlyMap<number, Definition>) =>
			[...all].map(([id, { variable, version, deleting, unread }]) => ({ id, variable, version, deleting, unread }));
		const stored = definitionsOf((await adapters.store.snapshot('s', 'all')).variables);
		expect(stored.map(({ unread }) => unread === undefined)).toEqual([false, false, false, true]);
		expect(definitionsOf((await adapters.store.packed('s', 'all'))?.definitions ?? new Map())).toEqual(stored);
		expect(definitionsOf(await coldPoll('all'))).toMatchObject(stored);
		await commit({ key: key(4), expected: 1, put: row(4, 2) });
		expect(await pack()).toBe(true);
		expect(definitionsOf((await adapters.store.packed('s', 'all'))?.definitions ?? new Map())).toMatchObject([
			...stored.slice(0, 3),
			{ id: 4, version: 2 },
		]);
	});

	test('keeps what a newer release packed, of which this one cannot read a variable', async () => {
		await commit(create(1), create(2));
		await pack();
		const revision = (await packs.packedRevision('s')) ?? expect.unreachable();
		const newer = { ...row(1).variable, type: 'map' };
		await packs.replace(
			's',
			revision,
			new Map([
				[1, { ...row(1), variable: newer as never }],
				[2, row(2)],
			]),
		);
		const unread = { kind: 'variable', version: 1, stamp: 1, content: { id: 1, type: 'map' }, usedBy: [], going: false };
		expect((await coldPoll([1, 2])).get(1)).toMatchObject({ version: 1, unread });
		expect((await coldPoll([2])).get(2)?.unread).toBeUndefined();
		await commit({ key: key(2), expected: 1, put: row(2, 2) });
		expect(await pack()).toBe(true);
		expect((await adapters.store.packed('s', [1]))?.definitions.get(1)).toMatchObject({ version: 1, unread });
	});

	test('never has an old definition where two write at once, whatever the order of their writes', {
		timeout: 120_000,
	}, async () => {
		const order = fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 8, maxLength: 8 });
		await fc.assert(
			fc.asyncProperty(order, async (turns) => {
				adapters = await openAdapters();
				packs = createDynamoPacks(adapters.dynamo, names);
				await commit(create(1), create(2));
				await pack();
				await commit({ key: key(1), expected: 1, put: row(1, 2, 'a') });
				const early = await adapters.store.snapshot('s', [1]);
				await commit({ key: key(1), expected: 2, put: row(1, 3, 'b') });
				const late = await adapters.store.snapshot('s', [1]);
				const from = (await packs.packedRevision('s')) ?? expect.unreachable();
				const at = ({ revision, listed, marks }: typeof early) => ({ revision, listed, mark: marks.at(-1) ?? 0 });
				await takingTurns(turns, [
					() => packs.advance('s', from, at(early), early.variables),
					() => packs.advance('s', from, at(late), late.variables),
				]);
				await commit({ key: key(2), expected: 1, put: row(2, 2, 'c') });
				await pack();
				expect(unitsOf(await coldPoll([1, 2]))).toEqual([
					[1, 3, 'b'],
					[2, 2, 'c'],
				]);
				adapters.dynamo.close();
			}),
			{ numRuns: 30 },
		);
	});

	/** Runs two works; each request to DynamoDB waits for its turn, or until the other work is over. */
	const takingTurns = async (turns: readonly number[], works: readonly (() => Promise<unknown>)[]) => {
		const left = [...turns];
		const over = new Set<number>();
		let current = 0;
		const context = new AsyncLocalStorage<number>();
		adapters.dynamo.client.middlewareStack.add(
			(next) => async (args) => {
				const me = context.getStore();
				if (me !== undefined) while (left.length > 0 && left[0] !== me && !over.has(1 - me)) await setTimeout(1);
				if (me !== undefined && left[0] === me) left.shift();
				current += 1;
				return next(args);
			},
			{ step: 'initialize', name: 'turns' },
		);
		try {
			await Promise.all(works.map((work, index) => context.run(index, () => work().finally(() => over.add(index)))));
		} finally {
			adapters.dynamo.client.middlewareStack.remove('turns');
		}
		expect(current).toBeGreaterThan(4);
	};

	/** Runs `work`; the write with this number, and all after it, fail. */
	const failingAtPut = async (failing: number, work: () => Promise<unknown>) => {
		let puts = 0;
		adapters.dynamo.client.middlewareStack.add(
			(next, { commandName }) =>
				async (args) => {
					if (commandName === 'PutItemCommand' || commandName === 'PutCommand') puts += 1;
					if (puts >= failing) throw Object.assign(new Error('The task was ended.'), { name: 'ValidationException' });
					return next(args);
				},
			{ step: 'initialize', name: 'end' },
		);
		try {
			await work();
		} finally {
			adapters.dynamo.client.middlewareStack.remove('end');
		}
	};
});
