import { beforeAll, describe, expect, test } from 'vitest';
import { makeBitsBody, makeBody, makeCalculatedBody, makeQuery } from '#test/support/builders/builders.ts';
import { errorEntry } from '#test/support/error-entry.ts';
import { call, callOk, signIn, type Target } from './target.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Midnight UTC of the last Sunday of October before `now`: Madrid's clock goes back on that day, at 01:00 UTC. */
const lastSundayOfOctober = (now: number): number => {
	const year = new Date(now).getUTCFullYear();
	const sundays = [year, year - 1].map((each) => {
		const last = Date.UTC(each, 9, 31);
		return last - new Date(last).getUTCDay() * dayMs;
	});
	return sundays.find((sunday) => sunday < now - 3 * dayMs) ?? 0;
};

/** Histories over any range (shared/domain/history/README.md). */
export const historySuite = (target: () => Target): void => {
	describe('histories', () => {
		let token: string;
		/** A multiple of 10 minutes, about two hours ago. Samples are in the 40 minutes after it. */
		let start: number;
		let sunday: number;
		beforeAll(async () => {
			token = await signIn(target(), 'a');
			const now = Date.now();
			start = Math.floor(now / (10 * minuteMs)) * 10 * minuteMs - 2 * hourMs;
			sunday = lastSundayOfOctober(now);
			const at = (minutes: number, ms = 0) => start + minutes * minuteMs + ms;
			await target().feed(
				'plant_a',
				[
					`hist/flow value=9 ${at(0, -1)}`,
					...[1, 2, 3].map((value, index) => `hist/flow value=${value} ${at(index)}`),
					`hist/flow value=8 ${at(9, 59_999)}`,
					`hist/flow value=0 ${at(20)}`,
					`hist/flow value=-4.5 ${at(35)}`,
					`hist/flow value=9 ${at(40)}`,
					...[0, 10, 20].map((minutes) => `hist/part value=6 ${at(minutes)}`),
					`hist/whole value=2 ${at(0)}`,
					`hist/whole value=0 ${at(20)}`,
					`hist/whole value=3 ${at(30)}`,
					`hist/byte value=129i ${at(0)}`,
					`hist/byte value=255i ${at(5)}`,
					`hist/byte value=256i ${at(20)}`,
					`hist/running value=true ${at(0)}`,
					`hist/running value=false ${at(1)}`,
					`hist/text value="open" ${at(0)}`,
					`hist/several,pump=1 value=1 ${at(0)}`,
					`hist/several,pump=2 value=2 ${at(1)}`,
					`hist/several,pump=2 value=3 ${at(20)}`,
					`hist/days value=1 ${sunday - 20 * hourMs}`,
					`hist/days value=2 ${sunday + 5 * hourMs - 1}`,
					`hist/days value=4 ${sunday + 5 * hourMs}`,
				].join('\n'),
			);
		});

		const post = (body: unknown) => call(target(), 'POST', '/history', { token, body });
		const save = async (body: Record<string, unknown>): Promise<number> =>
			(await callOk(target(), 'POST', '/saveVariable', { token, body })).data.id;
		const simple = (topic: string, query = {}) => makeBody({ varsTsdb: { Flow: makeQuery({ calc_topic: topic, ...query }) } });
		const windows = () => ({ start, end: start + 40 * minuteMs, period: { count: 10, unit: 'm' } });
		/** Saves the variables and reads them over four windows of 10 minutes. */
		const read = async (aggregates: readonly string[], ...bodies: Record<string, unknown>[]) => {
			const ids = [];
			for (const body of bodies) ids.push(await save(body));
			return (await callOk(target(), 'POST', '/history', { token, body: { ids, ...windows(), aggregates } })).data.variables;
		};

		test('every window is there, with every aggregate', async () => {
			const id = await save(simple('hist/flow'));
			const aggregates = ['own', 'mean', 'min', 'max', 'first', 'last', 'count', 'coverage'];
			const body = await callOk(target(), 'POST', '/history', { token, body: { ids: [id, 987654], ...windows(), aggregates } });
			const nulls = [null, null, null, null];
			expect(body).toEqual({
				data: {
					bounds: [0, 10, 20, 30, 40].map((minutes) => start + minutes * minuteMs),
					period: { count: 10, unit: 'm' },
					timeZone: 'UTC',
					dayStart: '00:00',
					variables: [
						{
							...{ id, name: 'Flow', unit: 'L/s', quality: 'good', period: { count: 1, unit: 'm' }, aggregate: 'last' },
							values: {
								own: [8, null, 0, -4.5],
								mean: [3.5, null, 0, -4.5],
								min: [1, null, 0, -4.5],
								max: [8, null, 0, -4.5],
								first: [1, null, 0, -4.5],
								last: [8, null, 0, -4.5],
								count: [4, 0, 1, 1],
								coverage: [0.4, 0, 0.1, 0.1],
							},
						},
						{
							...{ id: 987654, name: null, unit: null, quality: 'missing_reference', period: null, aggregate: null },
							reason: { code: 'missing_reference', message: expect.any(String), inputs: [] },
							values: Object.fromEntries(aggregates.map((aggregate) => [aggregate, nulls])),
						},
					],
				},
			});
		});

		test.each(['mean', 'last'] as const)(
			'has the values that a variable of type history has of the same windows: %s',
			async (own) => {
				const queryOf = (calc_topic: string) =>
					makeQuery({ calc_topic, calc_time: 4, calc_unit: 'h', calc_period: 10, calc_type_period: own });
				const flow = await save(makeBody({ type: 'history', varsTsdb: { Flow: queryOf('hist/flow') } }));
				const varsTsdb = { p: queryOf('hist/part'), f: queryOf('hist/flow') };
				const formula = await save(makeCalculatedBody('p + f', { type: 'history', varsTsdb }));
				const ids = [flow, formula];
				const { body: readings } = await call(target(), 'POST', '/multipleDataTsdb', { token, body: { ids } });
				const { body: histories } = await post({ ids, start: start - hourMs, period: { count: 10, unit: 'm' } });
				const { bounds, variables } = histories.data;
				for (const [index, { series }] of readings.data.entries()) {
					const hasValue = ([, value]: [string, number | null]): boolean => value !== null;
					const points = variables[index].values.own.map((value: number | null, window: number) => [
						new Date(bounds[window + 1]).toISOString(),
						value,
					]);
					expect(points.filter(hasValue).length).toBeGreaterThan(1);
					expect(points.filter(hasValue)).toEqual(series.filter(hasValue));
				}
			},
		);

		test('windows are local days, which begin at dayStart; the clock of Madrid goes back in one of them', async () => {
			const id = await save(simple('hist/days'));
			const day = { period: { count: 1, unit: 'd' }, timeZone: 'europe/madrid', dayStart: '06:00' };
			const range = { start: new Date(sunday - dayMs).toISOString(), end: sunday + dayMs };
			const body = { ids: [id], ...range, ...day, aggregates: ['count', 'max'] };
			const { data } = await callOk(target(), 'POST', '/history', { token, body });
			const { bounds, timeZone, dayStart, variables } = data;
			expect([timeZone, dayStart]).toEqual(['Europe/Madrid', '06:00']);
			// 06:00 is 04:00 UTC on Saturday, and 05:00 UTC on Sunday.
			expect(bounds).toEqual([sunday - dayMs, sunday - 20 * hourMs, sunday + 5 * hourMs, sunday + dayMs]);
			expect(variables[0].values).toEqual({ count: [0, 2, 1], max: [null, 2, 4] });
		});

		test('without a period there are at most as many windows as points, until now', async () => {
			const id = await save(simple('hist/flow'));
			const before = Date.now();
			const { body } = await post({ ids: [id], start, points: 20 });
			const { bounds, period, variables } = body.data;
			expect(period).toEqual({ count: 10, unit: 'm' });
			expect(bounds.slice(0, 2)).toEqual([start, start + 10 * minuteMs]);
			expect(bounds.at(-1)).toBeGreaterThanOrEqual(before);
			expect(bounds.at(-1)).toBeLessThanOrEqual(Date.now());
			expect(variables[0].values.own).toHaveLength(bounds.length - 1);
			expect(variables[0].values.own.slice(0, 5)).toEqual([8, null, 0, -4.5, 9]);
		});

		test('a calculated variable has its own aggregate only, with the faults of its formula', async () => {
			const queries = (own: 'last' | 'mean') => ({
				p: makeQuery({ calc_topic: 'hist/part', calc_type_period: own }),
				w: makeQuery({ calc_topic: 'hist/whole' }),
			});
			const [history] = await read(['own', 'mean'], makeCalculatedBody('p / w', { varsTsdb: queries('mean') }));
			expect(history).toEqual({
				...{
					id: expect.any(Number),
					name: 'Formula',
					unit: 'L/s',
					quality: 'good',
					period: { count: 1, unit: 'm' },
					aggregate: null,
				},
				values: { own: [3, null, null, null] },
				faults: { division_by_zero: [2] },
				unavailable: ['mean'],
			});
		});

		test('a bit-compressed variable has bytes only', async () => {
			const body = makeBitsBody({ varsTsdb: { Flow: makeQuery({ calc_topic: 'hist/byte' }) } });
			const [history] = await read(['first', 'last', 'count', 'max'], body);
			expect(history).toMatchObject({
				...{ quality: 'good', faults: { not_a_byte: [2] }, unavailable: ['max'] },
				values: { first: [129, null, null, null], last: [255, null, null, null], count: [2, 0, 1, 0] },
			});
		});

		test('a series that cannot be read affects no other, and booleans are 1 and 0', async () => {
			const histories = await read(
				['mean', 'max', 'count'],
				simple('hist/text'),
				simple('hist/nothing'),
				simple('hist/running'),
				simple('hist/several'),
			);
			const nulls = [null, null, null, null];
			expect(
				histories.map(({ quality, reason, values, faults }: Record<string, unknown> & { reason?: { code: string } }) => [
					...[quality, reason?.code, values, faults],
				]),
			).toEqual([
				['bad', 'not_numeric', { mean: nulls, max: nulls, count: nulls }, undefined],
				['no_data', 'no_data', { mean: nulls, max: nulls, count: [0, 0, 0, 0] }, undefined],
				['good', undefined, { mean: [0.5, null, null, null], max: [1, null, null, null], count: [2, 0, 0, 0] }, undefined],
				[
					...['good', undefined, { mean: [null, null, 3, null], max: [null, null, 3, null], count: [null, 0, 1, 0] }],
					{ several_series: [0] },
				],
			]);
		});

		test('a dry run of a variable has its history as stored and as sent, which the save keeps to', async () => {
			const stored = simple('hist/flow');
			const id = await save(stored);
			const asked = `start=${start}&end=${start + 40 * minuteMs}&period=10m`;
			const dryRun = (body: unknown, query = asked) => call(target(), 'POST', `/saveVariable?dryRun=1&${query}`, { token, body });
			const draft = { ...makeBody({ varsTsdb: { Flow: makeQuery({ calc_topic: 'hist/flow', calc_type_period: 'mean' }) } }), id };
			const { status, body } = await dryRun(draft);
			expect(status, JSON.stringify(body)).toBe(200);
			const { before, after, ...rest } = body.data.history;
			expect(before).toMatchObject({ id, aggregate: 'last', values: { own: [8, null, 0, -4.5] } });
			expect(after).toMatchObject({ id, aggregate: 'mean', values: { own: [3.5, null, 0, -4.5] } });
			const { body: now } = await post({ ids: [id], ...windows() });
			expect(now.data).toEqual({ ...rest, variables: [before] });
			await save(draft);
			expect((await post({ ids: [id], ...windows() })).body.data).toEqual({ ...rest, variables: [after] });
			expect((await dryRun(stored)).body.data.history).toMatchObject({ before: null, after: { id: 0, quality: 'good' } });
			expect((await dryRun(draft, `start=${start}&period=10`)).body).toEqual({ period: errorEntry('invalid_value') });
			expect(Object.keys((await dryRun(draft, 'end=soon')).body).sort()).toEqual(['end', 'period', 'start']);
			expect((await dryRun(draft, `start=${start - 2 * dayMs}&period=1s`)).status).toBe(413);
		});

		test('wrong fields are named all at once, and too much is refused', async () => {
			const wrong = await post({
				ids: [1, 1],
				start: Date.now() + dayMs,
				aggregates: ['sum'],
				timeZone: '+02:00',
				dayStart: '25:00',
			});
			expect(wrong.status).toBe(400);
			expect(Object.keys(wrong.body).sort()).toEqual(['aggregates.0', 'dayStart', 'ids.1', 'start', 'timeZone']);
			const many = await post({ ids: [1, 2], start: start - 50_001_000, end: start, period: { count: 1, unit: 's' } });
			expect(many.status).toBe(413);
			expect(many.body).toEqual({ request: errorEntry('too_large', expect.stringMatching(/: 100002, at most 100000\./)) });
		});
	});
};
