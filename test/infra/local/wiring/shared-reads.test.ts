import { afterEach, beforeEach, expect, test } from 'vitest';
import { call, signIn, type Target } from '#test/e2e/target.ts';
import { makeBody, makeQuery } from '#test/support/builders/builders.ts';
import { openLocalTarget } from '#test/support/servers/local.ts';

const query = { calc_time: 1, calc_unit: 'h', calc_period: 1, calc_unit_period: 'm' } as const;

let target: Target;
let token: string;
let id: number;
let now: number;
beforeEach(async () => {
	now = Date.now();
	target = await openLocalTarget({ READINGS_SHARED_MS: '10000' }, () => now);
	token = await signIn(target, 'a');
	const body = makeBody({ varsTsdb: { Flow: makeQuery(query) } });
	id = (await call(target, 'POST', '/saveVariable', { token, body })).body.data.id;
	// A sample with a period of 1 min is stale after 120 s.
	await feed(1, 115_000);
});
afterEach(() => target.close());

const feed = (value: number, ageMs: number) => target.feed('plant_a', `plant/flow value=${value} ${now - ageMs}`);
const read = async (headers: Readonly<Record<string, string>> = {}) => {
	const { body } = await call(target, 'POST', '/multipleDataTsdb', { token, body: { ids: [id] }, headers });
	return body.data[0];
};

test('polls share a reading and its moment for READINGS_SHARED_MS', async () => {
	expect(await read()).toMatchObject({ value: 1, quality: 'good' });
	now += 9999;
	expect(await read()).toMatchObject({ value: 1, quality: 'good' });
	now += 1;
	expect(await read()).toMatchObject({ value: 1, quality: 'stale' });
});

test('Cache-Control: no-cache reads anew, for later polls too', async () => {
	await read();
	now += 9000;
	expect(await read({ 'cache-control': 'no-cache' })).toMatchObject({ quality: 'stale' });
	expect(await read()).toMatchObject({ quality: 'stale' });
});

test('a dry run shares no reading', async () => {
	await read();
	now += 9000;
	const body = makeBody({ varsTsdb: { Flow: makeQuery(query) } });
	const preview = await call(target, 'POST', '/saveVariable?dryRun=1', { token, body });
	expect(preview.body.data.reading).toMatchObject({ value: 1, quality: 'stale' });
	expect(await read()).toMatchObject({ quality: 'good' });
});

test('a poll reads what was written before it through the write API', async () => {
	expect(await read()).toMatchObject({ value: 1 });
	now += 1;
	await feed(2, 1);
	expect(await read()).toMatchObject({ value: 2 });
});

test('a variable that was saved with another query, or another name, is read as it is now', async () => {
	expect(await read()).toMatchObject({ name: 'Flow', value: 1 });
	const save = (body: object) => call(target, 'POST', '/saveVariable', { token, body });
	await save(makeBody({ id, name: 'New', varsTsdb: { New: makeQuery(query) } }));
	expect(await read()).toMatchObject({ name: 'New', value: 1 });
	await save(makeBody({ id, name: 'New', varsTsdb: { New: makeQuery({ ...query, calc_topic: 'plant/other' }) } }));
	expect(await read()).toMatchObject({ quality: 'no_data' });
});
