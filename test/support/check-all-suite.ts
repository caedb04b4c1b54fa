import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { boardOf, parseBoard } from '#domain/board/board.ts';
import { DomainError } from '#domain/errors.ts';
import { saveBoard } from '#domain/use-cases/save-board.ts';
import { saveVariable } from '#domain/use-cases/save-variable.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { readLocalSettings } from '#infra/local/wiring/settings.ts';
import { openState, type State } from '#infra/local/wiring/state.ts';
import { openStores, type Stores } from '#infra/local/wiring/stores.ts';
import { checkAllSchemas } from '#infra/tools/schema/check-all.ts';
import { makeBitsBody, makeBody } from './builders/builders.ts';
import { damageReference, leaveBits } from './builders/damage.ts';
import { testOrigin } from './builders/origin.ts';

const consistent = ['a', ...Array.from({ length: 12 }, (_, index) => `n${index}`)];

/** The check of all schemas. `environment`: the settings of the stores. */
export const checkAllSuite = (environment: () => Readonly<Record<string, string>>): void => {
	let state: State;
	let stores: Stores;
	/** Schemas whose rows are being read, and most of them at one time. */
	const reading = new Set<string>();
	let mostAtOnce = 0;
	let checkedStores: Stores;

	beforeAll(async () => {
		state = await openState('memory');
		stores = await openStores(readLocalSettings({ STATE_DIR: 'memory', ...environment() }), state);
		const deps = { store: stores.store, pause: async () => undefined, now: Date.now, origin: testOrigin };
		for (const schema of [...consistent, 'b', 'c', 'unreadable']) await saveVariable(deps, schema, parseVariable(makeBody()));
		for (const schema of ['b', 'c']) {
			await saveVariable(deps, schema, parseVariable(makeBitsBody()));
			const board = parseBoard('diagram', { id: 0, title: 'D', items: [{ varId: 2, bit: 7, x: 0, y: 0 }] });
			await saveBoard(deps, schema, boardOf('diagram', board));
		}
		await damageReference(stores.store, 'b', 2, 'diagram#3', null);
		await damageReference(stores.store, 'c', 1, 'chart#9', []);
		await leaveBits(stores.store, 'c', 2, 0);
		await stores.owners.set({ kind: 'schema', name: 'of an owner', clientId: 3 });
		await stores.owners.set({ kind: 'database', name: 'a database', clientId: 3 });
		const schemaMetadata: Stores['store']['schemaMetadata'] = async (schema) => {
			reading.add(schema);
			mostAtOnce = Math.max(mostAtOnce, reading.size);
			try {
				if (schema === 'unreadable') throw new DomainError('store_failed', { cause: 'damaged' });
				return await stores.store.schemaMetadata(schema);
			} finally {
				reading.delete(schema);
			}
		};
		checkedStores = { ...stores, store: { ...stores.store, schemaMetadata } };
	}, 60_000);
	afterAll(() => {
		stores.close();
		state.close();
	});

	const check = async (options: { readonly repair: boolean }, of = checkedStores) => {
		const lines: string[] = [];
		const write = vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
		try {
			const code = await checkAllSchemas(of, options);
			const printed = lines.join('').trim().split('\n');
			const last = printed.findIndex((line) => line.startsWith('Checked '));
			return { code, schemas: printed.slice(0, last).sort(), totals: printed.slice(last) };
		} finally {
			write.mockRestore();
		}
	};
	const unread = 'unreadable: not checked: The store failed (store_failed: {"cause":"damaged"}): run this again to continue.';

	test('names each schema with faults, goes on after one that cannot be read, and changes nothing', async () => {
		const before = await stores.store.schemaMetadata('b');
		expect(await check({ repair: false })).toEqual({
			code: 1,
			schemas: ['b: 1 found', expect.stringMatching(/^c: \d found$/), expect.stringContaining('unreadable: not checked: ')],
			totals: [
				expect.stringMatching(/^Checked 17 schemas: \d found, and 1 could not be checked\.$/),
				'Check a schema by itself for what it is: --schema NAME; --repair repairs what it can.',
			],
		});
		expect(await stores.store.schemaMetadata('b')).toEqual(before);
	});

	test('repairs what it can, and ends with 1 while anything is left', async () => {
		const repaired = await check({ repair: true });
		expect(repaired.code).toBe(1);
		expect(repaired.schemas).toEqual(['b: 1 found, 1 repaired, 0 left', expect.stringMatching(/^c: .* 1 left$/), unread]);
		expect(repaired.totals[0]).toMatch(/^Checked 17 schemas: \d found, \d repaired, 1 left, and 1 could not be checked\.$/);
		expect((await check({ repair: true })).schemas).toEqual(['c: 1 found, 0 repaired, 1 left', unread]);
	});

	test('reads few schemas at a time', () => {
		expect(mostAtOnce).toBeGreaterThan(1);
		expect(mostAtOnce).toBeLessThanOrEqual(4);
	});

	test('ends with 0 where nothing is left', async () => {
		await leaveBits(stores.store, 'c', 2, 0, 7);
		expect(await check({ repair: false }, stores)).toEqual({
			code: 0,
			schemas: [],
			totals: ['Checked 17 schemas: nothing found.'],
		});
	});
};
