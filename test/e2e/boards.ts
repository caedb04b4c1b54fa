import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeBitsBody, makeBody, makePanel, makeQuery } from '#test/support/builders/builders.ts';
import { errorEntry } from '#test/support/error-entry.ts';
import { fieldAnswer } from '#test/support/field-answer.ts';
import { type CallOptions, call, callOk, signIn, type Target } from './target.ts';

/**
 * Charts, diagrams, alarms, and the usages of variables (shared/domain/board/README.md#fields, shared/domain/board/README.md#references and
 * shared/domain/transaction/README.md#references).
 */
export const boardsSuite = (target: () => Target): void => {
	describe('boards', () => {
		let token: string;
		let flow: number;
		let byte: number;

		const request = (method: string, path: string, options: CallOptions = {}) =>
			call(target(), method, path, { ...options, token });
		const post = async (path: string, body?: unknown) => (await callOk(target(), 'POST', path, { token, body })).data;
		const list = async (kind: string) => (await request('GET', `/get${kind}s`)).body.data;
		const find = async (kind: string, id: number) => (await list(kind)).find((each: { id: number }) => each.id === id);

		beforeAll(async () => {
			token = await signIn(target(), 'a');
			const at = Date.now() - 1000;
			await target().feed('plant_a', `board/flow value=5 ${at}\nboard/byte value=129i ${at}\nboard/text value="x" ${at}`);
			const variable = (topic: string, body: Record<string, unknown>) => ({
				...body,
				varsTsdb: { Flow: makeQuery({ calc_topic: topic }) },
			});
			flow = (await post('/saveVariable', variable('board/flow', makeBody({ type: 'history' })))).id;
			byte = (await post('/saveVariable', variable('board/byte', makeBitsBody()))).id;
		});

		const chart = (...ids: number[]) => ({
			id: 0,
			title: 'Chart',
			series: ids.map((varId) => ({ varId, label: 'L', color: '#123456' })),
		});
		const diagram = (varId: number, bit?: number) => ({
			id: 0,
			title: 'Hall',
			items: [{ varId, ...(bit === undefined ? {} : { bit }), x: 0, y: 1 }],
		});
		const alarm = (varId: number, overrides = {}) => ({
			id: 0,
			name: 'High',
			varId,
			condition: '>',
			threshold: 4,
			severity: 'critical',
			message: 'Too high.',
			...overrides,
		});

		test.each<[string, () => Record<string, unknown>]>([
			['Chart', () => chart(flow, byte)],
			['Diagram', () => diagram(byte, 7)],
			['Alarm', () => alarm(flow)],
		])('saves, lists, updates and deletes a %s', async (kind, body) => {
			const saved = await post(`/save${kind}`, { ...body(), unknown: 1 });
			expect(saved).toEqual({ ...body(), id: saved.id, version: 1 });
			expect(await find(kind, saved.id)).toMatchObject(saved);
			expect((await post(`/save${kind}`, saved)).version).toBe(1);
			const changed = kind === 'Alarm' ? { ...saved, threshold: 5 } : { ...saved, title: 'Other' };
			expect((await post(`/save${kind}`, changed)).version).toBe(2);
			const { status, body: missing } = await request('POST', `/save${kind}`, { body: { ...body(), id: 987654 } });
			expect([status, Object.keys(missing)]).toEqual([404, ['id']]);
			const key = kind.toLowerCase();
			expect(await post(`/delete${kind}/${saved.id}`)).toEqual({ [key]: true });
			expect(await post(`/delete${kind}/${saved.id}`)).toEqual({ [key]: false });
			expect(await find(kind, saved.id)).toBeUndefined();
		});

		test.each<[string, () => unknown, string[]]>([
			['Chart', () => ({}), ['id', 'series', 'title']],
			['Chart', () => chart(987654, flow), ['series.0.varId']],
			[
				'Chart',
				() => ({ ...chart(), series: [{ varId: 0 }, { varId: 1.5, label: 5 }] }),
				['series.0.varId', 'series.1.label', 'series.1.varId'],
			],
			[
				'Diagram',
				() => ({ ...diagram(flow), items: [{ varId: flow, x: -0.1, y: 1.1 }, { x: 0 }] }),
				['items.0.x', 'items.0.y', 'items.1.varId', 'items.1.y'],
			],
			['Diagram', () => diagram(flow, 0), ['items.0.bit']],
			['Diagram', () => diagram(byte, 3), ['items.0.bit']],
			['Alarm', () => alarm(987654), ['varId']],
			['Alarm', () => alarm(byte, { bit: 3 }), ['bit']],
			[
				'Alarm',
				() => alarm(flow, { condition: '=>', severity: 'bad', threshold: 'x', message: '' }),
				['condition', 'message', 'severity', 'threshold'],
			],
		])('names the invalid fields of a %s', async (kind, body, fields) => {
			const before = await list(kind);
			const { status, body: answer } = await request('POST', `/save${kind}`, { body: body() });
			expect(status).toBe(400);
			expect(Object.keys(answer).sort()).toEqual(fields);
			expect(await list(kind)).toEqual(before);
		});

		test('lists alarms with their current state, null when the value does not decide it', async () => {
			const silent = (await post('/saveVariable', makeBody({ varsTsdb: { Flow: makeQuery({ calc_topic: 'board/silent' }) } })))
				.id;
			const text = (await post('/saveVariable', makeBody({ varsTsdb: { Flow: makeQuery({ calc_topic: 'board/text' }) } }))).id;
			const cases: [Record<string, unknown>, unknown][] = [
				[alarm(flow), { active: true, value: 5, quality: 'good' }],
				[alarm(flow, { threshold: 5 }), { active: false, value: 5, quality: 'good' }],
				[alarm(flow, { condition: '<=', threshold: 5 }), { active: true, value: 5, quality: 'good' }],
				[alarm(byte, { bit: 7, condition: '==', threshold: 1 }), { active: true, value: 1, quality: 'good' }],
				[alarm(byte, { condition: '!=', threshold: 129 }), { active: false, value: 129, quality: 'good' }],
				[alarm(silent), { active: null, value: null, quality: 'no_data' }],
				[alarm(text), { active: null, value: null, quality: 'bad' }],
			];
			for (const [body, state] of cases) {
				const { id } = await post('/saveAlarm', body);
				expect(await find('Alarm', id)).toMatchObject(state as object);
				await post(`/deleteAlarm/${id}`);
			}
		});

		test('an update of an alarm keeps the fields that it does not send, and null restores a default', async () => {
			const fields = { enabled: false, deadband: 0.5, onDelaySeconds: 30, offDelaySeconds: 90, noDataSeconds: 0 };
			const { id } = await post('/saveAlarm', alarm(flow, fields));
			expect(await find('Alarm', id)).toMatchObject(fields);
			expect(await post('/saveAlarm', alarm(flow, { id, threshold: 5 }))).toEqual({
				...alarm(flow, fields),
				id,
				threshold: 5,
				version: 2,
			});
			const nulls = Object.fromEntries(Object.keys(fields).map((key) => [key, null]));
			expect(await post('/saveAlarm', alarm(flow, { id, ...nulls }))).toEqual({ ...alarm(flow), id, version: 3 });
			const { status, body } = await request('POST', '/saveAlarm', { body: alarm(flow, { id, condition: '==', deadband: 1 }) });
			expect([status, body]).toEqual([400, { deadband: errorEntry('deadband_not_possible') }]);
			await post(`/deleteAlarm/${id}`);
		});

		test('a dry run of an alarm stores nothing, and says what it would have done in a range', async () => {
			const minuteMs = 60_000;
			const start = Math.floor(Date.now() / minuteMs) * minuteMs - 10 * minuteMs;
			await target().feed('plant_a', `board/trial value=5 ${start + 10_000}\nboard/trial value=1 ${start + 30_500}`);
			const trial = (await post('/saveVariable', makeBody({ varsTsdb: { Flow: makeQuery({ calc_topic: 'board/trial' }) } }))).id;
			const before = await list('Alarm');
			const body = alarm(trial, { offDelaySeconds: 10, noDataSeconds: 120 });
			expect(await post('/saveAlarm?dryRun=1', body)).toEqual({ alarm: { ...body, version: 1 } });
			const range = `start=${new Date(start).toISOString()}&end=${start + 4 * minuteMs}`;
			const { alarm: previewed, backtest } = await post(`/saveAlarm?dryRun=1&${range}`, { ...body, enabled: false });
			expect(previewed).toEqual({ ...body, enabled: false, version: 1 });
			const at = (seconds: number) => new Date(start + seconds * 1000).toISOString();
			const told = { cause: 'condition', occurrence: 1, quality: 'good', inputs: [] };
			expect(backtest).toMatchObject({
				resolutionSeconds: 1,
				raised: 2,
				activeSeconds: 30 + 89,
				longestSeconds: 89,
				// Nothing was known before the first sample.
				uncertainSeconds: 11,
				events: [
					{ ...told, time: at(11), kind: 'raised', value: 5 },
					{ ...told, time: at(41), kind: 'cleared', value: 1 },
					{ time: at(151), kind: 'raised', cause: 'no_data', occurrence: 2, value: 1, quality: 'no_data', inputs: ['Flow'] },
				],
			});
			expect(backtest.perDay.reduce((sum: number, { raised }: { raised: number }) => sum + raised, 0)).toBe(2);
			expect(await list('Alarm')).toEqual(before);
			for (const [query, field] of [
				['start=0&end=1', 'dryRun'],
				['dryRun=1&start=0', 'end'],
				[`dryRun=1&start=0&end=${start}`, 'start'],
				[`dryRun=1&start=${start}&end=${start}`, 'start'],
			]) {
				const { status, body: answer } = await request('POST', `/saveAlarm?${query}`, { body });
				expect([status, Object.keys(answer)], query).toEqual([400, [field]]);
			}
			await post(`/deleteVar/${trial}`);
		});

		test('an alarm that was active before a gap is not raised by a value after it that does not meet its condition', async () => {
			// The samples and the right answer of ../shared/field/09, where it is present: its times, moved to today.
			const start = Math.floor(Date.now() / 60_000) * 60_000 - 9_000_000;
			const samples = [
				[0, 60],
				[60, 80],
				[120, 80],
				[7200, 60],
				[7260, 60],
				[7320, 60],
			] as const;
			const lines = samples.map(([seconds, value]) => `board/gap value=${value} ${start + seconds * 1000}`);
			await target().feed('plant_a', lines.join('\n'));
			const query = makeQuery({ calc_topic: 'board/gap', calc_time: 10, calc_unit: 'm', calc_period: 1, calc_unit_period: 'm' });
			const gap = (await post('/saveVariable', makeBody({ varsTsdb: { Flow: query } }))).id;
			const tell = async (fields: object) => {
				const range = `start=${start}&end=${start + 9_000_000}`;
				const { backtest } = await post(`/saveAlarm?dryRun=1&${range}`, alarm(gap, { threshold: 70, ...fields }));
				return backtest as { raised: number; events: { time: string; kind: string; cause: string; value: number }[] };
			};
			const { raised, events } = await tell({});
			const ofEvent = ({ time, kind, cause, value }: (typeof events)[number]) => [
				(Date.parse(time) - start) / 1000,
				kind,
				cause,
				value,
			];
			expect(events.map(ofEvent)).toEqual([
				[61, 'raised', 'condition', 80],
				[721, 'raised', 'no_data', 80],
				[7261, 'cleared', 'no_data', 60],
				[7921, 'raised', 'no_data', 60],
			]);
			expect(raised).toBe(3);
			const { raisedForCondition, mustNot } = fieldAnswer('09-alarm-raised-anew-after-a-gap') ?? {
				raisedForCondition: 1,
				mustNot: { kind: 'raised', cause: 'condition', value: 60 },
			};
			expect(events.filter(({ kind, cause }) => kind === 'raised' && cause === 'condition')).toHaveLength(raisedForCondition);
			expect(events).not.toContainEqual(expect.objectContaining(mustNot));
			expect((await tell({ offDelaySeconds: 600 })).events.map(ofEvent)[2]).toEqual([7801, 'cleared', 'no_data', 60]);
			// By its deadband the alarm is still on at 60.
			expect((await tell({ deadband: 15 })).events.map(ofEvent)[2]).toEqual([7201, 'raised', 'condition', 60]);
			await post(`/deleteVar/${gap}`);
		});

		test('deleting a variable removes it from the charts, diagrams and alarms that usages lists', async () => {
			const deleted = (await post('/saveVariable', makeBody())).id;
			const [both, hall, high] = [
				(await post('/saveChart', chart(deleted, flow))).id,
				(await post('/saveDiagram', diagram(deleted))).id,
				(await post('/saveAlarm', alarm(deleted))).id,
			];
			await post('/bombs', makePanel(deleted, { title: 'Station' }));
			const usages = [
				{ kind: 'alarm', id: high, name: 'High' },
				{ kind: 'chart', id: both, name: 'Chart' },
				{ kind: 'diagram', id: hall, name: 'Hall' },
				{ kind: 'panel', id: 0, name: 'Station' },
			];
			expect((await request('GET', `/usages/${deleted}`)).body).toEqual({ data: usages });
			expect(await post(`/deleteVar/${deleted}?dryRun=1`)).toEqual({ tsdbVar: true, usages });
			expect(await post(`/deleteVar/${deleted}`)).toEqual({ tsdbVar: true });
			expect((await find('Chart', both)).series.map(({ varId }: { varId: number }) => varId)).toEqual([flow]);
			expect((await find('Diagram', hall)).items).toEqual([]);
			expect(await find('Alarm', high)).toBeUndefined();
			expect((await request('GET', '/bombs')).body.data.pumps[0]).toMatchObject({ value: null, quality: 'missing_reference' });
			expect((await request('GET', `/usages/${deleted}`)).body.data).toEqual([usages[3]]);
			for (const path of [`/deleteChart/${both}`, `/deleteDiagram/${hall}`]) await post(path);
		});

		test.each<[string, string, (varId: number) => unknown]>([
			['/getVarsTsdb', '/saveVariable', () => makeBody()],
			['/getCharts', '/saveChart', (varId) => chart(varId)],
			['/getDiagrams', '/saveDiagram', (varId) => diagram(varId)],
			['/getAlarms', '/saveAlarm', (varId) => alarm(varId)],
		])('%s has pages that hold together what the complete listing holds, and answers some ids', async (path, savePath, body) => {
			for (let count = 0; count < 3; count += 1) await post(savePath, body(flow));
			const readAll = async (): Promise<{ id: number }[]> => (await request('GET', path)).body.data;
			const readPages = async (): Promise<{ id: number; active?: boolean }[]> => {
				const paged = [];
				for (let after: number | null = 0; after !== null; ) {
					const { status, body: page } = await request('GET', `${path}?limit=2&after=${after}`);
					expect([status, Object.keys(page)]).toEqual([
						200,
						path === '/getAlarms' ? ['data', 'next', 'evaluation'] : ['data', 'next'],
					]);
					paged.push(...page.data);
					after = page.next;
				}
				return paged;
			};
			// Alarms may be evaluated between two requests. Then all is read again.
			for (;;) {
				const complete = await readAll();
				const paged = await readPages();
				const [first, last] = [complete[0], complete.at(-1)];
				const { body: some } = await request('GET', `${path}?ids=${last?.id},987654,${first?.id}`);
				const { body: one } = await request('GET', `${path}?ids=${first?.id}`);
				if (!isDeepStrictEqual(await readAll(), complete)) continue;
				const ids = complete.map(({ id }) => id);
				expect(ids).toEqual([...ids].sort((a, b) => a - b));
				const pagedIds = paged.map(({ id }) => id);
				expect(pagedIds).toEqual(path === '/getVarsTsdb' ? ids : ids.map(String).sort().map(Number));
				expect([...paged].sort((a, b) => a.id - b.id)).toEqual(complete);
				if (path === '/getAlarms') expect(paged.some(({ active }) => active === true)).toBe(true);
				expect([some.data, Object.keys(some)]).toEqual([
					[last, first],
					path === '/getAlarms' ? ['data', 'evaluation'] : ['data'],
				]);
				expect(one.data).toEqual([first]);
				break;
			}
			expect((await request('GET', `${path}?ids=0,987654`)).body.data).toEqual([]);
			const { status, body: refused } = await request('GET', `${path}?limit=none&after=-1`);
			expect([status, Object.keys(refused).sort()]).toEqual([400, ['after', 'limit']]);
		});

		test.each(['/saveChart', '/saveDiagram', '/deleteChart/1', '/deleteDiagram/1', '/deleteAlarm/1', '/bombs'])(
			'%s refuses a dry run',
			async (path) => {
				const { status, body } = await request('POST', `${path}?dryRun=1`, {
					body: { ...chart(), ...diagram(flow), ...alarm(flow) },
				});
				expect([status, Object.keys(body)]).toEqual([400, ['dryRun']]);
			},
		);

		test('refuses to remove a bit that is in use, and names its users', async () => {
			const hall = (await post('/saveDiagram', diagram(byte, 7))).id;
			const { bits: _, ...plain } = makeBitsBody({ id: byte, binary_compressed: false });
			for (const [body, field] of [
				[makeBitsBody({ id: byte, bits: [{ id: 1, name: 'Pump 1', bit: 0 }] }), 'bits'],
				[plain, 'binary_compressed'],
			] as const) {
				const { status, body: answer } = await request('POST', '/saveVariable', { body });
				expect(status).toBe(409);
				expect(answer).toEqual({ [field]: errorEntry('in_use', expect.stringContaining(`diagram ${hall} (Hall)`)) });
			}
			await post(`/deleteDiagram/${hall}`);
		});
	});
};
