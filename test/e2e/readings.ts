import { beforeAll, describe, expect, test } from 'vitest';
import { makeBitsBody, makeBody, makeCalculatedBody, makeQuery } from '#test/support/builders/builders.ts';
import { call, callOk, signIn, type Target } from './target.ts';

const minuteMs = 60_000;

/** The batch read (shared/domain/reading/README.md#fields and shared/domain/reading/README.md). */
export const readingsSuite = (target: () => Target): void => {
	describe('readings', () => {
		let token: string;
		let now: number;
		beforeAll(async () => {
			token = await signIn(target(), 'a');
			now = Date.now();
			const at = (secondsAgo: number) => now - secondsAgo * 1000;
			const window = Math.floor(now / minuteMs) * minuteMs;
			await target().feed(
				'plant_a',
				[
					`read/level value=3.25 ${at(120)}`,
					`read/level value=0 ${at(10)}`,
					`read/old value=7 ${at(300)}`,
					`read/flow value=12 ${at(10)}`,
					`read/running value=true ${at(10)}`,
					`read/count value=9007199254740993i ${at(10)}`,
					`read/text value="open" ${at(10)}`,
					`read/byte value=129i ${at(10)}`,
					`read/notbyte value=256i ${at(10)}`,
					`read/zero value=0 ${at(10)}`,
					// They must be of the last minute when they are read.
					`read/mean value=1 ${at(3)}`,
					`read/mean value=2 ${at(2)}`,
					`read/mean value=6 ${at(1)}`,
					`read/history value=1 ${window - 2 * minuteMs}`,
					`read/history value=3 ${window - 2 * minuteMs + 1000}`,
					`read/history value=5 ${window - 1}`,
				].join('\n'),
			);
		});

		const save = async (body: Record<string, unknown>): Promise<number> =>
			(await callOk(target(), 'POST', '/saveVariable', { token, body })).data.id;
		const simple = (topic: string, query = {}, overrides = {}) =>
			makeBody({ varsTsdb: { Flow: makeQuery({ calc_topic: topic, ...query }) }, ...overrides });
		const calculated = (formula: string, topics: Record<string, string>) =>
			makeCalculatedBody(formula, {
				varsTsdb: Object.fromEntries(Object.entries(topics).map(([name, calc_topic]) => [name, makeQuery({ calc_topic })])),
			});
		const read = async (...bodies: Record<string, unknown>[]) => {
			const ids = [];
			for (const body of bodies) ids.push(await save(body));
			const { status, body } = await call(target(), 'POST', '/multipleDataTsdb', { token, body: { ids } });
			expect(status).toBe(200);
			return body.data;
		};

		test('a batch answers in the order of its ids, and a variable that cannot be read affects no other', async () => {
			const readings = await read(
				simple('read/level'),
				simple('read/old'),
				simple('read/nothing'),
				simple('read/running'),
				simple('read/count'),
				simple('read/text'),
				simple('read/text', { calc_type_period: 'mean' }),
				calculated('a * b', { a: 'read/flow', b: 'read/flow' }),
				calculated('a / z', { a: 'read/flow', z: 'read/zero' }),
				calculated('a + n', { a: 'read/flow', n: 'read/nothing' }),
				makeBitsBody({ varsTsdb: { Flow: makeQuery({ calc_topic: 'read/notbyte' }) } }),
				simple('read/mean', { calc_type_period: 'mean', calc_time: 1 }),
			);
			expect(readings.map(({ quality, value }: { quality: string; value: unknown }) => [quality, value])).toEqual([
				['good', 0],
				['stale', 7],
				['no_data', null],
				['good', 1],
				['bad', null],
				['bad', null],
				['bad', null],
				['good', 144],
				['bad', null],
				['no_data', null],
				['bad', null],
				['good', 3],
			]);
			expect(
				readings.map(({ reason }: { reason?: { code: string; inputs: string[] } }) => reason && [reason.code, reason.inputs]),
			).toEqual([
				undefined,
				['stale', ['Flow']],
				['no_data', ['Flow']],
				undefined,
				['precision', ['Flow']],
				['not_numeric', ['Flow']],
				['not_numeric', ['Flow']],
				undefined,
				['division_by_zero', ['z']],
				['no_data', ['n']],
				['not_a_byte', ['Flow']],
				undefined,
			]);
		});

		test('a reading has exactly the fields of its type', async () => {
			const [last, byte, formula, history] = await read(
				simple('read/level'),
				makeBitsBody({ varsTsdb: { Flow: makeQuery({ calc_topic: 'read/byte' }) } }),
				calculated('a + z', { a: 'read/level', z: 'read/flow' }),
				simple('read/history', {}, { type: 'history' }),
			);
			const time = new Date(now - 10_000).toISOString();
			const common = { id: expect.any(Number), name: 'Flow', unit: 'L/s' };
			expect(last).toEqual({ ...common, kind: 'newest', type: 'last', quality: 'good', value: 0, time });
			expect(byte).toEqual({
				...common,
				kind: 'bits',
				type: 'last',
				quality: 'good',
				value: 129,
				time,
				bits: [
					{ id: 1, name: 'Pump 1', bit: 0, value: 1 },
					{ id: 2, name: 'Alarm', bit: 7, value: 1 },
				],
			});
			expect(formula).toEqual({
				...common,
				kind: 'calculated',
				name: 'Formula',
				type: 'last',
				quality: 'good',
				value: 12,
				time,
				oldestInputAt: time,
				newestInputAt: time,
			});
			const window = Math.floor(now / minuteMs) * minuteMs;
			expect(history.series).toEqual([
				[new Date(window - minuteMs).toISOString(), 3],
				[new Date(window).toISOString(), 5],
			]);
			expect(history).toEqual({
				...common,
				kind: 'history',
				type: 'history',
				quality: expect.any(String),
				series: history.series,
			});
		});

		test('an unknown id has the quality missing_reference', async () => {
			const { body } = await call(target(), 'POST', '/multipleDataTsdb', { token, body: { ids: [987654] } });
			expect(body.data).toEqual([
				{
					id: 987654,
					kind: 'missing',
					name: null,
					unit: null,
					type: null,
					quality: 'missing_reference',
					value: null,
					time: null,
					reason: { code: 'missing_reference', message: expect.any(String), inputs: [] },
				},
			]);
		});

		test('without ids or without a body all variables are read', async () => {
			const listed = (await call(target(), 'GET', '/getVarsTsdb', { token })).body.data.map(({ id }: { id: number }) => id);
			for (const body of [undefined, {}]) {
				const answer = await call(target(), 'POST', '/multipleDataTsdb', { token, body });
				expect(answer.body.data.map(({ id }: { id: number }) => id)).toEqual(listed);
			}
			expect((await call(target(), 'POST', '/multipleDataTsdb', { token, body: { ids: [] } })).body).toEqual({ data: [] });
		});

		test('histories beyond 100,000 windows are skipped, and newest values are served first', async () => {
			const query = { calc_time: 9999, calc_unit: 's', calc_period: 1, calc_unit_period: 's' };
			const ids = [];
			for (let index = 0; index < 10; index += 1) ids.push(await save(simple(`read/many${index}`, query, { type: 'history' })));
			ids.push(await save(simple('read/level')));
			const { status, body } = await call(target(), 'POST', '/multipleDataTsdb', { token, body: { ids } });
			expect(status).toBe(200);
			expect(body.data.map(({ quality }: { quality: string }) => quality)).toEqual([
				...Array(9).fill('no_data'),
				'skipped',
				'good',
			]);
			expect(body.data[9]).toEqual({
				...{ id: ids[9], kind: 'history', name: 'Flow', unit: 'L/s', type: 'history', quality: 'skipped', series: [] },
				reason: { code: 'too_many_windows', message: expect.stringContaining('10,000 of 100,000'), inputs: [] },
			});
			for (const id of ids) await call(target(), 'POST', `/deleteVar/${id}`, { token });
		});

		test('2,000 ids are answered, and newest values of different lookbacks are read together', async () => {
			const ids: number[] = [];
			for (const calc_time of [1, 2, 100, 5000]) ids.push(await save(simple('read/level', { calc_time })));
			const all = Array.from({ length: 2000 }, (_, index) => ids[index % ids.length]);
			const { status, body } = await call(target(), 'POST', '/multipleDataTsdb', { token, body: { ids: all } });
			expect(status).toBe(200);
			expect(body.data.map(({ id }: { id: number }) => id)).toEqual(all);
			expect(new Set(body.data.map(({ value, quality }: { value: number; quality: string }) => `${value} ${quality}`))).toEqual(
				new Set(['0 good']),
			);
		});

		test('the response is gzipped when the client accepts gzip', async () => {
			const headers = { 'accept-encoding': 'gzip' };
			const zipped = await call(target(), 'GET', '/getVarsTsdb', { token, headers });
			expect(zipped.headers.get('content-encoding')).toBe('gzip');
			const plain = await call(target(), 'GET', '/getVarsTsdb', { token, headers: { 'accept-encoding': 'gzip;q=0' } });
			expect(plain.headers.get('content-encoding')).toBeNull();
			expect(zipped.body).toEqual(plain.body);
		});
	});
};
