import fc from 'fast-check';
import type * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { boardSchema, parseBoard } from '#domain/board/board.ts';
import { reportSchema } from '#domain/board/report.ts';
import { historyFields } from '#domain/history/history-request.ts';
import { panelSchema, parsePanel } from '#domain/panel/panel.ts';
import { totalsFields } from '#domain/totals/totals-request.ts';
import { acknowledgementSchema } from '#domain/use-cases/acknowledge-alarms.ts';
import { describeTopicsSchema } from '#domain/use-cases/describe-topics.ts';
import { readRequestSchema } from '#domain/use-cases/read-variables.ts';
import { machineSchema } from '#domain/use-cases/save-machine.ts';
import { personSchema } from '#domain/use-cases/save-person.ts';
import { sealRequestSchema } from '#domain/use-cases/seal-report-days.ts';
import { shelfSchema } from '#domain/use-cases/shelve-alarm.ts';
import { credentialsSchema } from '#domain/use-cases/sign-in.ts';
import { parseSentVariable, sentFields } from '#domain/variable/sent-variable.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { nameMatcher, parseSent, queryOf } from '#http/sent-input.ts';
import { makeBitsBody, makeBody, makeQuery } from '#test/support/builders/builders.ts';
import { makeEvent } from '#test/support/builders/events.ts';

const known = ['ids', 'start', 'end', 'timeZone', 'aggregates', 'onDelaySeconds', 'calc_time'];

describe('the name that an unknown one was meant to be', () => {
	test.each([
		['IDS', 'ids'],
		['id', 'ids'],
		['timezone', 'timeZone'],
		['time_zone', 'timeZone'],
		['time-zone', 'timeZone'],
		['aggregate', 'aggregates'],
		['agregates', 'aggregates'],
		['aggreagtes', 'aggregates'],
		['calcTime', 'calc_time'],
		['strat', 'start'],
		['starts', 'start'],
		['onDelaySecond', 'onDelaySeconds'],
		['onDelay', 'onDelaySeconds'],
		['on_delay', 'onDelaySeconds'],
	])('%s: %s', (name, meant) => {
		expect(nameMatcher(known)(name)).toBe(meant);
	});

	test.each([...known, 'version', 'constructor', '__proto__', '', 'x'.repeat(100_000)])('%.20s: none', (name) => {
		expect(nameMatcher(known)(name)).toBeUndefined();
	});

	test('is found for any known name with one letter inserted, removed, replaced or swapped', () => {
		const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz');
		const edit = fc.constantFrom('insert', 'remove', 'replace', 'swap');
		fc.assert(
			fc.property(fc.constantFrom(...known), edit, fc.nat(), letter, (name, kind, place, other) => {
				const at = place % name.length;
				const [before, here, after] = [name.slice(0, at), name[at] ?? '', name.slice(at + 1)];
				const edited = {
					insert: before + other + here + after,
					remove: before + after,
					replace: before + other + after,
					swap: before + (after[0] ?? '') + here + after.slice(1),
				}[kind];
				fc.pre(!known.includes(edited));
				expect(nameMatcher([name])(edited)).toBe(name);
			}),
		);
	});
});

const refusalOf = (act: () => unknown): unknown => {
	try {
		act();
	} catch (error) {
		const { payload } = error as { payload: { issues: readonly { path: string; code: string; params: unknown }[] } };
		return payload.issues.map(({ path, code, params }) => [path, code, params]);
	}
	return null;
};

/** Checks a body, and parses nothing of it. */
const sent = (schema: v.GenericSchema, body: object) => parseSent(schema, body, (each) => each);

describe('a body', () => {
	test('with nearly known names is refused, and names all of them', () => {
		const body = { id: [5], Start: 0, timezone: 'UTC', period: { counts: 1, unit: 'h' } };
		expect(refusalOf(() => sent(historyFields, body))).toEqual([
			['id', 'unknown_field', { meant: 'ids' }],
			['Start', 'unknown_field', { meant: 'start' }],
			['timezone', 'unknown_field', { meant: 'timeZone' }],
			['period.counts', 'unknown_field', { meant: 'count' }],
		]);
		expect(refusalOf(() => sent(readRequestSchema, { id: [5] }))).toEqual([['id', 'unknown_field', { meant: 'ids' }]]);
	});

	test('is refused for such names in lists and in queries, whose own names may be any', () => {
		const query = makeQuery();
		const body = {
			...makeBody(),
			varsTsdb: { Flow: query, flow: query, nmae: { ...query, calcTime: 1 } },
			equation: [{ values: '1' }],
		};
		expect(refusalOf(() => sent(sentFields, body))).toEqual([
			['varsTsdb.nmae.calcTime', 'unknown_field', { meant: 'calc_time' }],
			['equation.0.values', 'unknown_field', { meant: 'value' }],
		]);
		const bits = makeBitsBody({ bits: [{ id: 1, name: 'a', Bit: 0 }] });
		expect(refusalOf(() => sent(sentFields, bits))).toEqual([['bits.0.Bit', 'unknown_field', { meant: 'bit' }]]);
		const panel = { title: 'P', pumps: [{ id: 1, name: 'a', varID: 3, type: 'pump' }] };
		expect(refusalOf(() => sent(panelSchema, panel))).toEqual([['pumps.0.varID', 'unknown_field', { meant: 'varId' }]]);
	});

	test('may have fields that are like none', () => {
		const body = { ...makeBody(), version: 3, comment: 'x', bombs: [] };
		expect(sent(sentFields, body)).toBe(body);
	});
});

describe('a text', () => {
	const chart = (title: string) => () => parseSent(boardSchema('chart'), { id: -1, title, series: [{ varId: 1 }] });

	test.each([' ', '\t\n', '\u00a0', '\u2003\u3000', '\u200b', ' \u200b\u00a0'])('of blanks alone is empty: %j', (title) => {
		expect(refusalOf(chart(title))).toEqual([
			['title', 'empty', {}],
			['id', 'whole_number_out_of_range', expect.anything()],
		]);
	});

	test.each(['\u200ba', ' a ', '0', '\u2800'])('may have blanks beside others: %j', (title) => {
		expect(refusalOf(chart(title))).toMatchObject([['id', 'whole_number_out_of_range', {}]]);
	});

	test('is looked at in lists and maps, and where it may be left out', () => {
		const panel = { title: 'P', pumps: [{ id: 1, name: ' ', varId: 3, type: 'pump' }], states: [] };
		expect(refusalOf(() => parseSent(panelSchema, panel))).toEqual([['pumps.0.name', 'empty', {}]]);
		const shelf = { minutes: 5, reason: '\u00a0' };
		expect(refusalOf(() => parseSent(shelfSchema, shelf))).toEqual([['reason', 'empty', {}]]);
		const variable = makeBody({ process: ' ' });
		expect(refusalOf(() => parseSent(sentFields, variable, parseSentVariable))).toEqual([['process', 'empty', {}]]);
	});

	test('with more than 1,000 fields is refused before their names are looked at, at every depth', () => {
		const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`limi${index}`, 0]));
		expect(refusalOf(() => sent(shelfSchema, fields(1000)))).toBeNull();
		const tooMany = ['too_many_items', { items: 'fields', limit: 1000, actual: 1001 }];
		expect(refusalOf(() => sent(shelfSchema, fields(1001)))).toEqual([['request', ...tooMany]]);
		const pumps = [{ id: 1, name: 'a', varId: 3, type: 'pump' }, fields(1001)];
		expect(refusalOf(() => sent(panelSchema, { title: 'P', pumps, states: [] }))).toEqual([['pumps.1', ...tooMany]]);
	});

	test('that is stored may be blank', () => {
		expect(parseBoard('chart', { id: 1, title: ' ', series: [{ varId: 1 }] })).toMatchObject({ title: ' ' });
	});
});

describe('control characters and open marks of direction', () => {
	const bad = 'a\u202eb';
	const issue = (path: string) => [path, 'bad_character', { character: 'U+202E' }];
	const line = { key: bad, name: bad, unit: bad, group: bad, function: 'raised' };
	const box = { varId: 1, x: 0.5, y: 0.5, label: bad };
	const tank = { kind: 'tank', key: bad, x: 0, y: 0, w: 0.1, h: 0.1, label: bad };

	test.each<[string, v.GenericSchema, object, readonly string[]]>([
		['a variable', sentFields, makeBody({ name: bad, unit: bad, process: bad, varsTsdb: {} }), ['name', 'unit', 'process']],
		['a bit', sentFields, makeBitsBody({ bits: [{ id: 1, name: bad, bit: 0 }] }), ['bits.0.name']],
		[
			'a chart',
			boardSchema('chart'),
			{ title: bad, series: [{ label: bad, color: bad }] },
			['title', 'series.0.label', 'series.0.color'],
		],
		[
			'a diagram',
			boardSchema('diagram'),
			{ title: bad, items: [box], shapes: [tank] },
			['title', 'items.0.label', 'shapes.0.key', 'shapes.0.label'],
		],
		['an alarm', boardSchema('alarm'), { name: bad, message: bad }, ['name', 'message']],
		['a correction', boardSchema('correction'), { reason: bad }, ['reason']],
		[
			'a report',
			reportSchema,
			{ title: bad, lines: [line] },
			['title', 'lines.0.key', 'lines.0.name', 'lines.0.unit', 'lines.0.group'],
		],
		['totals', totalsFields, { lines: [line] }, ['lines.0.key']],
		[
			'the panel',
			panelSchema,
			{ title: bad, pumps: [{ name: bad }], states: [{ name: bad }] },
			['title', 'pumps.0.name', 'states.0.name'],
		],
		['a comment', acknowledgementSchema, { comment: bad }, ['comment']],
		['a shelf', shelfSchema, { reason: bad }, ['reason']],
		['a seal', sealRequestSchema, { reason: bad }, ['reason']],
		['a machine', machineSchema, { name: bad }, ['name']],
		['a person', personSchema, { email: bad }, ['email']],
	])('are refused in every text of %s', (_, schema, body, paths) => {
		expect(refusalOf(() => sent(schema, body))).toEqual(paths.map(issue));
	});

	test('are refused in the name of a query, which people read in formulas', () => {
		expect(refusalOf(() => sent(sentFields, { varsTsdb: { [bad]: makeQuery() } }))).toEqual([
			['varsTsdb', 'bad_query_name', { name: bad, reason: 'bad_character' }],
		]);
	});

	test('may be in topics, fields and credentials, which were chosen elsewhere', () => {
		const query = { ...makeQuery(), calc_topic: bad, calc_field: `\0${bad}` };
		expect(refusalOf(() => sent(sentFields, { varsTsdb: { Flow: query } }))).toBeNull();
		expect(refusalOf(() => sent(describeTopicsSchema, { topics: [{ topic: bad, field: bad }] }))).toBeNull();
		expect(refusalOf(() => sent(credentialsSchema, { email: bad, tokenApp: bad, schemaName: bad, tsdb_name: bad }))).toBeNull();
	});

	test('may be in what is stored', () => {
		expect(parseBoard('chart', { id: 1, title: bad, series: [{ varId: 1 }] })).toMatchObject({ title: bad });
		expect(parseVariable(makeBody({ process: bad }))).toMatchObject({ process: bad });
		expect(parsePanel({ title: '\0', pumps: [{ id: 1, name: bad, varId: 1, type: 'pump' }] })).toMatchObject({ title: '\0' });
	});
});

describe('a query', () => {
	const queried = (query: string) => {
		const names = Object.fromEntries(new URLSearchParams(query));
		return queryOf({ ...makeEvent('GET /alarmEvents', { query: names }), rawQueryString: query }, ['alarmId', 'limit']);
	};

	test('with nearly known names, or with a parameter twice, is refused', () => {
		expect(refusalOf(() => queried('alarmid=5&limits=3'))).toEqual([
			['alarmid', 'unknown_field', { meant: 'alarmId' }],
			['limits', 'unknown_field', { meant: 'limit' }],
		]);
		expect(refusalOf(() => queried('limit=3&alarmId=1&limit=3'))).toEqual([['limit', 'given_twice', {}]]);
	});

	test('that counts pages or rows is refused where there are pages, and says what to send', () => {
		const asked = (query: string, names: readonly string[]) =>
			queryOf({ ...makeEvent('GET /getCharts', {}), rawQueryString: query }, names);
		for (const name of ['page', 'offset', 'Offset', 'skip'])
			expect(refusalOf(() => asked(`${name}=2`, ['limit', 'after']))).toEqual([[name, 'unknown_field', { meant: 'after' }]]);
		expect(asked('page=2', ['id', 'date'])).toEqual({});
	});

	test('that repeats a list says how it is sent', () => {
		const repeated = () => queryOf({ ...makeEvent('GET /getCharts', {}), rawQueryString: 'ids=7&ids=8' }, ['ids']);
		expect(repeated).toThrow(
			expect.objectContaining({
				payload: { issues: [expect.objectContaining({ message: expect.stringContaining('ids=7,8') })] },
			}),
		);
	});

	test('has at most 100 parameters', () => {
		const others = (count: number) => `limit=3${'&utm=1'.repeat(count)}`;
		expect(queried(others(99))).toMatchObject({ limit: '3' });
		const tooMany = { items: 'parameters', limit: 100, actual: 101 };
		expect(refusalOf(() => queried(others(100)))).toEqual([['request', 'too_many_items', tooMany]]);
	});

	test('may have parameters that are like none, also twice', () => {
		expect(queried('limit=3&utm=1&utm=2')).toMatchObject({ limit: '3' });
	});
});
