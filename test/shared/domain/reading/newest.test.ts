import { expect, test } from 'vitest';
import { readNewest } from '#domain/reading/newest.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { makeCalculatedBody, makeQuery, makeVariableRow } from '#test/support/builders/builders.ts';
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
