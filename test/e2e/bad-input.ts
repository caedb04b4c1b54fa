import { beforeAll, describe, expect, test } from 'vitest';
import {
	makeAlarmBody,
	makeBitsBody,
	makeBody,
	makeCalculatedBody,
	makePanel,
	makeQuery,
} from '#test/support/builders/builders.ts';
import { errorEntry } from '#test/support/error-entry.ts';
import { apiGateway, call, type Gateway, signIn, type Target } from './target.ts';

/** Writes a body as JSON and replaces the value "?" by text that JSON.stringify cannot write. */
const raw = (body: unknown, value: string): string => JSON.stringify(body).replace('"?"', value);

/** Invalid requests: the response names every invalid field, and nothing is stored (shared/http/README.md#errors). */
export const badInputSuite = (target: () => Target, { preservesBytes, matchesExactPaths }: Gateway = apiGateway): void => {
	describe('bad input', () => {
		let token: string;
		beforeAll(async () => {
			token = await signIn(target(), 'b');
		});
		const post = (path: string, body: unknown, headers = {}) => call(target(), 'POST', path, { token, body, headers });
		const stored = async () => (await call(target(), 'GET', '/getVarsTsdb', { token })).text;

		test.each<[string, string, unknown, string, string]>([
			['POST', '/history', { ids: [1], start: 0, timezone: 'UTC' }, 'timezone', 'timeZone'],
			['POST', '/history', { ids: [1], start: 0, aggregate: ['min'] }, 'aggregate', 'aggregates'],
			['POST', '/multipleDataTsdb', { id: [5] }, 'id', 'ids'],
			['POST', '/saveAlarm', { onDelay: 5 }, 'onDelay', 'onDelaySeconds'],
			['POST', '/saveChart', { title: 'C', series: [{ varID: 1 }] }, 'series.0.varID', 'varId'],
			['GET', '/alarmEvents?alarmid=7', undefined, 'alarmid', 'alarmId'],
			['GET', '/getCharts?limits=7', undefined, 'limits', 'limit'],
			['POST', '/deleteVar/1?dryrun=1', undefined, 'dryrun', 'dryRun'],
		])('refuses a name that is nearly known: %s %s %j', async (method, path, body, sent, meant) => {
			const answer = await call(target(), method, path, { token, ...(body === undefined ? {} : { body }) });
			const entry = { code: 'unknown_field', message: `There is no such field: send ${meant}.`, params: { meant } };
			expect([answer.status, answer.body[sent]]).toEqual([400, entry]);
		});

		test.each<[string, unknown, string]>([
			['/saveVariable', makeBody({ process: '\u00a0' }), 'process'],
			['/saveChart', { id: 0, title: '\u200b', series: [] }, 'title'],
			['/saveAlarm', makeAlarmBody({ message: ' ' }), 'message'],
			['/bombs', { ...makePanel(1), title: '\t' }, 'title'],
		])('refuses blank text: %s %j', async (path, body, field) => {
			const answer = await post(path, body);
			expect([answer.status, answer.body[field]]).toEqual([400, errorEntry('empty')]);
		});

		test('takes rows back as every listing answers them', async () => {
			const { id: varId } = (await post('/saveVariable', makeBody())).body.data;
			await post('/saveVariable', makeBitsBody());
			await post('/saveVariable', makeCalculatedBody('a + 1'));
			await post('/saveChart', { id: 0, title: 'C', series: [{ varId }] });
			await post('/saveDiagram', { id: 0, title: 'D', items: [{ varId, x: 0, y: 0 }] });
			await post('/saveAlarm', makeAlarmBody({ varId }));
			await post('/bombs', makePanel(varId));
			for (const [list, save] of [
				['/getVarsTsdb', '/saveVariable'],
				['/getCharts', '/saveChart'],
				['/getDiagrams', '/saveDiagram'],
				['/getAlarms', '/saveAlarm'],
				['/bombs', '/bombs'],
			] as const) {
				const { data } = (await call(target(), 'GET', list, { token })).body;
				const rows = [data].flat();
				expect(rows.length).toBeGreaterThan(0);
				for (const row of rows) {
					const { status, text } = await post(save, row);
					expect(status, text).toBe(200);
				}
			}
		});

		const invalidVariables: [string, unknown, string[]][] = [
			['an empty object', {}, ['calc', 'id', 'name', 'process', 'type', 'unit', 'varsTsdb']],
			[
				'many fields at once',
				{
					...makeCalculatedBody('a + b'),
					id: -1,
					name: '',
					unit: 5,
					type: 'now',
					process: null,
					equation: [{ value: '+', type: 'x' }],
				},
				['equation.0', 'id', 'name', 'process', 'type', 'unit'],
			],
			['id 1e400', raw(makeBody({ id: '?' }), '1e400'), ['id']],
			['id 1.5', makeBody({ id: 1.5 }), ['id']],
			['id -0', raw(makeBody({ id: '?' }), '-0'), ['id']],
			['id 2^53', makeBody({ id: 2 ** 53 }), ['id']],
			['id as text', makeBody({ id: '0' }), ['id']],
			[
				'calc_time 1e400',
				raw(makeBody({ varsTsdb: { Flow: { ...makeQuery(), calc_time: '?' } } }), '1e400'),
				['varsTsdb.Flow.calc_time'],
			],
			['calc_time 0', makeBody({ varsTsdb: { Flow: makeQuery({ calc_time: 0 }) } }), ['varsTsdb.Flow.calc_time']],
			[
				'1.5 months',
				makeBody({ varsTsdb: { Flow: makeQuery({ calc_time: 1.5, calc_unit: 'mo' }) } }),
				['varsTsdb.Flow.calc_time'],
			],
			['a name of 201 characters', makeBody({ name: 'n'.repeat(201), varsTsdb: { ['n'.repeat(201)]: makeQuery() } }), ['name']],
			['two queries', makeBody({ varsTsdb: { Flow: makeQuery(), other: makeQuery() } }), ['varsTsdb']],
			['a query with another name than the variable', makeBody({ varsTsdb: { other: makeQuery() } }), ['varsTsdb']],
			['nine bits', makeBitsBody({ bits: Array.from({ length: 9 }, (_, id) => ({ id, name: 'b', bit: id % 8 })) }), ['bits']],
			['bit 8', makeBitsBody({ bits: [{ id: 1, name: 'b', bit: 8 }] }), ['bits.0.bit']],
			['no bits', makeBitsBody({ bits: undefined }), ['bits']],
			[
				'a mean of bytes',
				makeBitsBody({ varsTsdb: { Flow: makeQuery({ calc_type_period: 'mean' }) } }),
				['varsTsdb.Flow.calc_type_period'],
			],
			['no equation', { ...makeCalculatedBody('a'), equation: undefined }, ['equation']],
			[
				'an unknown name',
				{ ...makeCalculatedBody('a'), equation: [{ value: 'b', type: 'variable' }] },
				['equation.0', 'varsTsdb.a'],
			],
			[
				'both calculated and bit-compressed',
				{ ...makeBitsBody(), calc: true, equation: [{ value: '1', type: 'number' }] },
				['binary_compressed', 'varsTsdb.Flow'],
			],
		];
		test.each(invalidVariables)('saveVariable names the invalid fields: %s', async (_, body, fields) => {
			const before = await stored();
			const { status, body: answer } = await post('/saveVariable', body);
			expect(status).toBe(400);
			expect(Object.keys(answer).sort()).toEqual(fields);
			for (const entry of Object.values<object>(answer))
				expect(entry).toEqual(errorEntry(expect.stringMatching(/^[a-z_]+$/), expect.stringMatching(/\S/)));
			expect(await stored()).toBe(before);
		});

		const unreadable: [string, unknown, number, string][] = [
			['no body', undefined, 400, 'body_required'],
			['text that is not JSON', '{"id":', 400, 'body_not_json'],
			['a list', [], 400, 'body_not_an_object'],
			['null', 'null', 400, 'body_not_an_object'],
			['a number', '5', 400, 'body_not_an_object'],
			['a list nested 10,000 deep', '['.repeat(10_000) + ']'.repeat(10_000), 400, 'body_not_an_object'],
			['more than 1 MB', JSON.stringify({ name: 'x'.repeat(1_048_576) }), 413, 'body_too_large'],
		];
		if (preservesBytes)
			unreadable.push([
				'bytes that are not UTF-8',
				new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
				400,
				'body_not_utf8',
			]);
		test.each([
			'/saveVariable',
			'/bombs',
			'/multipleDataTsdb',
			'/history',
			'/loginSso',
			'/saveChart',
			'/saveDiagram',
			'/saveAlarm',
		])('%s refuses a body that is not a JSON object', async (path) => {
			const before = await stored();
			for (const [reason, body, status, code] of unreadable) {
				if (path === '/multipleDataTsdb' && body === undefined) continue;
				const answer = await post(path, body);
				expect(answer.status, reason).toBe(status);
				expect(answer.body, reason).toEqual({ request: errorEntry(code) });
			}
			expect(await stored()).toBe(before);
		});

		test('an unknown field may be nested deeply', async () => {
			const deep = `${'{"x":'.repeat(5000)}1${'}'.repeat(5000)}`;
			expect((await post('/saveVariable?dryRun=1', raw(makeBody({ extra: '?' }), deep))).status).toBe(200);
		});

		test('__proto__ as an unknown field changes nothing', async () => {
			const body = JSON.stringify(makeBody({ extra: 1 })).replace('"extra":1', '"__proto__":{"calc":true,"id":7}');
			const { status, body: answer } = await post('/saveVariable?dryRun=1', body);
			expect(status).toBe(200);
			expect(answer.data.variable).toMatchObject({ id: 0, calc: false });
			expect(({} as Record<string, unknown>)['calc']).toBeUndefined();
		});

		test.each([
			['ids as 1.5', '{"ids":[1,1.5]}', ['ids.1']],
			['ids as -0 and 2^53', '{"ids":[-0,9007199254740992,1e400]}', ['ids.0', 'ids.1', 'ids.2']],
			['ids as text', '{"ids":"1"}', ['ids']],
		])('multipleDataTsdb names the invalid ids: %s', async (_, body, fields) => {
			const answer = await post('/multipleDataTsdb', body);
			expect(answer.status).toBe(400);
			expect(Object.keys(answer.body).sort()).toEqual(fields);
		});

		test('multipleDataTsdb accepts 2,000 ids and refuses 2,001', async () => {
			const ids = Array.from({ length: 2001 }, (_, index) => index + 1);
			expect((await post('/multipleDataTsdb', { ids: ids.slice(1) })).body.data).toHaveLength(2000);
			const { status, body } = await post('/multipleDataTsdb', { ids });
			expect(status).toBe(413);
			expect(body).toEqual({ ids: errorEntry('too_large', expect.stringContaining('2001')) });
		});

		test.each([
			['an empty panel', { title: 'P', pumps: [], states: [] }, ['request']],
			['nothing at all', {}, ['request', 'title']],
			[
				'an invalid field in every item',
				{
					title: '',
					pumps: [{ id: 1, name: '', varId: 1, type: 'status' }],
					states: [{ id: 'x', name: 'n', varId: 1.5, type: 'status', bit: 8 }],
				},
				['pumps.0.name', 'pumps.0.type', 'states.0.bit', 'states.0.id', 'states.0.varId', 'title'],
			],
			[
				'a variable that does not exist',
				{ title: 'P', pumps: [{ id: 1, name: 'n', varId: 987654, type: 'pump' }] },
				['pumps.0.varId'],
			],
			[
				'an id twice',
				{ title: 'P', pumps: [1, 1].map((id) => ({ id, name: 'n', varId: 1, type: 'pump' })), states: [] },
				['pumps.1.id'],
			],
		])('saving a panel names the invalid fields: %s', async (_, body, fields) => {
			const { status, body: answer } = await post('/bombs', body);
			expect(status).toBe(400);
			expect(Object.keys(answer).sort()).toEqual(fields);
		});

		test('a body that is not JSON by its type is refused with 415', async () => {
			for (const type of [
				'text/plain',
				'application/x-www-form-urlencoded',
				'application/json; charset=latin1',
				'application/jsonx',
			]) {
				const { status, body } = await post('/saveVariable', JSON.stringify(makeBody()), { 'content-type': type });
				expect(status, type).toBe(415);
				expect(body).toEqual({ request: errorEntry('content_type_not_json') });
			}
			for (const type of ['application/json', 'Application/JSON; charset=UTF-8'])
				expect((await post('/saveVariable?dryRun=1', JSON.stringify(makeBody()), { 'content-type': type })).status, type).toBe(
					200,
				);
		});

		test.each<string[]>([
			['GET', '/nowhere'],
			['POST', '/'],
			['GET', '/saveVariable'],
			['DELETE', '/deleteVar/1'],
			['POST', '/deleteVar'],
			['POST', '/deleteVar/'],
			['PUT', '/bombs'],
			...(matchesExactPaths ? [['GET', '/getVarsTsdb/']] : []),
		])('%s %s is not a route', async (method = '', path = '') => {
			const { status, body } = await call(target(), method, path, { token });
			expect(status).toBe(404);
			expect(body).toEqual({ message: 'Not Found' });
		});
	});
};
