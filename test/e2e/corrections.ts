import { beforeAll, describe, expect, test } from 'vitest';
import { makeBody, makeQuery } from '#test/support/builders/builders.ts';
import { errorEntry } from '#test/support/error-entry.ts';
import { type CallOptions, call, callOk, signIn, type Target } from './target.ts';

const minuteMs = 60_000;

/** Corrections of what totals count (shared/domain/totals/README.md#corrections). */
export const correctionsSuite = (target: () => Target): void => {
	describe('corrections', () => {
		let token: string;
		/** A whole hour, two to three hours ago. The samples are of the hour after it. */
		let start: number;
		let flow: number;
		let counter: number;
		const at = (minutes: number) => start + minutes * minuteMs;
		const request = (method: string, path: string, options: CallOptions = {}) =>
			call(target(), method, path, { token, ...options });
		const post = async (path: string, body?: unknown) => (await callOk(target(), 'POST', path, { token, body })).data;
		const listed = async (query: string, other = token) =>
			(await request('GET', `/getCorrections?${query}`, { token: other })).body.data;

		beforeAll(async () => {
			token = await signIn(target(), 'a');
			start = Math.floor(Date.now() / 3_600_000) * 3_600_000 - 2 * 3_600_000;
			const samples = [...Array(60).keys()].flatMap((minute) => [
				`corrected/flow value=${minute >= 30 && minute < 40 ? 999 : 60} ${at(minute)}`,
				// The meter is replaced after minute 45.
				`corrected/counter value=${minute <= 45 ? 1000 + minute : minute - 45} ${at(minute)}`,
			]);
			await target().feed('plant_a', [`corrected/counter value=990 ${at(-30)}`, ...samples].join('\n'));
			const simple = (topic: string) =>
				makeBody({ varsTsdb: { Flow: makeQuery({ calc_topic: topic, calc_period: 1, calc_unit_period: 'm' }) } });
			flow = (await post('/saveVariable', simple('corrected/flow'))).id;
			counter = (await post('/saveVariable', simple('corrected/counter'))).id;
		});

		const lines = () => [
			{ key: 'volume', varId: flow, function: 'total', per: 'min' },
			{ key: 'greatest', varId: flow, function: 'max' },
			{ key: 'count', varId: counter, function: 'increase' },
		];
		const totals = () => post('/totals', { lines: lines(), start, end: at(60) });
		const exclusion = () => ({ id: 0, varId: flow, type: 'exclude', from: at(30), to: at(40), reason: 'Sensor cleaned' });
		const exchange = () => ({
			id: 0,
			varId: counter,
			type: 'exchange',
			at: new Date(at(45.5)).toISOString(),
			oldFinal: 1045.5,
			newInitial: 0.5,
			reason: 'Meter replaced',
		});

		test('totals count as corrected and say so; without them they are again byte for byte what they were', async () => {
			const before = await totals();
			expect(before.lines.map(({ total }: { total: { value: number } }) => total.value)).toEqual([50 * 60 + 10 * 999, 999, null]);
			expect(before.lines[2].faults).toMatchObject([{ code: 'counter_fell', from: { value: 1045 }, to: { value: 1 } }]);

			const excluded = await post('/saveCorrection', exclusion());
			expect(excluded).toMatchObject({ ...exclusion(), id: expect.any(Number), version: 1, author: expect.stringMatching(/@/) });
			expect(Math.abs(Date.now() - excluded.time)).toBeLessThan(minuteMs);
			const exchanged = await post('/saveCorrection', exchange());
			expect(exchanged.at).toBe(at(45.5));
			const { lines: after } = await totals();
			expect(after.map(({ total }: { total: object }) => total)).toEqual([
				{ value: 50 * 60, known: 50 / 60, low: null, high: null },
				{ value: 60, known: 50 / 60, low: 60, high: null, at: start },
				// From 1000 to 1045.5, and from 0.5 to 14.
				{ value: 59, known: 1, low: 59, high: 59 },
			]);
			expect(after.map(({ corrections }: { corrections?: number[] }) => corrections)).toEqual([
				[excluded.id],
				[excluded.id],
				[exchanged.id],
			]);

			const manual = await post('/saveCorrection', {
				id: 0,
				varId: flow,
				type: 'value',
				from: at(32),
				to: at(34),
				value: 30,
				reason: 'By hand',
			});
			expect((await totals()).lines[0].total).toMatchObject({ value: 50 * 60 + 2 * 30, known: 52 / 60 });

			for (const { id } of [excluded, exchanged, manual])
				expect(await post(`/deleteCorrection/${id}`)).toEqual({ correction: true });
			expect(await post(`/deleteCorrection/${excluded.id}`)).toEqual({ correction: false });
			expect(JSON.stringify(await totals())).toBe(JSON.stringify(before));
		});

		test('a dry run tells the days without and with it, and stores nothing', async () => {
			const query = `dryRun=1&timeZone=Europe/Madrid&function=total&per=min`;
			const { correction, function: counted, days } = await post(`/saveCorrection?${query}`, exclusion());
			expect([correction.id, correction.version, counted]).toEqual([0, 1, 'total']);
			const [day, ...others] = days;
			expect(others).toEqual([]);
			expect(day.before.value - day.after.value).toBeCloseTo(10 * 999, 6);
			expect(day.start).toBeLessThanOrEqual(at(30));
			expect(day.end).toBeGreaterThanOrEqual(at(40));

			const replaced = await post('/saveCorrection?dryRun=1', exchange());
			expect([replaced.function, replaced.days[0].before.value]).toEqual(['increase', null]);
			expect(replaced.days[0].after.value).toBeGreaterThan(0);
			expect(await listed(`varId=${flow}`)).toEqual([]);
		});

		test('are listed by variable and range; a save of another version is refused', async () => {
			const [first, second] = [
				await post('/saveCorrection', exclusion()),
				await post('/saveCorrection', { ...exclusion(), from: at(50), to: at(55) }),
			];
			const ids = async (query: string) => (await listed(query)).map(({ id }: { id: number }) => id);
			expect(await ids(`varId=${flow}`)).toEqual([first.id, second.id]);
			expect(await ids(`varId=${flow}&start=${at(45)}`)).toEqual([second.id]);
			expect(await ids(`varId=${flow}&start=${at(40)}&end=${at(50)}`)).toEqual([]);
			expect(await ids(`varId=${counter}`)).toEqual([]);
			expect(await ids(`ids=${second.id}`)).toEqual([second.id]);
			expect(await ids('limit=1000')).toEqual(expect.arrayContaining([first.id, second.id]));

			const changed = { ...first, to: at(41), author: 'somebody else' };
			const saved = await request('POST', '/saveCorrection', { body: changed, headers: { 'if-match': '"1"' } });
			expect(saved.body.data).toMatchObject({ id: first.id, version: 2, to: at(41), author: first.author });
			const stale = await request('POST', '/saveCorrection', { body: changed, headers: { 'if-match': '"1"' } });
			expect(stale.status).toBe(412);
			// A save that changes nothing stores nothing.
			expect(await post('/saveCorrection', changed)).toEqual(saved.body.data);
		});

		test('another tenant neither sees nor deletes them', async () => {
			const other = await signIn(target(), 'b');
			const [{ id }] = await listed(`varId=${flow}`);
			expect(await listed(`varId=${flow}`, other)).toEqual([]);
			expect(await listed(`ids=${id}`, other)).toEqual([]);
			const deletion = await request('POST', `/deleteCorrection/${id}`, { token: other });
			expect([deletion.status, deletion.body.data]).toEqual([200, { correction: false }]);
			const saved = await request('POST', '/saveCorrection', { body: exclusion(), token: other });
			expect(saved.status).toBe(400);
			expect(await listed(`ids=${id}`)).toHaveLength(1);
		});

		test('every wrong field is named', async () => {
			const wrong = async (body: object, path = '/saveCorrection') => {
				const { status, body: answer } = await request('POST', path, { body });
				expect(status).toBe(400);
				return answer;
			};
			expect(await wrong({ id: 0, varId: flow, type: 'exclude', from: 'noon', to: 17, reason: '' })).toMatchObject({
				from: errorEntry('not_a_time'),
				to: errorEntry('epoch_seconds'),
				reason: errorEntry('empty'),
			});
			expect(await wrong({ ...exchange(), at: undefined, from: at(1) })).toMatchObject({
				at: errorEntry('required_by_type'),
				from: errorEntry('not_of_type'),
			});
			expect(await wrong({ ...exclusion(), from: at(41) })).toMatchObject({ from: errorEntry('start_not_before_end') });
			expect(await wrong({ ...exclusion(), from: Date.now() + 3_600_000, to: Date.now() + 7_200_000 })).toMatchObject({
				from: errorEntry('start_not_past'),
			});
			expect(await wrong({ ...exclusion(), varId: 999_999 })).toMatchObject({ varId: errorEntry('no_such_variable') });
			expect(await wrong(exclusion(), '/saveCorrection?dryRun=1&function=total')).toMatchObject({
				per: errorEntry('required_by_function'),
			});
		});

		test('go with their variable, come back by a restoration, and stand in the usages and the journal', async () => {
			const { id } = await post('/saveVariable', {
				...makeBody({ varsTsdb: { Flow: makeQuery({ calc_topic: 'corrected/other' }) } }),
			});
			const correction = await post('/saveCorrection', { ...exclusion(), varId: id });
			const { body: usages } = await request('GET', `/usages/${id}`);
			expect(usages.data).toEqual([{ kind: 'correction', id: correction.id, name: 'Sensor cleaned' }]);
			await post(`/deleteCorrection/${correction.id}`);
			const { body: page } = await request('GET', `/changes?kind=correction&itemId=${correction.id}`);
			expect(page.data.map(({ action }: { action: string }) => action)).toEqual(['deleted', 'created']);
			const { kind, itemId, rowVersion } = page.data[0];
			expect(await post('/restore', { kind, itemId, rowVersion })).toMatchObject({ id: correction.id, reason: 'Sensor cleaned' });
			expect(await post(`/deleteVar/${id}`)).toMatchObject({ tsdbVar: true });
			expect(await listed(`ids=${correction.id}`)).toEqual([]);
		});
	});
};
