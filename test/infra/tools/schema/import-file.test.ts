import { expect, test } from 'vitest';
import { svgProblem } from '#domain/background/svg-problem.ts';
import { boardOf, parseBoard } from '#domain/board/board.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { exportText } from '#infra/tools/schema/contents.ts';
import { parseExport } from '#infra/tools/schema/import-file.ts';
import { makeEvaluatorState } from '#test/support/builders/alarm-rows.ts';
import { makeBitsBody, makePanel, makeVariable } from '#test/support/builders/builders.ts';
import { alarmRule } from '#test/support/builders/small-schema.ts';
import { readVectors } from '#test/support/vectors.ts';

const now = Date.UTC(2026, 10, 21, 12);

/** Variables 1 (plain) and 2 (bits 0 and 7), chart 3 of both, alarm 4 of bit 7 of 2 and the panel of 1. */
const text = (() => {
	const versions = { version: 2, rowVersion: 3 };
	const variables = [
		{ ...makeVariable(), id: 1 },
		{ ...parseVariable(makeBitsBody()), id: 2 },
	];
	const chart = parseBoard('chart', { id: 3, title: 'C', series: [{ varId: 1 }, { varId: 2 }] });
	const alarm = parseBoard('alarm', { id: 4, name: 'A', varId: 2, bit: 7, ...alarmRule });
	return exportText({
		schema: 's',
		revision: 9,
		lastId: 6,
		variables: variables.map((variable) => ({
			...{ kind: 'variable' as const, ...versions },
			...{ variable, referencedBy: new Map(), deleting: false },
		})),
		boards: [
			{ kind: 'chart', ...versions, board: boardOf('chart', chart) },
			{ kind: 'alarm', ...versions, board: boardOf('alarm', alarm), database: 'd' },
		],
		panel: { kind: 'panel', ...versions, panel: makePanel(1) },
		progress: null,
		alarmRows: new Map([[4, { state: makeEvaluatorState(), operator: null, outbox: null }]]),
	});
})();

// biome-ignore lint/suspicious/noExplicitAny: a file is edited into what no export is.
type AnyFile = Record<string, any>;

const edited = (edit: (file: AnyFile) => void): string => {
	const file: AnyFile = JSON.parse(text);
	edit(file);
	return JSON.stringify(file);
};
/** Returns the file with another value at a path; undefined: without it. */
const withValue = (path: string, value: unknown): string =>
	edited((file) => {
		const keys = path.split('.');
		const target = keys.slice(0, -1).reduce((inner, key) => inner[key], file);
		target[keys.at(-1) ?? ''] = value;
	});
const faultsOf = (input: string) => {
	const read = parseExport(input, now);
	return 'faults' in read ? read.faults : [];
};

test('reads what an export wrote, also of a release without row versions, corrections and reports', () => {
	const read = parseExport(text, now);
	expect('contents' in read && exportText(read.contents)).toBe(text);
	const old = edited((file) => {
		for (const item of [...file['variables'], ...file['charts'], ...file['alarms'], file['panel']]) delete item.rowVersion;
		delete file['corrections'];
		delete file['reports'];
	});
	const contents = parseExport(old, now);
	expect('contents' in contents && contents.contents.variables.map(({ rowVersion }) => rowVersion)).toEqual([2, 2]);
});

test('rebuilds which boards refer to a variable', () => {
	const read = parseExport(text, now);
	if ('faults' in read) throw new Error(JSON.stringify(read.faults));
	expect(read.contents.variables.map(({ referencedBy }) => Object.fromEntries(referencedBy))).toEqual([
		{ 'chart#3': [] },
		{ 'chart#3': [], 'alarm#4': [7] },
	]);
});

test.each<[string, string, unknown, string, RegExp]>([
	['no schema', 'schema', '', 'schema', /empty/],
	['a field of no export', 'more', 1, 'more', /./],
	['a list that is none', 'charts', { 0: 1 }, 'charts', /./],
	['an item that is none', 'charts.1', 7, 'charts.1', /object/],
	['a wrong name', 'variables.1.name', 7, 'variables.1.name', /text/],
	['a field that no variable has', 'variables.0.note', 'x', 'variables.0.note', /not be stored as it is/],
	['a field that no series has', 'charts.0.series.0.extra', 1, 'charts.0.series.0.extra', /not be stored as it is/],
	['no version', 'charts.0.version', undefined, 'charts.0.version', /required/],
	['a version of 0', 'charts.0.version', 0, 'charts.0.version', /./],
	['a row version below the version', 'charts.0.rowVersion', 1, 'charts.0.rowVersion', /at least the version, which is 2/],
	['an id of 0', 'charts.0.id', 0, 'charts.0.id', /at least 1/],
	['an id that a variable has', 'charts.0.id', 1, 'charts.0.id', /variables\.0 has it, too/],
	['an id above the last one', 'lastId', 3, 'alarms.0.id', /at most lastId, which is 3/],
	['a missing variable', 'variables.0.id', 5, 'charts.0.series.0.varId', /no variable 1/],
	['a bit that is not defined', 'alarms.0.bit', 5, 'alarms.0.bit', /no bit 5/],
	['a bit of a variable without bits', 'panel.pumps.0.bit', 5, 'panel.pumps.0.bit', /Only a bit-compressed variable/],
	['a panel of another shape', 'panel.pumps', 1, 'panel.pumps', /list/],
	['states of no alarm', 'evaluation.alarms.0.id', 5, 'evaluation.alarms', /no alarm 5/],
	['a state of another shape', 'evaluation.alarms.0.state.until', 'x', 'evaluation.alarms.0.state.until', /number/],
	['no revision', 'revision', 0, 'revision', /at least 1/],
])('names %s by its path', (_, place, value, path, words) => {
	const faults = faultsOf(withValue(place, value));
	expect(faults.map((fault) => fault.path)).toContain(path);
	expect(faults.find((fault) => fault.path === path)?.message).toMatch(words);
});

test.each(['[1]', 'null', '7', '"x"', '{}'])('refuses %s', (input) => {
	expect(faultsOf(input).length).toBeGreaterThan(0);
});

const exchange = { type: 'exchange', at: now - 1, oldFinal: 9, newInitial: 0 };
const volume = { key: 'a', name: 'V', unit: 'm3', function: 'total', varId: 1, per: 'h' };

/** Rows that saves refuse, though their fields have the right types. */
test.each<[string, object, string, RegExp]>([
	['an alarm that cannot clear', { alarms: [{ ...alarmRule, condition: '==', deadband: 1 }] }, 'alarms.0.deadband', /./],
	[
		'a correction of two types',
		{ corrections: [{ type: 'value', from: now - 2, to: now - 1, value: 1, at: now - 1 }] },
		'corrections.0.at',
		/type/,
	],
	['a correction without its fields', { corrections: [{ type: 'exclude', from: now - 1 }] }, 'corrections.0.to', /required/],
	[
		'a correction that ends first',
		{ corrections: [{ type: 'exclude', from: now - 1, to: now - 2 }] },
		'corrections.0.from',
		/before the end/,
	],
	[
		'a correction of more than a year',
		{ corrections: [{ type: 'exclude', from: now - 367 * 86_400_000, to: now }] },
		'corrections.0.from',
		/366/,
	],
	[
		'a correction of the future',
		{ corrections: [{ type: 'exclude', from: now, to: now + 1 }] },
		'corrections.0.from',
		/before now/,
	],
	['an exchange in the future', { corrections: [{ ...exchange, at: now }] }, 'corrections.0.at', /before now/],
	['a report with a key twice', { reports: [{ lines: [volume, volume] }] }, 'reports.0.lines.1.key', /./],
	['a report with a wrong line', { reports: [{ lines: [{ ...volume, equation: [] }] }] }, 'reports.0.lines.0.equation', /./],
])('checks as a save does: %s', (_, lists, path, words) => {
	const common = { id: 6, version: 1, rowVersion: 1, varId: 1, reason: 'R', name: 'N', title: 'T', message: 'M' };
	const known = { alarms: ['varId', 'name', 'message'], corrections: ['varId', 'reason'], reports: ['title'] };
	const file = edited((each) => {
		for (const [list, rows] of Object.entries(lists))
			each[list] = rows.map((row: object) => ({
				...Object.fromEntries(
					Object.entries(common).filter(
						([field]) => ['id', 'version', 'rowVersion'].includes(field) || known[list as keyof typeof known].includes(field),
					),
				),
				...row,
			}));
		if ('alarms' in lists) each['evaluation'].alarms = [];
	});
	const faults = faultsOf(file);
	expect(faults.map((fault) => fault.path)).toContain(path);
	expect(faults.find((fault) => fault.path === path)?.message).toMatch(words);
});

test('takes a correction that begins before now, and names no fault of its own', () => {
	const correction = { id: 6, version: 1, rowVersion: 1, varId: 1, reason: 'R', ...exchange };
	for (const author of [undefined, 'ana@plant.example', { kind: 'machine', id: 'c', name: 'historian' }])
		expect(faultsOf(withValue('corrections', [author === undefined ? correction : { ...correction, author }]))).toEqual([]);
});

test('refuses every drawing that a save refuses, or leaves it out when asked, and takes the others', () => {
	const vectors = readVectors<{ readonly svg: string; readonly code: string | null }>('backgrounds');
	const diagram = { id: 6, title: 'Intake', items: [], version: 1, rowVersion: 1 };
	for (const { svg, code } of vectors) {
		const file = withValue('diagrams', [{ ...diagram, background: svg }]);
		const expected =
			code === null ? [] : [{ path: 'diagrams.0.background', message: `The drawing of "Intake": ${svgProblem(svg)?.message}` }];
		expect(faultsOf(file), svg).toEqual(expected);
		const read = parseExport(file, now, { withoutRefusedDrawings: true });
		if ('faults' in read) throw new Error(JSON.stringify(read.faults));
		expect(read.leftOut).toMatchObject(expected);
		const [{ board } = expect.unreachable()] = read.contents.boards.filter(({ kind }) => kind === 'diagram');
		expect(board.content).toEqual({ id: 6, title: 'Intake', items: [], ...(code === null ? { background: svg } : {}) });
	}
	expect(vectors.filter(({ code }) => code !== null).length).toBeGreaterThan(50);
});

test('leaves out nothing else of a diagram, and names its other faults beside a refused drawing', () => {
	const diagram = { id: 6, title: '\n', items: [], version: 1, rowVersion: 1, background: '<svg/>', ratio: 9 };
	const file = withValue('diagrams', [diagram, 7, { ...diagram, id: 7, title: [], background: '<'.repeat(200_001) }]);
	const paths = ['diagrams.0.ratio', 'diagrams.1', 'diagrams.2.background', 'diagrams.2.ratio', 'diagrams.2.title'];
	expect(
		faultsOf(file)
			.map(({ path }) => path)
			.sort(),
	).toEqual(['diagrams.0.background', ...paths]);
	const read = parseExport(file, now, { withoutRefusedDrawings: true });
	expect('faults' in read && read.faults.map(({ path }) => path).sort()).toEqual(paths);
});

test('keeps an item of the panel whose variable was deleted', () => {
	expect(faultsOf(withValue('panel.pumps.0.varId', 5))).toEqual([]);
});

test('names the faults of all parts at once, at most 100', () => {
	const faults = faultsOf(
		edited((file) => {
			file['revision'] = -1;
			file['variables'][0].unit = 7;
			file['alarms'][0].severity = 'no';
			file['panel'].title = null;
		}),
	);
	expect(faults.map(({ path }) => path).sort()).toEqual(['alarms.0.severity', 'panel.title', 'revision', 'variables.0.unit']);
	const many = faultsOf(
		withValue(
			'charts',
			Array.from({ length: 5000 }, () => ({})),
		),
	);
	expect(many.length).toBeLessThanOrEqual(101);
});

test('refuses hostile files quickly', () => {
	const started = performance.now();
	const deep = '['.repeat(200_000) + ']'.repeat(200_000);
	expect(faultsOf('{').at(0)).toEqual({ path: 'request', message: expect.stringMatching(/^Is no JSON: /) });
	expect(faultsOf(deep).length).toBeGreaterThan(0);
	expect(faultsOf(withValue('panel', '@').replace('"@"', deep)).map(({ path }) => path)).toEqual(['panel']);
	const inside = withValue('charts.0.deep', '@').replace('"@"', deep);
	expect(faultsOf(inside)).toEqual([expect.objectContaining({ path: 'charts.0.deep' })]);
	const many = JSON.stringify(Array.from({ length: 1_000_000 }, () => ({})));
	expect(faultsOf(withValue('variables', '@').replace('"@"', many)).map(({ path }) => path)).toContain('variables');
	const prototype = text.replace('{', '{"__proto__": {"schema": "x"},');
	expect(faultsOf(prototype).map(({ path }) => path)).toEqual(['__proto__']);
	expect(Object.prototype).not.toHaveProperty('schema');
	expect(performance.now() - started).toBeLessThan(20_000);
});
