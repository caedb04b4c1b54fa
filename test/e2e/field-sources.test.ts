import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeBody, makeQuery } from '#test/support/builders/builders.ts';
import { openLocalTarget } from '#test/support/servers/local.ts';
import { call, signIn, type Target } from './target.ts';

/** The situations of people who do this job, which lie beside the repository. */
const folder = fileURLToPath(new URL('../../../shared/field/', import.meta.url));
const expectedOf = (name: string) => JSON.parse(readFileSync(`${folder}${name}/expected.json`, 'utf8'));

const minuteMs = 60_000;
const start = Date.parse('2026-11-24T00:00:00Z');
const end = start + 60 * minuteMs;
const minutes = Array.from({ length: 60 }, (_, index) => index);

if (!existsSync(folder)) console.warn(`The situations of the field are skipped: there is no folder ${folder}.`);

describe.skipIf(!existsSync(folder))('situations of the field with several sources or types', () => {
	let target: Target;
	let token: string;
	beforeAll(async () => {
		target = await openLocalTarget({ RETENTION_DAYS: '36600' }, () => Date.parse('2026-12-01T00:00:00Z'));
		token = await signIn(target, 'a');
	});
	afterAll(() => target.close());

	const variable = async (topic: string, field: string): Promise<number> => {
		const query = makeQuery({ calc_topic: topic, calc_field: field, calc_period: 1, calc_unit_period: 'm' });
		const { body } = await call(target, 'POST', '/saveVariable', { token, body: makeBody({ varsTsdb: { Flow: query } }) });
		return body.data.id;
	};
	const post = async (path: string, body: object) => (await call(target, 'POST', path, { token, body })).body.data;
	const hour = { start, end };
	const historyOf = async (id: number) =>
		(await post('/history', { ids: [id], ...hour, period: { count: 1, unit: 'h' }, aggregates: ['mean'] })).variables[0];

	test('01: two meters below one topic leave nothing known, and no start', async () => {
		const expected = expectedOf('01-totals-several-tag-sets');
		const lines = minutes.flatMap((minute) => [
			`modbus,slave_id=1,type=holding_register flow=100,run=1i ${start + minute * minuteMs}`,
			`modbus,slave_id=2,type=holding_register flow=10,run=0i ${start + minute * minuteMs + 300}`,
		]);
		// Both meters were there before, too.
		const before = `modbus,slave_id=1,type=holding_register flow=100,run=1i ${start - minuteMs}
modbus,slave_id=2,type=holding_register flow=10,run=0i ${start - minuteMs + 300}`;
		await target.feed('plant_a', [before, ...lines].join('\n'));
		const [flow, run] = [await variable('modbus', 'flow'), await variable('modbus', 'run')];
		const { lines: counted } = await post('/totals', {
			lines: [
				{ key: 'v', varId: flow, function: 'total', per: 'h' },
				{ key: 'm', varId: flow, function: 'mean' },
				{ key: 's', varId: run, function: 'starts' },
				{ key: 'h', varId: run, function: 'onTime' },
			],
			...hour,
		});
		for (const { total, faults } of counted) {
			expect(total).toMatchObject({ value: null, known: 0 });
			expect(total.value).not.toBe(expected.mustNot.value);
			expect(faults).toEqual([
				{ code: expected.history.code, window: 0, at: start, tags: [{ name: 'slave_id', values: ['1', '2'] }] },
			]);
		}
		const { quality, reason } = await historyOf(flow);
		expect({ quality, code: reason.code }).toEqual(expected.history);
	});

	test('10: one integer among floats counts with them', async () => {
		const from = Date.parse('2026-11-01T00:00:00+01:00');
		const floats = Array.from({ length: 20 * 144 }, (_, index) => `case10 value=60.5 ${from + index * 600_000}`);
		await target.feed('plant_a', floats.join('\n'));
		// A store that refuses the one integer (422) keeps the floats all the same.
		await target.feed('plant_a', `case10 value=61i ${from + 10 * 86_400_000 + 305_000}`).catch(() => undefined);
		const id = await variable('case10', 'value');
		const { lines } = await post('/totals', {
			lines: [{ key: 'v', varId: id, function: 'total', per: 'h', holdSeconds: 1200 }],
			start: from,
			end: from + 20 * 86_400_000,
			period: { count: 1, unit: 'd' },
			timeZone: 'Europe/Madrid',
		});
		expect(lines[0].values[0]).toBe(expectedOf('10-one-integer-among-floats').total_first_day);
		expect(lines[0].total).toMatchObject({ known: 1 });
		expect(lines[0].faults).toBeUndefined();
	});

	test('14: a gateway that was replaced costs one hold', async () => {
		const lines = minutes.map((minute) => `case14,host=${minute < 30 ? 'a' : 'b'} value=100 ${start + minute * minuteMs}`);
		await target.feed('plant_a', lines.join('\n'));
		const id = await variable('case14', 'value');
		const { lines: counted } = await post('/totals', { lines: [{ key: 'm', varId: id, function: 'mean' }], ...hour });
		expect(counted[0].total).toMatchObject({ value: expectedOf('14-handover-called-simultaneous').mean, known: 59 / 60 });
		expect(counted[0].faults).toMatchObject([{ code: 'several_series', at: start + 30 * minuteMs }]);
		// The window of the whole hour holds samples of both.
		expect(await historyOf(id)).toMatchObject({
			quality: 'bad',
			reason: { message: expect.stringContaining('within one window') },
		});
	});
});
