import { expect, test } from 'vitest';
import { readNewest } from '#domain/reading/newest.ts';
import { readTold } from '#domain/reading/told-sources.ts';
import { nameOfSource } from '#domain/totals/join-sources.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { makeCalculatedBody, makeQuery, makeVariable, makeVariableRow } from '#test/support/builders/builders.ts';
import { makeSeries, makeTimeSeries } from '#test/support/fakes/fake-time-series.ts';

const now = 1_000_000;

test('readNewest skips values beyond 10,000 series, and keeps the order of the references', async () => {
	const names = Array.from({ length: 120 }, (_, index) => `i${index}`);
	const body = makeCalculatedBody(names.join(' + '));
	const rows = Array.from({ length: 90 }, (_, index) => {
		const id = index + 1;
		const varsTsdb = Object.fromEntries(names.map((name) => [name, makeQuery({ calc_topic: `${id}/${name}` })]));
		return makeVariableRow(id, { variable: parseVariable({ ...body, id, varsTsdb }) });
	});
	const topics = names.map((name) => [`83/${name}`, makeSeries([[now - 1, 1]])] as const);
	const { timeSeries, calls } = makeTimeSeries(new Map(topics));
	const definitions = { get: async () => new Map(rows.map((row) => [row.variable.id, row])) };
	const references = rows.map(({ variable }) => ({ varId: variable.id }));
	const states = await readNewest({ definitions, timeSeries }, 's', { database: 'd', now }, references);
	expect(calls.map(({ keys }) => keys.length)).toEqual([9960]);
	expect(states.map(([{ varId }]) => varId)).toEqual(references.map(({ varId }) => varId));
	expect(states[0]?.[1]).toEqual({ value: null, quality: 'no_data' });
	expect(states[82]?.[1]).toEqual({ value: 120, quality: 'good' });
	expect(states.slice(83).map(([, state]) => state)).toEqual(Array(7).fill({ value: null, quality: 'skipped' }));
});

test('readNewest names the tags of several sources where it is told to', async () => {
	const several = makeSeries([[now - 1, 'several_series']]);
	const sources = new Map(['1', '2'].map((id) => [nameOfSource({ tags: [['slave_id', id]] }), makeSeries([[now - 1, 1]])]));
	const { timeSeries, calls } = makeTimeSeries(new Map([['modbus', { ...several, sources }]]));
	const rows = [1, 2].map((id) => {
		const varsTsdb = { Flow: makeQuery({ calc_topic: id === 1 ? 'modbus' : 'other' }) };
		return [id, makeVariableRow(id, { variable: makeVariable({ id, varsTsdb }) })] as const;
	});
	const deps = { definitions: { get: async () => new Map(rows) }, timeSeries };
	const references = [{ varId: 1 }, { varId: 2 }];
	const statesOf = async (read?: typeof readTold) =>
		(await readNewest(deps, 's', { database: 'd', now }, references, read)).map(([, state]) => state);
	const unknown = { value: null, quality: 'bad' };
	const silent = { value: null, quality: 'no_data' };
	expect(await statesOf()).toEqual([unknown, silent]);
	expect(await statesOf(readTold)).toEqual([{ ...unknown, tags: [{ name: 'slave_id', values: ['1', '2'] }] }, silent]);
	expect(calls.map(({ keys }) => keys.map(({ topic, bySource }) => [topic, bySource]))).toEqual([
		...Array(2).fill([
			['modbus', undefined],
			['other', undefined],
		]),
		[['modbus', true]],
	]);
});
