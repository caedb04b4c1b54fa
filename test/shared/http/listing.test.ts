import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { maxRowsPerCommit, type RowCommit, type SchemaStore } from '#domain/ports/schema-store.ts';
import { createHandler as getCharts } from '#functions/getCharts/handler.ts';
import { createHandler as getCorrections } from '#functions/getCorrections/handler.ts';
import { createHandler as getVarsTsdb } from '#functions/getVarsTsdb/handler.ts';
import { listingResponse } from '#http/listing.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteSchemaStore } from '#infra/local/adapters/sqlite/sqlite-schema-store.ts';
import { silentLog } from '#infra/local/console-log.ts';
import { makeBoardRow, makeVariableRow } from '#test/support/builders/builders.ts';
import { makeEvent, type RequestParts } from '#test/support/builders/events.ts';

let store: SchemaStore;
beforeEach(() => {
	store = createSqliteSchemaStore(openDatabase(':memory:'));
});

const list = async (handler: typeof getCharts, { query, headers }: RequestParts = {}) => {
	const event = makeEvent('GET /getCharts', { ...(query && { query }), ...(headers && { headers }) });
	const { statusCode, body = '', isBase64Encoded } = await handler({ log: silentLog, store })(event);
	const text = isBase64Encoded ? gunzipSync(Buffer.from(body, 'base64')).toString() : body;
	const { data, next, ...errors } = JSON.parse(text);
	return { status: statusCode, ids: data?.map(({ id }: { id: number }) => id), next, errors, body };
};

/** Stores charts of about `bytes` bytes each. Quotes double in Lambda's response. */
const saveCharts = async (ids: readonly number[], bytes = 0, character = 'x') => {
	const series = Array.from({ length: Math.ceil(bytes / 1000) }, () => ({ varId: 1, label: character.repeat(960) }));
	for (let first = 0; first < ids.length; first += 10)
		await store.commit(
			's',
			ids.slice(first, first + 10).map((id): RowCommit => {
				const board = { kind: 'chart', content: { id, title: 'Chart', series } } as const;
				return { key: { kind: 'chart', id }, expected: null, put: { ...makeBoardRow('chart', id), board } };
			}),
		);
};

describe('a listing', () => {
	test('is complete and by ascending id without limit and after', async () => {
		await saveCharts([9, 10, 100, 2]);
		expect(await list(getCharts)).toMatchObject({ status: 200, ids: [2, 9, 10, 100], next: undefined });
	});

	test('has pages in the order of stored keys', async () => {
		await saveCharts([9, 10, 100, 2]);
		expect(await list(getCharts, { query: { limit: '3' } })).toMatchObject({ ids: [10, 100, 2], next: 2 });
		expect(await list(getCharts, { query: { limit: '3', after: '2' } })).toMatchObject({ ids: [9], next: null });
		expect(await list(getCharts, { query: { after: '10' } })).toMatchObject({ ids: [100, 2, 9], next: null });
		expect(await list(getCharts, { query: { after: '99', limit: '4' } })).toMatchObject({ ids: [], next: null });
	});

	test('has the rows of some ids, in their order, without those that are not stored', async () => {
		await saveCharts([9, 10, 100, 2]);
		expect(await list(getCharts, { query: { ids: '100,7,9' } })).toMatchObject({ status: 200, ids: [100, 9], next: undefined });
		expect(await list(getCharts, { query: { ids: '2' } })).toMatchObject({ status: 200, ids: [2] });
		expect(await list(getCharts, { query: { ids: '0,7' } })).toMatchObject({ status: 200, ids: [] });
		const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
		expect((await list(getCharts, { query: { ids: hundred.join() } })).ids).toEqual([2, 9, 10, 100]);
	});

	test('reads the rows of some ids by key', async () => {
		await saveCharts([9, 10]);
		const unlisted = async () => expect.fail('rows were listed');
		store = { ...store, list: unlisted, page: unlisted };
		expect(await list(getCharts, { query: { ids: '10' } })).toMatchObject({ ids: [10] });
	});

	test('of ids that is too large asks for fewer of them', async () => {
		const ids = Array.from({ length: 25 }, (_, index) => index + 1);
		await saveCharts(ids, 300_000);
		const { status, errors } = await list(getCharts, { query: { ids: ids.join() } });
		expect([status, errors['request'].message]).toEqual([413, expect.stringMatching(/gzip.* or ask for fewer ids/)]);
	});

	test('leaves out variables whose deletion is in progress, and goes on after them', async () => {
		const rows = [1, 2, 3].map((id) => makeVariableRow(id, { deleting: id === 2 }));
		await store.commit(
			's',
			rows.map((put): RowCommit => ({ key: { kind: 'variable', id: put.variable.id }, expected: null, put })),
		);
		expect(await list(getVarsTsdb, { query: { limit: '2' } })).toMatchObject({ ids: [1], next: 2 });
		expect(await list(getVarsTsdb, { query: { limit: '2', after: '2' } })).toMatchObject({ ids: [3], next: null });
		expect(await list(getVarsTsdb, { query: { ids: '3,2,1' } })).toMatchObject({ ids: [3, 1] });
	});

	test.each([
		[{ limit: '0' }, ['limit']],
		[{ limit: '1001' }, ['limit']],
		[{ limit: '1.5', after: '-1' }, ['limit', 'after']],
		[{ limit: '', after: 'chart#10' }, ['limit', 'after']],
		[{ after: '9007199254740992' }, ['after']],
		[{ limit: '1,2' }, ['limit']],
		[{ ids: '' }, ['ids']],
		[{ ids: '7,' }, ['ids.1']],
		[{ ids: '-1,1.5,7, 8' }, ['ids.0', 'ids.1', 'ids.3']],
		[{ ids: '7,8,7' }, ['ids.2']],
		[{ ids: '7', limit: '5' }, ['ids']],
		[{ ids: '7', after: '0' }, ['ids']],
		[{ id: '7' }, ['id']],
	])('refuses %j', async (query, fields) => {
		const { status, errors } = await list(getCharts, { query });
		expect([status, Object.keys(errors)]).toEqual([400, fields]);
	});

	test('of more than 100 ids is refused with 413', async () => {
		const { status, errors } = await list(getCharts, { query: { ids: Array(101).fill('x').join() } });
		expect([status, errors]).toEqual([
			413,
			{ ids: expect.objectContaining({ params: { counted: 'ids', actual: 101, limit: 100 } }) },
		]);
	});

	test.each([['x'], ['"'], ['\u0001']])('of large rows ends a page early, and loses none: %j', async (character) => {
		const ids = Array.from({ length: 30 }, (_, index) => index + 10);
		const labelBytes = JSON.stringify(character).length - 2;
		await saveCharts(ids, 300_000 / labelBytes, character);
		const seen: number[] = [];
		let pages = 0;
		for (let after: number | null = 0; after !== null; pages += 1) {
			const page = await list(getCharts, { query: { limit: '1000', after: String(after) } });
			expect([page.status, page.ids.length > 0]).toEqual([200, true]);
			expect(Buffer.byteLength(JSON.stringify(page.body))).toBeLessThan(5_600_000);
			seen.push(...page.ids);
			after = page.next;
		}
		expect(pages).toBeGreaterThan(1);
		expect(seen).toEqual(ids);
	});

	test('passes on only the entries that it holds, also where a page ends early', () => {
		const entries = [1, 2, 3].map((id) => ({ id, json: { text: 'x'.repeat(2_000_000) } }));
		const idsIn = (next: number | null | undefined) => {
			const listing = next === undefined ? {} : { next };
			const { body } = listingResponse(listing, entries, (listed) => ({ ids: listed.map(({ id }) => id) }));
			const { data, ...rest } = body as { data: unknown[] };
			return { count: data.length, ...rest };
		};
		expect(idsIn(undefined)).toEqual({ count: 3, ids: [1, 2, 3] });
		expect(idsIn(null)).toEqual({ count: 2, next: 2, ids: [1, 2] });
	});

	test('that is too large in full names paging and gzip', async () => {
		await saveCharts(
			Array.from({ length: 30 }, (_, index) => index + 1),
			300_000,
		);
		const refused = await list(getCharts);
		expect([refused.status, Object.keys(refused.errors)]).toEqual([413, ['request']]);
		expect(refused.errors['request'].message).toMatch(/gzip.*\?limit=/);
		expect((await list(getCharts, { headers: { 'accept-encoding': 'gzip' } })).ids).toHaveLength(30);
		await saveCharts(
			Array.from({ length: maxRowsPerCommit }, (_, index) => index + 100),
			300_000,
		);
		const huge = await list(getCharts, { headers: { 'accept-encoding': 'gzip' } });
		expect([huge.status, huge.errors['request']?.message]).toEqual([413, expect.stringContaining('?limit=')]);
	});
});

describe('a listing of corrections', () => {
	const at = (hours: number): number => 1_800_000_000_000 + Math.round(hours * 3_600_000);
	/** The correction `id` is about the hour that ends at `at(id)`. Those with odd ids are of the variable 7. */
	const saveCorrections = async (ids: readonly number[]) => {
		for (const id of ids) {
			const span = { from: at(id - 1), to: at(id) };
			const content = { id, varId: id % 2 === 0 ? 8 : 7, type: 'exclude', reason: 'Cleaned', ...span } as const;
			const put = { kind: 'correction', version: 1, rowVersion: 1, board: { kind: 'correction', content } } as const;
			await store.commit('s', [{ key: { kind: 'correction', id }, expected: null, put }]);
		}
	};
	const listed = (query: Readonly<Record<string, string>>) => list(getCorrections, { query });

	test('fills each page with the rows that are asked for, and ends with the last of them', async () => {
		await saveCorrections(Array.from({ length: 9 }, (_, index) => index + 1));
		expect(await listed({ varId: '7', limit: '2' })).toMatchObject({ ids: [1, 3], next: 3 });
		expect(await listed({ varId: '7', limit: '2', after: '3' })).toMatchObject({ ids: [5, 7], next: 7 });
		expect(await listed({ varId: '7', limit: '2', after: '7' })).toMatchObject({ ids: [9], next: null });
		expect(await listed({ varId: '7', limit: '5' })).toMatchObject({ ids: [1, 3, 5, 7, 9], next: null });
		expect(await listed({ start: String(at(7.5)), limit: '1' })).toMatchObject({ ids: [8], next: 8 });
		expect(await listed({ start: String(at(7.5)), after: '8' })).toMatchObject({ ids: [9], next: null });
		expect(await listed({ end: String(at(1)), limit: '1' })).toMatchObject({ ids: [1], next: null });
	});

	test('of some ids has those of the variable and of the range', async () => {
		await saveCorrections([1, 2, 3]);
		expect(await listed({ ids: '3,2,1', varId: '7' })).toMatchObject({ ids: [3, 1] });
		expect(await listed({ ids: '3,2,1', end: String(at(2)) })).toMatchObject({ ids: [2, 1] });
		expect(await listed({ ids: '3', limit: '1', varId: '7' })).toMatchObject({
			status: 400,
			errors: { ids: { code: 'ids_and_page' } },
		});
	});

	test('is refused for a range that is empty', async () => {
		for (const end of [at(1), at(1) - 1])
			expect(await listed({ start: String(at(1)), end: String(end) })).toMatchObject({
				status: 400,
				errors: { start: { code: 'start_not_before_end' } },
			});
		await saveCorrections([2]);
		expect(await listed({ start: String(at(1)), end: String(at(1) + 1) })).toMatchObject({ status: 200, ids: [2] });
	});
});
