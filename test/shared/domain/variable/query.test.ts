import { expect, test } from 'vitest';
import { parse } from '#domain/validation/parse.ts';
import { lookbackOf, periodOf, querySchema, uncheckedWindowCount } from '#domain/variable/query.ts';
import { makeQuery } from '#test/support/builders/builders.ts';
import { issuesOf } from '#test/support/validation-issues.ts';
import queries from '#test/vectors/queries.json' with { type: 'json' };

test.each(queries)('querySchema, issues at $keys: $reason', ({ json, keys }) => {
	const issues = issuesOf(() => parse(querySchema, JSON.parse(json)));
	expect(Object.keys(issues).sort()).toStrictEqual(keys);
});

test('returns the sent fields and drops others', () => {
	const sent = makeQuery({ calc_unit_topic: 'm' });
	expect(parse(querySchema, { ...sent, extra: 1 })).toStrictEqual(sent);
	const { calc_unit: _, ...withTopicUnit } = sent;
	expect(parse(querySchema, withTopicUnit)).toStrictEqual(withTopicUnit);
});

test('sorts tags by key, so that equal ones have equal JSON, and takes none for null', () => {
	const tagsIn = (tags: string) =>
		parse(querySchema, JSON.parse(JSON.stringify(makeQuery()).replace(/}$/, `,"calc_tags":${tags}}`)));
	const sorted = '{"a":"2","constructor":"1","slave_id":""}';
	expect(JSON.stringify(tagsIn('{"slave_id":"","constructor":"1","a":"2"}').calc_tags)).toBe(sorted);
	expect(tagsIn('{}')).toStrictEqual(makeQuery({ calc_tags: null }));
	expect(tagsIn('null')).toStrictEqual(makeQuery({ calc_tags: null }));
});

test('reads the lookback in either of its units', () => {
	const { calc_unit: _, ...withTopicUnit } = makeQuery({ calc_time: 2, calc_unit_topic: 'mo' });
	expect(lookbackOf(withTopicUnit)).toStrictEqual(lookbackOf(makeQuery({ calc_time: 2, calc_unit: 'mo' })));
	expect(periodOf(makeQuery({ calc_period: 90, calc_unit_period: 's' }))).toStrictEqual({ ms: 90_000 });
});

test('counts the windows of a query when the fields that determine them are valid', () => {
	expect(uncheckedWindowCount(makeQuery())).toBe(11);
	expect(uncheckedWindowCount({ ...makeQuery(), calc_topic: '' })).toBe(11);
	expect(uncheckedWindowCount({ ...makeQuery(), calc_period: -1 })).toBeUndefined();
	expect(uncheckedWindowCount({ ...makeQuery(), calc_unit_topic: 'h' })).toBeUndefined();
	expect(uncheckedWindowCount('text')).toBeUndefined();
});

test.each([
	['calc_unit', {}, ['Is required', 'calc_unit_topic']],
	['calc_time', { calc_unit: 'm', calc_time: '10' }, ['Expected a number', '"10"']],
	['calc_unit_period', { calc_unit_period: 'min' }, ['"ms" or "s"', '"min"']],
	['calc_unit_topic', { calc_unit: 's', calc_unit_topic: 'h' }, ['Must equal calc_unit (s)']],
	['calc_period', { calc_unit: 's', calc_period: 101, calc_unit_period: 'y' }, ['at most 100 y']],
])('describes the issue of %s: %j', (key, change, words) => {
	const { calc_unit: _, ...rest } = makeQuery();
	const issues = issuesOf(() => parse(querySchema, { ...rest, ...change }));
	for (const word of words) expect(issues[key]).toContain(word);
});
