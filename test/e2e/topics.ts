import { beforeAll, describe, expect, test } from 'vitest';
import { makeBody, makeQuery } from '#test/support/builders/builders.ts';
import { call, signIn, type Target } from './target.ts';

interface Listed {
	readonly topic: string;
	readonly field: string;
	readonly variables: readonly number[];
}

/** What a tenant's database holds (shared/domain/topics/README.md). */
export const topicsSuite = (target: () => Target): void => {
	describe('topics', () => {
		let token: string;
		let now: number;
		let variable: number;
		const odd = 'topics/odd/"x" \u0024{y} cañería 💧';
		const escaped = odd.replace(/[, ]/g, '\\$&');

		const get = (query: Record<string, string>, as = token) =>
			call(target(), 'GET', `/topics?${new URLSearchParams(query)}`, { token: as });
		const describeAll = (topics: unknown) => call(target(), 'POST', '/topics', { token, body: { topics } });

		beforeAll(async () => {
			token = await signIn(target(), 'a');
			now = Date.now();
			await target().feed(
				'plant_a',
				[
					...[0, 5, 10, 15, 90].map((age) => `topics/well/1/flow value=${age / 2} ${now - 1000 * age - 1000}`),
					`topics/well/1/flow raw=3i ${now - 2000}`,
					`topics/well/1/state value="open" ${now - 3000}`,
					`topics/well/2/Flow value=true ${now - 3000}`,
					`topics/well/2/split,site=a value=1 ${now - 4000}`,
					`topics/well/2/split,site=b value=2 ${now - 3000}`,
					`${escaped} value=1 ${now - 3000}`,
				].join('\n'),
			);
			await target().feed('plant_b', `topics/of/b value=1 ${now - 3000}`);
			const body = makeBody({ varsTsdb: { Flow: makeQuery({ calc_topic: 'topics/well/1/flow', calc_field: 'value' }) } });
			variable = (await call(target(), 'POST', '/saveVariable', { token, body })).body.data.id;
		});

		const iso = (time: number): string => new Date(time).toISOString();

		test('are listed with their fields, types, newest samples, tag sets and variables', async () => {
			const { status, body } = await get({ prefix: 'topics/well' });
			expect(status, JSON.stringify(body)).toBe(200);
			const free = { variables: [] };
			expect(body).toEqual({
				data: [
					{
						topic: 'topics/well/1/flow',
						field: 'raw',
						tags: {},
						type: 'integer',
						newest: { time: iso(now - 2000), value: 3 },
						...free,
					},
					{
						topic: 'topics/well/1/flow',
						field: 'value',
						tags: {},
						type: 'float',
						newest: { time: iso(now - 1000), value: 0 },
						variables: [variable],
					},
					{
						topic: 'topics/well/1/state',
						field: 'value',
						tags: {},
						type: 'text',
						newest: { time: iso(now - 3000), value: null },
						...free,
					},
					{
						topic: 'topics/well/2/Flow',
						field: 'value',
						tags: {},
						type: 'boolean',
						newest: { time: iso(now - 3000), value: 1 },
						...free,
					},
					...[1, 2].map((value) => ({
						topic: 'topics/well/2/split',
						field: 'value',
						tags: { site: value === 1 ? 'a' : 'b' },
						type: 'float',
						newest: { time: iso(now - 5000 + 1000 * value), value },
						...{ ...free, tagSets: 2, tagSet: value === 1 ? 'site=a' : 'site=b' },
					})),
				],
				next: null,
			});
		});

		test('are searched without regard to case, and paged by topic', async () => {
			const found: Listed[] = [];
			let pages = 0;
			for (let after: string | null = ''; after !== null; pages += 1) {
				const { status, body } = await get({
					...{ search: 'FLOW', prefix: 'topics/', limit: '1' },
					...(after === '' ? {} : { after }),
				});
				expect(status).toBe(200);
				found.push(...body.data);
				after = body.next;
			}
			expect(found.map(({ topic, field }) => [topic, field])).toEqual([
				['topics/well/1/flow', 'raw'],
				['topics/well/1/flow', 'value'],
				['topics/well/2/Flow', 'value'],
			]);
			expect(pages).toBe(2);
			expect((await get({ search: '"X" \u0024{Y}' })).body.data).toMatchObject([{ topic: odd }]);
			expect((await get({ search: 'no\nsuch "topic"' })).body).toEqual({ data: [], next: null });
		});

		test('are described with the interval of their samples', async () => {
			const { status, body } = await describeAll([
				{ topic: odd, field: 'value' },
				{ topic: 'topics/well/1/flow', field: 'value' },
				{ topic: 'topics/none', field: 'value' },
			]);
			expect(status, JSON.stringify(body)).toBe(200);
			expect(body.data).toEqual([
				{
					topic: odd,
					field: 'value',
					tags: {},
					type: 'float',
					newest: { time: iso(now - 3000), value: 1 },
					...{ variables: [], interval: null },
				},
				{
					topic: 'topics/well/1/flow',
					field: 'value',
					tags: {},
					type: 'float',
					newest: { time: iso(now - 1000), value: 0 },
					...{ variables: [variable], interval: 5 },
				},
				{ topic: 'topics/none', field: 'value', type: null, newest: null, variables: [], interval: null },
			]);
		});

		test('with several tag sets are read by tags, which several_series names', async () => {
			const save = async (part: object, id = 0) => {
				const query = { ...makeQuery({ calc_topic: 'topics/well/2/split', calc_field: 'value' }), ...part };
				const body = makeBody({ id, name: 'Split', type: 'history', varsTsdb: { Split: query } });
				const { status, body: answer } = await call(target(), 'POST', '/saveVariable', { token, body });
				expect(status, JSON.stringify(answer)).toBe(200);
				return answer.data;
			};
			const read = async (id: number) =>
				(await call(target(), 'POST', '/multipleDataTsdb', { token, body: { ids: [id] } })).body.data[0];
			const { id, varsTsdb } = await save({ calc_tags: { site: 'a' } });
			expect(varsTsdb.Split.calc_tags).toEqual({ site: 'a' });
			expect(await read(id)).toMatchObject({ quality: 'good', series: [[expect.any(String), 1]] });
			// A client of before tags keeps them.
			expect((await save({ calc_period: 2 }, id)).varsTsdb.Split.calc_tags).toEqual({ site: 'a' });
			const [rowA, rowB] = (await get({ prefix: 'topics/well/2/split' })).body.data;
			expect([rowA.variables, rowB.variables]).toEqual([[id], []]);
			expect((await save({ calc_tags: null, calc_period: 1, calc_unit_period: 'h' }, id)).varsTsdb.Split).not.toHaveProperty(
				'calc_tags',
			);
			const several = { code: 'several_series', tags: [{ name: 'site', values: ['a', 'b'] }] };
			expect((await read(id)).reason).toMatchObject(several);
			const range = { ids: [id], start: now - 3_600_000, period: { count: 1, unit: 'y' } };
			const past = await call(target(), 'POST', '/history', { token, body: range });
			expect(past.body.data.variables[0].reason).toMatchObject(several);
			await call(target(), 'DELETE', `/deleteVar/${id}`, { token });
		});

		test('are those of the own database alone', async () => {
			const other = await signIn(target(), 'b');
			const { body } = await get({ limit: '500' }, other);
			expect(body.data.map(({ topic }: Listed) => topic)).toContain('topics/of/b');
			expect(JSON.stringify(body)).not.toContain('topics/well');
			const { body: own } = await get({ limit: '500' });
			expect(JSON.stringify(own)).not.toContain('topics/of/b');
			// The place of a page is no key to another database.
			const { next } = (await get({ limit: '1' })).body;
			expect(JSON.stringify((await get({ after: next, limit: '500' }, other)).body)).not.toContain('topics/well');
		});

		test('a bad question names what is wrong', async () => {
			for (const after of ['x', '', 'IiI', 'bnVsbA', Buffer.from('"\\ud83d"').toString('base64url'), `I${'x'.repeat(3000)}`]) {
				const { status, body } = await get({ after });
				expect([status, body.after?.code], after).toEqual([400, 'bad_after']);
			}
			for (const limit of ['0', '501', '1.5', '-1']) expect((await get({ limit })).body).toHaveProperty('limit');
			expect((await get({ prefix: 'x'.repeat(1001) })).body).toHaveProperty('prefix');
			const { status, body } = await describeAll([{ topic: '', field: 7 }]);
			expect([status, Object.keys(body).sort()]).toEqual([400, ['topics.0.field', 'topics.0.topic']]);
			expect((await describeAll([])).status).toBe(400);
			expect((await describeAll(Array.from({ length: 101 }, () => ({ topic: 't', field: 'f' })))).status).toBe(400);
		});
	});
};
