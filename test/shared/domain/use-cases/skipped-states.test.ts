import { expect, test } from 'vitest';
import { boardOf } from '#domain/board/board.ts';
import type { SchemaStore } from '#domain/ports/schema-store.ts';
import { getPanel } from '#domain/use-cases/get-panel.ts';
import { alarmValues } from '#domain/use-cases/list-alarms.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { makeBoardRow, makeCalculatedBody, makePanel, makeQuery, makeVariableRow } from '#test/support/builders/builders.ts';
import { makeSeries, makeTimeSeries } from '#test/support/fakes/fake-time-series.ts';

const context = { database: 'd', now: 1_000_000 };
const ids = Array.from({ length: 80 }, (_, index) => index + 1);

/** Variables of 128 series each, of which 78 fit into one request. Every input is 1, so every value is 128. */
const makeDeps = () => {
	const names = Array.from({ length: 128 }, (_, index) => `i${index}`);
	const body = makeCalculatedBody(names.join(' + '));
	const topics = ids.flatMap((id) => names.map((name) => `${id}/${name}`));
	const rows = ids.map((id) => {
		const varsTsdb = Object.fromEntries(names.map((name) => [name, makeQuery({ calc_topic: `${id}/${name}` })]));
		return [id, makeVariableRow(id, { variable: parseVariable({ ...body, id, varsTsdb }) })] as const;
	});
	const { timeSeries } = makeTimeSeries(new Map(topics.map((topic) => [topic, makeSeries([[context.now - 1, 1]])])));
	return { definitions: { get: async () => new Map(rows) }, timeSeries };
};

test('an alarm of a skipped variable is neither active nor inactive', async () => {
	const alarms = ids.map((id) => ({
		...makeBoardRow('alarm', id),
		board: boardOf('alarm', { id, name: 'A', varId: id, condition: '>', threshold: 1, severity: 'info', message: 'M' }),
	}));
	const states = await alarmValues(makeDeps(), 's', context, alarms);
	expect(states.map(({ active, value, quality }) => [active, value, quality])).toEqual([
		...Array(78).fill([true, 128, 'good']),
		...Array(2).fill([null, null, 'skipped']),
	]);
});

test('a pump of a skipped variable is neither running nor stopped', async () => {
	const panel = makePanel(1, { pumps: ids.map((id) => ({ id, name: 'P', varId: id, type: 'pump' })) });
	const get = async () => [{ kind: 'panel', version: 1, rowVersion: 1, panel }];
	const { states } = await getPanel({ ...makeDeps(), store: { get } as unknown as SchemaStore }, 's', context);
	expect([...states.values()]).toEqual([
		...Array(78).fill({ value: 1, quality: 'good' }),
		...Array(2).fill({ value: null, quality: 'skipped' }),
	]);
});
