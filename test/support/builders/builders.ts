import { boardOf } from '#domain/board/board.ts';
import type { BoardKind } from '#domain/board/board-kinds.ts';
import type { Panel } from '#domain/panel/panel.ts';
import type { BoardRow, VariableRow } from '#domain/ports/schema-store.ts';
import type { Query } from '#domain/variable/query.ts';
import { parseVariable, type Variable } from '#domain/variable/variable.ts';
import { tokensOf } from './equations.ts';

/** A query over the last 10 minutes by the minute, in its JSON form. */
export const makeQuery = (overrides: Partial<Query> = {}): Query => ({
	calc_topic: 'plant/flow',
	calc_field: 'value',
	calc_time: 10,
	calc_unit: 'm',
	calc_period: 1,
	calc_unit_period: 'm',
	calc_type_period: 'last',
	...overrides,
});

/** The body of a simple variable, in its JSON form. */
export const makeBody = (overrides: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => {
	const name = typeof overrides['name'] === 'string' ? overrides['name'] : 'Flow';
	return {
		id: 0,
		name,
		unit: 'L/s',
		type: 'last',
		calc: false,
		process: 'pumping',
		binary_compressed: false,
		varsTsdb: Object.fromEntries([[name, makeQuery()]]),
		...overrides,
	};
};

/** The body of a calculated variable. Its queries are the names in the text of the equation, such as `a + b / 2`. */
export const makeCalculatedBody = (text: string, overrides: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => {
	const equation = tokensOf(text);
	const names = new Set(equation.filter(({ type }) => type === 'variable').map(({ value }) => value));
	const varsTsdb = Object.fromEntries([...names].map((name) => [name, makeQuery({ calc_topic: `plant/${name}` })]));
	return makeBody({ name: 'Formula', calc: true, equation, varsTsdb, ...overrides });
};

/** The body of a bit-compressed variable with two bits. */
export const makeBitsBody = (overrides: Readonly<Record<string, unknown>> = {}): Record<string, unknown> =>
	makeBody({
		binary_compressed: true,
		bits: [
			{ id: 1, name: 'Pump 1', bit: 0 },
			{ id: 2, name: 'Alarm', bit: 7 },
		],
		...overrides,
	});

/** A parsed simple variable. */
export const makeVariable = (overrides: Readonly<Record<string, unknown>> = {}): Variable => parseVariable(makeBody(overrides));

/** A panel with one pump. */
export const makePanel = (varId: number, overrides: Partial<Panel> = {}): Panel => ({
	title: 'Station',
	pumps: [{ id: 1, name: 'Pump 1', varId, type: 'pump' }],
	states: [],
	...overrides,
});

/** A stored variable at its first version that nothing refers to. */
export const makeVariableRow = (id: number, overrides: Partial<VariableRow> = {}): VariableRow => ({
	kind: 'variable',
	version: 1,
	rowVersion: 1,
	variable: { ...makeVariable(), id },
	referencedBy: new Map(),
	deleting: false,
	...overrides,
});

/** A stored board at its first version. A chart and a diagram are empty; an alarm watches variable 1. */
export const makeBoardRow = (kind: BoardKind, id: number): BoardRow => {
	const boards = {
		chart: boardOf('chart', { id, title: 'Chart', series: [] }),
		diagram: boardOf('diagram', { id, title: 'Diagram', items: [] }),
		alarm: boardOf('alarm', { id, name: 'A', varId: 1, condition: '>=', threshold: 0.5, severity: 'info', message: 'M' }),
		correction: boardOf('correction', { id, varId: 1, type: 'exclude', from: 1.7e12, to: 1.8e12, reason: 'R' }),
		report: boardOf('report', { id, title: 'Report', timeZone: 'UTC', dayStart: '00:00', lines: [], send: false }),
		entry: boardOf('entry', { id, reportId: 1, key: 'k', from: '2026-10-01', to: '2026-10-31', value: 1, reason: 'R' }),
	};
	return { kind, version: 1, rowVersion: 1, board: boards[kind] };
};

/** The body of an alarm on variable 1, in its JSON form. */
export const makeAlarmBody = (overrides: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => ({
	id: 0,
	name: 'High flow',
	varId: 1,
	condition: '>',
	threshold: 10,
	severity: 'warning',
	message: 'Close the valve.',
	...overrides,
});
