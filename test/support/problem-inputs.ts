import * as v from 'valibot';
import { expect } from 'vitest';
import { machineSecrets } from '#adapters/machine-secrets.ts';
import { completeAlarm } from '#domain/board/alarm.ts';
import { boardOf, parseBoard } from '#domain/board/board.ts';
import { checkedCorrection } from '#domain/board/correction.ts';
import { parseReport } from '#domain/board/report.ts';
import { parseFormula } from '#domain/equation/formula-text.ts';
import { parseHistoryRequest } from '#domain/history/history-request.ts';
import { refuseGuessable } from '#domain/identity/guessable-password.ts';
import { parsePanel } from '#domain/panel/panel.ts';
import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import { requestOfDays } from '#domain/report/report-request.ts';
import { parseTotalsRequest } from '#domain/totals/totals-request.ts';
import { readTotals } from '#domain/use-cases/read-totals.ts';
import { saveBoard } from '#domain/use-cases/save-board.ts';
import { saveEntry } from '#domain/use-cases/save-entry.ts';
import { saveMachine } from '#domain/use-cases/save-machine.ts';
import { saveVariable } from '#domain/use-cases/save-variable.ts';
import { newPasswordSchema } from '#domain/use-cases/set-password.ts';
import { parse } from '#domain/validation/parse.ts';
import type { ProblemCode } from '#domain/validation/problem.ts';
import { dateSchema } from '#domain/validation/time.ts';
import { sentFields } from '#domain/variable/sent-variable.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { changeQuestionOf } from '#http/change-page.ts';
import { readListing } from '#http/listing.ts';
import { sentDiagramSchema } from '#http/sent-diagram.ts';
import { parseSent, queryOf } from '#http/sent-input.ts';
import { makeAlarmBody, makeBitsBody, makeBody, makeCalculatedBody, makeQuery } from '#test/support/builders/builders.ts';
import { tokensOf } from '#test/support/builders/equations.ts';
import { makeEvent } from '#test/support/builders/events.ts';
import { testOrigin } from '#test/support/builders/origin.ts';
import { saveSmallSchema } from '#test/support/builders/small-schema.ts';
import { openReportPlant, tenant } from '#test/support/reports/report-plant.ts';

const variable = (body: unknown) => () => parseVariable(body);
/** Saves a new machine that has fields. */
const machine = (fields: { readonly name: string; readonly expiresAt?: number }) => () =>
	saveMachine(
		{
			machines: { find: never, save: never, remove: never },
			secrets: machineSecrets,
			pause: never,
			origin: testOrigin,
			now: () => now,
		},
		{ schema: 's', database: 'd', owner: 1 },
		{ role: 'viewer', ...fields },
		null,
	);

/** @see problemInputs */
export const simple = (overrides: object) => variable(makeBody({ ...overrides }));
const query = (overrides: object) => simple({ varsTsdb: { Flow: { ...makeQuery(), ...overrides } } });
const equation = (tokens: unknown) => variable(makeCalculatedBody('a', { equation: tokens }));
/** @see problemInputs */
export const formula = (text: string) => equation(tokensOf(text));
const written = (text: string) => equation(parseFormula(text).map(({ token }) => token));
const diagram = (item: object) => () => parseBoard('diagram', { id: 0, title: 'D', items: [{ varId: 1, x: 0, y: 0, ...item }] });
const drawing = (fields: object) => () => parseBoard('diagram', { id: 0, title: 'D', items: [], ...fields });
const background = (svg: string) => () => parse(sentDiagramSchema, { id: 0, title: 'D', items: [], background: svg });
const tank = { kind: 'tank', key: 'a', x: 0, y: 0, w: 0.1, h: 0.1 };
const valve = { kind: 'valve', x: 0, y: 0, w: 0.1 };
const pipe = { from: ['a', 'left'], to: ['a', 'top'] };
const alarm = (fields: Readonly<Record<string, unknown>>) => () => parseBoard('alarm', makeAlarmBody(fields));
const complete = (fields: Readonly<Record<string, unknown>>) => () =>
	completeAlarm(parseBoard('alarm', makeAlarmBody(fields)), null);
const correction = (fields: object) => () =>
	checkedCorrection(parseBoard('correction', { id: 0, varId: 1, reason: 'R', ...fields }));
const save = (item: object) => async () =>
	saveBoard(
		await saveSmallSchema(),
		's',
		boardOf('diagram', parseBoard('diagram', { id: 0, title: 'D', items: [{ x: 0, y: 0, ...item }] })),
	);
const long = { calc_time: 5000, calc_period: 1, calc_unit: 'm', calc_unit_topic: 'm', calc_type_period: 'mean' };
const listing = (query: Readonly<Record<string, string>>) => async () =>
	readListing(makeEvent('GET /getCharts', { query }), (await saveSmallSchema()).store, 's', 'chart');

const asked = (query: string) => () => queryOf({ ...makeEvent('GET /getCharts'), rawQueryString: query }, ['limit']);

const now = Date.UTC(1980, 1);
const never = () => expect.unreachable();
/** @see problemInputs */
export const history = (fields: object) => () => parseHistoryRequest({ ids: [1], start: now - 1000, ...fields }, now);

const totalsLine = { key: 'a', varId: 1, function: 'mean' };
const totals = (fields: object) => () => parseTotalsRequest({ lines: [{ ...totalsLine, ...fields }], start: now - 1000 }, now);
/** Counts a function of a variable that is saved first. */
const countTotals = (body: unknown, name: string) => async () => {
	const small = await saveSmallSchema();
	const { store } = small;
	const {
		variable: { id },
	} = await saveVariable(small, 's', parseVariable(body));
	const request = parseTotalsRequest({ lines: [{ ...totalsLine, varId: id, function: name }], start: now - 1000 }, now);
	const samples = { countSamples: never, readSamples: never };
	return readTotals(
		{ definitions: createDefinitionCache(store), store, samples, alarms: { events: never, progress: never } },
		's',
		'd',
		request,
	);
};

/** One input for each code: parsing it reports the code. A code without an input does not compile. */
export const problemInputs: Readonly<Record<ProblemCode, () => unknown>> = {
	required: simple({ unit: undefined }),
	wrong_type: simple({ unit: 5 }),
	not_an_object: simple({ varsTsdb: 5 }),
	not_a_list: equation('a'),
	not_a_choice: simple({ type: 'now' }),
	invalid_value: () =>
		parse(
			v.custom(() => false, 'Is wrong.'),
			1,
		),
	unknown_field: asked('limits=1'),
	given_twice: asked('limit=1&limit=1'),
	more_errors: simple({ varsTsdb: Object.fromEntries(Array.from({ length: 128 }, (_, index) => [index, null])) }),
	empty: simple({ name: '' }),
	not_well_formed: simple({ unit: '\ud83d' }),
	bad_character: () => parseSent(sentFields, { ...makeBody(), name: 'a\u202eb' }),
	too_long: simple({ unit: 'x'.repeat(201) }),
	not_finite: simple({ id: Number.POSITIVE_INFINITY }),
	negative_zero: simple({ id: -0 }),
	not_positive: query({ calc_time: 0 }),
	not_whole_number: listing({ limit: 'x' }),
	number_out_of_range: diagram({ x: 2 }),
	whole_number_out_of_range: listing({ limit: '1001' }),
	too_many_items: variable(makeBitsBody({ bits: Array(9).fill({}) })),
	not_unique: variable(makeBitsBody({ bits: [1, 2].map((bit) => ({ id: 1, name: 'b', bit })) })),
	repeated: history({ ids: [1, 1] }),
	no_items: history({ ids: [] }),
	ids_and_page: listing({ ids: '1', limit: '1' }),
	kind_required: () => changeQuestionOf(makeEvent('GET /changes', { query: { itemId: '1' } }), { readsAccess: true, now }),
	expiry_out_of_range: machine({ name: 'grafana', expiresAt: now }),
	at_sign_in_name: machine({ name: 'ana@plant.example' }),
	not_a_time: history({ start: 'today' }),
	not_epoch_ms: history({ start: 1.5 }),
	epoch_seconds: history({ start: now / 1000 }),
	not_a_time_of_day: history({ dayStart: '24:00' }),
	not_a_date: () => parse(dateSchema, '2026-02-30'),
	day_not_over: async () => (await openReportPlant(now)).seal('1980-02-01', '1980-02-01'),
	not_a_time_zone: history({ timeZone: 'Mars' }),
	start_not_past: history({ start: now }),
	start_not_before_end: history({ end: 0 }),
	range_too_long: () => parseHistoryRequest({ ids: [1], start: 0 }, Date.UTC(1990)),
	period_does_not_fit: history({ period: { count: 7, unit: 'h' }, timeZone: 'Europe/Madrid' }),
	date_and_range: () => requestOfDays(1, 'day', { date: 'today', from: '2026-11-20' }, now),
	period_and_points: history({ period: { count: 1, unit: 'h' }, points: 100 }),
	dip_too_large: totals({ function: 'increase', counter: { size: 100, dip: 11 } }),
	range_reversed: totals({ function: 'mean', range: [2, 1] }),
	same_times: totals({ function: 'mean', between: ['06:00', '06:00'] }),
	no_limit: totals({ function: 'within', limits: [null, null] }),
	limits_and_above: totals({ function: 'onTime', above: 1, limits: [0, 1] }),
	not_part_of_day: totals({ function: 'readings', every: 7000 }),
	only_percent: totals({ function: 'increase', error: [1, 2] }),
	hours_cut_by_day: totals({ function: 'leastMean', over: 3600, between: ['23:00', '05:00'] }),
	longer_than_hours: totals({ function: 'leastMean', over: 7201, between: ['02:00', '04:00'] }),
	no_reading_in_hours: totals({ function: 'readings', every: 14_400, between: ['01:00', '03:00'] }),
	only_in_reports: totals({ function: 'entered', varId: undefined, holdSeconds: undefined }),
	too_many_references: () =>
		parseReport({
			id: 0,
			title: 'R',
			lines: Array.from({ length: 5 }, (_, index) => ({
				...{ key: `k${index}`, name: 'N', unit: '', function: 'leastMean', varId: 1, over: 3600 },
				reference: { from: '2026-09-01', nights: 7 + index },
			})),
		}),
	no_entered_line: async () => {
		const { write, id } = await openReportPlant(now);
		const days = { from: '1980-01-01', to: '1980-01-31' };
		const entry = parseBoard('entry', { id: 0, reportId: id, key: 'volume', ...days, value: 1, reason: 'R' });
		return saveEntry(write, tenant.schema, boardOf('entry', entry));
	},
	password_guessable: () => refuseGuessable('password1234', ''),
	too_short: () => parse(newPasswordSchema, { token: 't', password: 'eleven char' }),
	period_too_short: () =>
		parseTotalsRequest(
			{
				lines: [{ ...totalsLine, function: 'leastMean', over: 3600 }],
				start: now - 10_000,
				period: { count: 1, unit: 'h' },
			},
			now,
		),
	repeated_key: () => parseTotalsRequest({ lines: [totalsLine, totalsLine], start: now - 1000 }, now),
	required_by_function: totals({ function: 'total' }),
	not_of_function: totals({ function: 'mean', per: 'h' }),
	required_by_type: correction({ type: 'exclude' }),
	not_of_type: correction({ type: 'exclude', from: now - 1000, to: now, value: 1 }),
	hold_required: countTotals(makeBody({ varsTsdb: { Flow: makeQuery({ calc_type_period: 'mean' }) } }), 'mean'),
	formula_has_no_counter: countTotals(makeCalculatedBody('a'), 'increase'),
	calculated_and_compressed: variable(makeBitsBody({ calc: true })),
	compression_unclear: async () =>
		saveVariable(await saveSmallSchema(), 's', parseVariable(makeBody({ id: 2 })), null, undefined, true),
	one_query_expected: simple({ varsTsdb: {} }),
	bad_query_name: variable(makeCalculatedBody('a', { varsTsdb: { '': makeQuery() } })),
	query_name_differs: simple({ varsTsdb: { other: makeQuery() } }),
	query_not_used: variable(makeCalculatedBody('a', { varsTsdb: { a: makeQuery(), b: makeQuery() } })),
	unit_required: query({ calc_unit: undefined }),
	units_differ: query({ calc_unit_topic: 'h' }),
	reserved_tag: query({ calc_tags: { _field: 'value' } }),
	duration_not_whole: query({ calc_time: 1.5, calc_unit: 'mo' }),
	duration_too_short: query({ calc_time: 0.1, calc_unit: 'ms' }),
	duration_too_long: query({ calc_time: 101, calc_unit: 'y' }),
	too_many_windows: query({ ...long, calc_time: 10_001 }),
	variable_too_large: async () => {
		const names = Array.from({ length: 30 }, (_, index) => `q${index}`);
		const varsTsdb = Object.fromEntries(names.map((name) => [name, { ...makeQuery({ calc_topic: name }), ...long }]));
		const body = makeCalculatedBody(names.join(' + '), { type: 'history', varsTsdb });
		return saveVariable(await saveSmallSchema(), 's', parseVariable(body));
	},
	bits_required: variable(makeBitsBody({ bits: [] })),
	mean_of_bits: variable(makeBitsBody({ varsTsdb: { Flow: makeQuery({ calc_type_period: 'mean' }) } })),
	equation_empty: equation([]),
	not_a_token: equation([null]),
	unknown_token_type: equation([{ value: 'a', type: 'x' }]),
	unknown_name: formula('b'),
	unknown_operator: equation([{ value: '%', type: 'operator' }]),
	bad_number: equation([{ value: '1,5', type: 'number' }]),
	number_too_large: equation([{ value: '1e400', type: 'number' }]),
	number_not_text: equation([{ value: 5, type: 'number' }]),
	two_operands: formula('a a'),
	missing_operand: formula('a +'),
	empty_parentheses: formula('( )'),
	parenthesis_not_closed: formula('( a'),
	parenthesis_not_opened: formula('a )'),
	nested_too_deeply: formula([...Array(33).fill('('), 'a', ...Array(33).fill(')')].join(' ')),
	parenthesis_expected: written('sqrt {a}'),
	comma_outside_function: written('{a}, 2'),
	wrong_argument_count: written('min({a})'),
	argument_not_constant: written('round({a}, {a})'),
	curve_not_ascending: written('curve({a}, 0, 1, 0, 2)'),
	chained_comparison: written('1 < {a} < 3'),
	exponent_not_constant: written('2 ^ {a}'),
	ambiguous_power: written('-{a} ^ 2'),
	not_a_variable_id: diagram({ varId: 0 }),
	no_such_variable: save({ varId: 99 }),
	variable_without_bits: save({ varId: 1, bit: 0 }),
	no_such_bit: save({ varId: 2, bit: 3 }),
	too_many_variables: () =>
		parseBoard('chart', { id: 0, title: 'C', series: Array.from({ length: 49 }, (_, index) => ({ varId: index + 1 })) }),
	panel_empty: () => parsePanel({ title: 'P' }),
	required_by_kind: drawing({ shapes: [{ kind: 'tank', x: 0, y: 0, w: 0.1 }] }),
	not_of_kind: diagram({ turn: 90 }),
	not_of_shape: drawing({ shapes: [{ ...tank, varId: 1 }] }),
	required_by_field: drawing({ shapes: [tank], pipes: [{ ...pipe, bit: 0 }] }),
	key_not_unique: drawing({ shapes: [tank, tank] }),
	no_such_key: drawing({ pipes: [pipe] }),
	no_pipe_at_kind: drawing({ shapes: [{ kind: 'text', key: 'a', x: 0, y: 0, label: 'T' }], pipes: [pipe] }),
	no_such_side: drawing({ shapes: [tank], pipes: [{ ...pipe, to: ['a', 'in'] }] }),
	not_of_side: drawing({ shapes: [tank, { ...valve, key: 'v' }], pipes: [{ ...pipe, to: ['v', 'in', 0.5] }] }),
	not_ascending: drawing({ shapes: [{ ...tank, scale: [4, 4] }] }),
	not_a_quarter_turn: drawing({ shapes: [{ ...valve, turn: 45 }] }),
	too_many_bytes: drawing({ background: ' '.repeat(200_001) }),
	not_svg: background('<html/>'),
	not_xml: background('<svg>'),
	not_allowed_in_svg: background('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'),
	below_minimum: alarm({ deadband: -1 }),
	between_zero_and_minimum: alarm({ noDataSeconds: 59 }),
	deadband_not_possible: complete({ condition: '==', deadband: 1 }),
	deadband_without_effect: complete({ threshold: 1, deadband: 1e-20 }),
};
