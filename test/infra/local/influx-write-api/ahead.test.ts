import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, signIn, type Target } from '#test/e2e/target.ts';
import { makeBody, makeCalculatedBody, makeQuery } from '#test/support/builders/builders.ts';
import { openLocalTarget } from '#test/support/servers/local.ts';

let target: Target;
let clock = Date.now();
let token: string;
beforeAll(async () => {
	target = await openLocalTarget({}, () => clock);
	token = await signIn(target, 'b');
});
afterAll(() => target.close());

const read = async (body: object) => {
	const { body: answer } = await call(target, 'POST', '/saveVariable?dryRun=1', { token, body });
	const { quality, value, series, reason } = answer.data.reading;
	return { quality, shown: value ?? series ?? null, reason: reason?.code, inputs: reason?.inputs };
};
const of = (topic: string, query = {}) => ({ varsTsdb: { Flow: makeQuery({ calc_topic: topic, ...query }) } });

test('a reading whose only samples are ahead of the clock says so, until the clock is there', async () => {
	const aheadMs = 120_000;
	await target.feed('plant_b', `fast value=7 ${clock + aheadMs}`);
	const ahead = { quality: 'no_data', reason: 'samples_ahead', inputs: ['Flow'] };
	expect(await read(makeBody(of('fast')))).toEqual({ ...ahead, shown: null });
	expect(await read(makeBody(of('fast', { calc_type_period: 'mean' })))).toEqual({ ...ahead, shown: null });
	expect(await read(makeBody({ type: 'history', ...of('fast') }))).toEqual({ ...ahead, shown: [] });
	const varsTsdb = { a: makeQuery({ calc_topic: 'fast' }) };
	expect(await read(makeCalculatedBody('a * 2', { varsTsdb }))).toEqual({ ...ahead, shown: null, inputs: ['a'] });
	expect(await read(makeBody(of('none')))).toMatchObject({ quality: 'no_data', reason: 'no_data' });
	clock += aheadMs + 1;
	expect(await read(makeBody(of('fast')))).toMatchObject({ quality: 'good', shown: 7 });
});

test('a sample within the lookback counts, whatever is ahead', async () => {
	await target.feed('plant_b', `both value=1 ${clock - 1000}\nboth value=7 ${clock + 120_000}`);
	expect(await read(makeBody(of('both')))).toMatchObject({ quality: 'good', shown: 1 });
});
