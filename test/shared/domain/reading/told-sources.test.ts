import { expect, test } from 'vitest';
import { DomainError } from '#domain/errors.ts';
import type { SeriesKey } from '#domain/ports/time-series.ts';
import { emptySeries } from '#domain/ports/time-series.ts';
import { reasonOf } from '#domain/reading/quality.ts';
import type { Reading } from '#domain/reading/reading.ts';
import { tellSources } from '#domain/reading/told-sources.ts';
import { nameOfSource } from '#domain/totals/join-sources.ts';
import type { Variable } from '#domain/variable/variable.ts';
import { makeQuery, makeVariable } from '#test/support/builders/builders.ts';

const context = { database: 'd', now: 1_700_000_000_000 };
const several = (id: number): Reading => ({
	...{ id, name: 'Flow', unit: 'L/s', type: 'last', quality: 'bad', bits: null, inputTimes: null },
	content: { type: 'last', value: null, time: null },
	reason: reasonOf('several_series', ['Flow']),
});
const ofTopic = (id: number, topic: string, tags: Readonly<Record<string, string>> = {}): Variable =>
	makeVariable({ id, varsTsdb: { Flow: makeQuery({ calc_topic: topic, calc_tags: tags }) } });

/** A reader of series with three sources each, which tells what it was asked. */
const readerOf = (fails = false) => {
	const asked: SeriesKey[][] = [];
	const names = [
		[
			['host', 'gw'],
			['slave_id', '1'],
		],
		[
			['host', 'gw'],
			['slave_id', '2'],
		],
		[['host', 'gw']],
	].map((tags) => nameOfSource({ tags: tags as never }));
	const read = async (_: string, keys: readonly SeriesKey[]) => {
		asked.push([...keys]);
		if (fails) throw new DomainError('dependency_slow', { dependency: 'tsdb', cause: 'slow' });
		return {
			now: context.now,
			results: keys.map(() => ({ ...emptySeries, sources: new Map(names.map((name) => [name, emptySeries])) })),
		};
	};
	return { asked, reader: { read } };
};

test('names the tags in which the sources differ, with one read of each series', async () => {
	const { asked, reader } = readerOf();
	const good: Reading = { ...several(3), quality: 'good', reason: null };
	const variables = [ofTopic(1, 'modbus'), ofTopic(2, 'modbus'), ofTopic(3, 'other'), ofTopic(4, 'modbus', { host: 'gw' })];
	const readings = await tellSources(reader, context, variables, [several(1), several(2), good, several(4)]);
	const tags = [{ name: 'slave_id', values: ['', '1', '2'] }];
	expect(readings.map(({ reason }) => reason?.tags)).toEqual([tags, tags, undefined, tags]);
	const key = { read: 'newest', topic: 'modbus', field: 'value', lookback: { ms: 600_000 }, bySource: true };
	expect(asked).toEqual([[key, { ...key, tags: { host: 'gw' } }]]);
});

test('reads nothing where no reading has several sources, 20 series at most, and goes without them where the read fails', async () => {
	const none = readerOf();
	const good: Reading = { ...several(1), quality: 'good', reason: null };
	expect(await tellSources(none.reader, context, [ofTopic(1, 'modbus')], [good])).toEqual([good]);
	expect(none.asked).toEqual([]);
	const many = readerOf();
	const ids = Array.from({ length: 30 }, (_, index) => index + 1);
	const readings = await tellSources(
		many.reader,
		context,
		ids.map((id) => ofTopic(id, `t${id}`)),
		ids.map(several),
	);
	expect(many.asked.map(({ length }) => length)).toEqual([20]);
	expect(readings.filter(({ reason }) => reason?.tags !== undefined)).toHaveLength(20);
	const failed = readerOf(true);
	expect(await tellSources(failed.reader, context, [ofTopic(1, 'modbus')], [several(1)])).toEqual([several(1)]);
});
