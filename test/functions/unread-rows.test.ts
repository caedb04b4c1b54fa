import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noOperatorState } from '#domain/alarm-rows/alarm-rows.ts';
import { makeAlarmEvent, makeEvaluatorState } from '#test/support/builders/alarm-rows.ts';
import { makeBitsBody, makeBody, makeCalculatedBody, makePanel, makeQuery } from '#test/support/builders/builders.ts';
import { casesOf, firstSeed } from '#test/support/cases.ts';
import { type InProcessService, openInProcess, plantNow } from '#test/support/plant/in-process.ts';

/** A part of an answer. `on`: the keys of the rows that it shows or is computed from, such as `variable#1`. */
interface Part {
	readonly name: string;
	readonly on: readonly string[];
	readonly json: unknown;
}

/** A request that reads, and the parts of its answer. */
interface Read {
	readonly path: string;
	readonly body?: unknown;
	/** The row without which the request is refused: it may be damaged so that it is another one. */
	readonly fits?: string;
	readonly parts: (body: Json) => readonly Omit<Part, 'name'>[];
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every endpoint
type Json = any;

const schema = 'plant_a';
const hourMs = 3_600_000;
const day = '2026-11-23';
let plant: InProcessService;
let ofSecond: { readonly correction: number; readonly report: number };
let reads: readonly Read[];
let baseline: ReadonlyMap<string, Part>;

const send = async (path: string, body?: unknown) => {
	const init =
		body === undefined ? {} : { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
	const response = await plant.call(schema, new Request(`http://plant.invalid${path}`, init));
	const text = await response.text();
	return { status: response.status, body: text === '' ? null : JSON.parse(text) };
};
const save = async (path: string, body: unknown): Promise<number> => {
	const answer = await send(path, body);
	expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBe(200);
	return answer.body.data.id;
};

/** Returns the parts of all answers. Each answer must be 200. */
const readAll = async (told: string, damagedKey?: string): Promise<ReadonlyMap<string, Part>> => {
	const parts = new Map<string, Part>();
	for (const { path, body, fits, parts: partsOf } of reads) {
		const answer = await send(path, body);
		if (fits === undefined || fits !== damagedKey || ![400, 404].includes(answer.status))
			expect(answer.status, `${path} ${JSON.stringify(body)} ${told} ${JSON.stringify(answer.body)}`).toBe(200);
		for (const { on, json } of partsOf(answer.body)) {
			const name = `${path} ${JSON.stringify(body)} ${JSON.stringify(on)}`;
			parts.set(name, { name, on, json });
		}
	}
	return parts;
};

beforeAll(async () => {
	plant = await openInProcess();
	const query = (topic: string) => makeQuery({ calc_topic: topic, calc_time: 1, calc_unit: 'h' });
	const flow = await save('/saveVariable', makeBody({ name: 'Flow', varsTsdb: { Flow: query('flow') } }));
	const level = await save('/saveVariable', makeBody({ name: 'Level', varsTsdb: { Level: query('level') } }));
	const sum = await save('/saveVariable', { ...makeCalculatedBody('a + b'), varsTsdb: { a: query('flow'), b: query('level') } });
	const bits = await save('/saveVariable', makeBitsBody());
	for (const topic of ['flow', 'level'])
		await plant.write(
			topic,
			Array.from({ length: 60 }, (_, minute) => [plantNow - minute * 60_000, minute] as const),
		);
	const variables = [flow, level, sum, bits];
	const rule = { condition: '>', threshold: 1, severity: 'info', message: 'm' };
	const line = (varId: number) => ({ key: `k${varId}`, name: 'L', unit: '', function: 'mean', varId });
	const ofFlow = { chart: 0, diagram: 0, alarm: 0, correction: 0, report: 0 };
	const ofLevel = { ...ofFlow };
	for (const [of, varId] of [
		[ofFlow, flow],
		[ofLevel, level],
	] as const) {
		of.chart = await save('/saveChart', { id: 0, title: 'C', series: [{ varId }] });
		of.diagram = await save('/saveDiagram', { id: 0, title: 'D', items: [{ varId, x: 0, y: 0 }] });
		of.alarm = await save('/saveAlarm', { id: 0, name: 'A', varId, ...rule });
		const span = { from: plantNow - hourMs, to: plantNow - hourMs / 2 };
		of.correction = await save('/saveCorrection', { id: 0, varId, type: 'exclude', ...span, reason: 'R' });
		of.report = await save('/saveReport', { id: 0, title: 'R', lines: [line(varId)] });
	}
	expect((await send('/bombs', makePanel(flow))).status).toBe(200);
	const { alarms } = plant.stores;
	for (const alarmId of [ofFlow.alarm, ofLevel.alarm]) {
		await alarms.commit(schema, { alarmId, state: { expected: null, put: makeEvaluatorState() } });
		await alarms.commit(schema, { alarmId, operator: { expected: null, put: { ...noOperatorState, rowVersion: 1 } } });
		await alarms.commit(schema, {
			alarmId,
			events: [makeAlarmEvent({ alarmId, time: plantNow - 1000, recordedAt: plantNow - 1000 })],
		});
	}
	for (const of of [ofFlow, ofLevel]) await send('/sealReportDays', { id: of.report, from: day, to: day, reason: 'S' });

	ofSecond = ofLevel;
	const start = plantNow - 2 * hourMs;
	const both = [ofFlow, ofLevel];
	const correctionOf = new Map([
		[flow, [`correction#${ofFlow.correction}`]],
		[level, [`correction#${ofLevel.correction}`]],
	]);
	const counted = (varId: number) => [`variable#${varId}`, ...(correctionOf.get(varId) ?? [])];
	const listing = (kind: string) => (body: Json) => body.data.map((each: Json) => ({ on: [`${kind}#${each.id}`], json: each }));
	const ofVariables = (body: Json) => body.data.map((each: Json) => ({ on: [`variable#${each.id}`], json: each }));
	const alarmParts = (body: Json) => [
		// An alarm without a database is not evaluated.
		{ on: ['evaluation', `alarm#${ofFlow.alarm}`, `alarm#${ofLevel.alarm}`], json: body.evaluation },
		...body.data.map((each: Json) => ({
			on: [`alarm#${each.id}`, `variable#${each.id === ofFlow.alarm ? flow : level}`, `state#${each.id}`, `operator#${each.id}`],
			json: each,
		})),
	];
	reads = [
		{ path: '/getVarsTsdb', parts: listing('variable') },
		{ path: `/getVarsTsdb?ids=${variables.join()}`, parts: listing('variable') },
		{ path: '/getVarsTsdb?limit=3', parts: listing('variable') },
		{ path: '/multipleDataTsdb', body: {}, parts: ofVariables },
		{ path: '/multipleDataTsdb', body: { ids: variables }, parts: ofVariables },
		{
			path: '/history',
			body: { ids: variables, start, end: plantNow, period: { count: 10, unit: 'm' }, aggregates: ['own', 'mean'] },
			parts: ({ data }) => data.variables.map((each: Json) => ({ on: [`variable#${each.id}`], json: each })),
		},
		{
			path: '/totals',
			body: { lines: [flow, level].map((varId) => ({ key: `k${varId}`, varId, function: 'mean' })), start, end: plantNow },
			parts: ({ data }) => data.lines.map((each: Json) => ({ on: counted(Number(each.key.slice(1))), json: each })),
		},
		{
			path: '/totals',
			body: { lines: [{ key: `k${bits}`, varId: bits, bit: 0, function: 'mean' }], start, end: plantNow },
			fits: `variable#${bits}`,
			parts: ({ data }) => [{ on: counted(bits), json: data?.lines }],
		},
		{ path: '/getCharts', parts: listing('chart') },
		{ path: '/getDiagrams', parts: listing('diagram') },
		{ path: '/getCorrections', parts: listing('correction') },
		{ path: '/getReports', parts: listing('report') },
		{ path: `/getCharts?ids=${both.map(({ chart }) => chart).join()}`, parts: listing('chart') },
		{ path: '/getAlarms', parts: alarmParts },
		{ path: `/getAlarms?ids=${both.map(({ alarm }) => alarm).join()}`, parts: alarmParts },
		{ path: '/alarmEvents', parts: (body) => body.data.map((each: Json) => ({ on: [`alarmEvent#${each.id}`], json: each })) },
		{
			path: '/changes',
			parts: (body) =>
				body.data.map((each: Json) => ({ on: [`change#${each.kind}#${each.itemId}#${each.rowVersion}`], json: each })),
		},
		{ path: '/topics', parts: (body) => [{ on: variables.map((id) => `variable#${id}`), json: body }] },
		{
			path: '/topics',
			body: { topics: [{ topic: 'flow', field: 'value' }] },
			parts: (body) => [{ on: variables.map((id) => `variable#${id}`), json: body }],
		},
		...[flow, level].map(
			(varId): Read => ({
				path: '/saveAlarm?dryRun=1',
				body: { id: 0, name: 'A', varId, ...rule },
				parts: (body) => [{ on: [`variable#${varId}`], json: body }],
			}),
		),
		{
			path: `/change?kind=variable&itemId=${flow}&rowVersion=1`,
			fits: `change#variable#${flow}#1`,
			parts: (body) => [{ on: [`variable#${flow}`, `change#variable#${flow}#1`], json: body }],
		},
		{ path: '/bombs', parts: (body) => [{ on: ['panel', `variable#${flow}`], json: body }] },
		...[flow, level].flatMap((varId, index): Read[] => {
			const of = both[index] ?? ofFlow;
			const boards = Object.entries(of).map(([kind, id]) => `${kind}#${id}`);
			const onReport = [`report#${of.report}`, `day#${of.report}`, ...counted(varId)];
			return [
				{ path: `/usages/${varId}`, parts: (body) => [{ on: [`variable#${varId}`, ...boards, 'panel'], json: body }] },
				{
					path: '/readReport',
					body: { id: of.report, start: `${day}T00:00:00Z`, end: plantNow, period: 'day' },
					parts: (body) => [{ on: onReport, json: body }],
				},
				{
					path: `/reportDay?id=${of.report}&date=${day}`,
					parts: (body) => [{ on: [`report#${of.report}`, `day#${of.report}`], json: body }],
				},
				{ path: `/getCorrections?varId=${varId}`, parts: (body) => [{ on: counted(varId), json: body }] },
			];
		}),
	];
	baseline = await readAll('');
	expect(baseline.size).toBeGreaterThan(50);
});
afterAll(() => plant.close());

/** The stored texts: the key by which parts name a row, the table and column, and the condition that selects the row. */
const tables = [
	['row', 'body', "CASE kind WHEN 'panel' THEN 'panel' ELSE kind || '#' || id END"],
	['alarm_row', 'body', "kind || '#' || alarm_id"],
	['alarm_event', 'body', "'alarmEvent#' || key"],
	[
		'change',
		'entry',
		"'change#' || json_extract(entry, '$.kind') || '#' || json_extract(entry, '$.itemId') || '#' || json_extract(entry, '$.rowVersion')",
	],
	['report_day', 'body', "'day#' || report_id"],
	['evaluation', 'body', "'evaluation'"],
] as const;

interface StoredText {
	readonly table: string;
	readonly column: string;
	readonly key: string;
	readonly text: string;
	readonly condition: string;
}

const storedTexts = (): readonly StoredText[] =>
	tables.flatMap(([table, column, key]) =>
		plant.database
			.prepare(`SELECT ${key} AS key, ${column} AS text FROM ${table} WHERE schema = '${schema}' ORDER BY 1, 2`)
			.all()
			.map((each) => ({
				table,
				column,
				key: String(each['key']),
				text: String(each['text']),
				condition: `${key} = ? AND ${column} = ?`,
			})),
	);

const setText = ({ table, column, condition, key, text }: StoredText, to: string): void => {
	const { changes } = plant.database.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${condition}`).run(to, key, text);
	expect(changes).toBe(1);
	// Caches read anew what has another revision.
	plant.database.exec('UPDATE head SET revision = revision + 1');
};

/** A damage to a text of JSON. Positions are shares. */
const damages = fc.oneof(
	fc.record({ cut: fc.double({ min: 0, max: 0.99, noNaN: true }) }),
	fc.record({ at: fc.double({ min: 0, max: 0.99, noNaN: true }), character: fc.string({ minLength: 1, maxLength: 1 }) }),
	fc.record({ field: fc.nat(40), value: fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom('note', 9e15, -1, '', null)) }),
	fc.record({ field: fc.nat(40) }),
	fc.constantFrom({ to: '' }, { to: 'null' }, { to: '[]' }, { to: '{}' }, { to: '"text"' }, { to: '['.repeat(20_000) }),
);
type Damage = typeof damages extends fc.Arbitrary<infer Value> ? Value : never;

const damaged = (text: string, damage: Damage): string => {
	if ('to' in damage) return damage.to;
	if ('cut' in damage) return text.slice(0, Math.floor(text.length * damage.cut));
	if ('at' in damage) {
		const at = Math.floor(text.length * damage.at);
		return text.slice(0, at) + damage.character + text.slice(at + 1);
	}
	const json = JSON.parse(text);
	const fields = pathsOf(json);
	const path = fields[damage.field % fields.length] ?? [];
	const parent = path.slice(0, -1).reduce((object, name) => object[name], json);
	const last = path.at(-1) ?? '';
	if ('value' in damage) parent[last] = damage.value;
	else delete parent[last];
	return JSON.stringify(json);
};

/** The paths of the fields of JSON, and of the objects in it. */
const pathsOf = (json: Json, path: readonly string[] = []): readonly (readonly string[])[] =>
	typeof json !== 'object' || json === null
		? [path]
		: [...(path.length === 0 ? [] : [path]), ...Object.keys(json).flatMap((name) => pathsOf(json[name], [...path, name]))];

test('a variable, a correction, a report and the panel that cannot be read say so, until the newer release is back', async () => {
	const answers = async () => {
		const alarms = await send('/getAlarms');
		const history = {
			ids: [1, 2],
			start: plantNow - hourMs,
			end: plantNow,
			period: { count: 1, unit: 'h' },
			aggregates: ['own'],
		};
		const lines = [1, 2].map((varId) => ({ key: `k${varId}`, varId, function: 'mean' }));
		return {
			variable: (await send('/getVarsTsdb?ids=1')).body.data[0],
			reading: (await send('/multipleDataTsdb', { ids: [1] })).body.data[0],
			history: (await send('/history', history)).body.data.variables[0],
			totals: (await send('/totals', { lines, start: plantNow - hourMs, end: plantNow })).body.data.lines.map(
				(each: Json) => each.faults,
			),
			alarm: alarms.body.data[0],
			panel: (await send('/bombs')).body.data,
			report: (await send('/readReport', { id: ofSecond.report, start: `${day}T00:00:00Z`, end: plantNow, period: 'day' })).body
				.data,
			listed: (await send('/getReports')).body.data.map((each: Json) => each.fault?.code),
		};
	};
	const before = await answers();
	const texts = storedTexts().filter(({ table }) => table === 'row');
	const damage = (key: string, to: (text: string) => string) => {
		const stored = texts.find((each) => each.key === key) ?? expect.unreachable();
		setText(stored, to(stored.text));
		return () => setText({ ...stored, text: to(stored.text) }, stored.text);
	};
	const newer = (text: string) => JSON.stringify({ ...JSON.parse(text), kind: 'later' });
	const keys = ['variable#1', `correction#${ofSecond.correction}`, `report#${ofSecond.report}`, 'panel'];
	const undo = keys.map((key) => damage(key, newer));
	const fault = { code: 'stored_row_invalid', message: expect.stringContaining('cannot be read') };
	expect(await answers()).toMatchObject({
		variable: { id: 1, name: 'Flow', version: 1, calc: true, equation: [], varsTsdb: {}, fault },
		reading: { id: 1, name: 'Flow', quality: 'bad', value: null, reason: { ...fault, inputs: [] } },
		history: { id: 1, quality: 'bad', reason: { ...fault, inputs: [] }, values: { own: [null, null] } },
		// One by its variable, the other by a correction.
		totals: [[{ code: 'stored_row_invalid' }], [{ code: 'stored_row_invalid' }]],
		alarm: { varId: 1, value: null, active: null, quality: 'bad', fault },
		panel: { title: 'Station', pumps: [], states: [], fault },
		report: { id: ofSecond.report, title: 'R', lines: [], fault },
		listed: [undefined, 'stored_row_invalid'],
	});
	for (const each of undo) each();
	expect(await answers()).toEqual(before);
});

test('a day of a report that cannot be read says so, until the newer release is back', async () => {
	const { report: id } = ofSecond;
	const answers = async () => ({
		report: (await send('/readReport', { id, start: `${day}T00:00:00Z`, end: '2026-11-24T00:00:00Z', period: 'day' })).body.data,
		versions: (await send(`/reportDay?id=${id}&date=${day}`)).body.data,
	});
	const before = await answers();
	expect(before).toMatchObject({ report: { states: ['sealed'] }, versions: { versions: [{ revision: 1 }] } });
	const stored = storedTexts().find(({ key }) => key === `day#${id}`) ?? expect.unreachable();
	setText(stored, '{}');
	expect(await answers()).toMatchObject({
		report: {
			states: ['unreadable'],
			unsealed: [day],
			lines: [{ values: [null], total: { value: null }, faults: [{ code: 'stored_row_invalid' }] }],
		},
		versions: {
			date: day,
			versions: [],
			fault: { code: 'stored_row_invalid', message: expect.stringContaining('cannot be read') },
		},
	});
	setText({ ...stored, text: '{}' }, stored.text);
	expect(await answers()).toEqual(before);
});

test('whatever is stored in a row, every read answers, and all that does not concern the row is as before', {
	timeout: casesOf(600_000),
}, async () => {
	const counts = new Map<string, number>();
	await fc.assert(
		fc.asyncProperty(fc.constantFrom(...tables), fc.nat(), damages, async ([table], index, damage) => {
			const texts = storedTexts();
			const ofTable = texts.filter((each) => each.table === table);
			const stored = ofTable[index % ofTable.length] ?? expect.unreachable();
			const to = damaged(stored.text, damage);
			if (to === stored.text || texts.some(({ key, text, ...each }) => each.table === table && key !== stored.key && text === to))
				return;
			const told = `${stored.key}: ${to.slice(0, 300)}`;
			setText(stored, to);
			try {
				const parts = await readAll(told, stored.key);
				counts.set(stored.table, (counts.get(stored.table) ?? 0) + 1);
				for (const [name, part] of baseline)
					if (!part.on.includes(stored.key)) expect(parts.get(name)?.json, `${name} ${told}`).toEqual(part.json);
			} finally {
				// A damaged entry has no key of its own any more.
				const { table, column, text } = stored;
				plant.database.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${column} = ?`).run(text, to);
				plant.database.exec('UPDATE head SET revision = revision + 1');
			}
		}),
		{ numRuns: casesOf(150), seed: firstSeed },
	);
	expect([...counts.keys()].sort()).toEqual(tables.map(([table]) => table).sort());
});
