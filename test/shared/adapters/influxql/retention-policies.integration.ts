import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { hour, minute, newest, noon, ns, trailing } from '#test/contract/time-series/feed.ts';
import { runInfluxql, writeLines1 } from '#test/support/servers/influxd1.ts';
import { influxqlOptions, influxqlServers, influxqlTarget } from '#test/support/servers/influxql.ts';
import { type InfluxTimeSeries, openInfluxqlAt } from '#test/support/servers/open-influx.ts';

const name = 'policies';

for (const [server, version] of influxqlServers.filter(([each]) => each !== 'newestInfluxd'))
	describe.skipIf(inject(server) === null)(`a database with a retention policy, in InfluxQL on influxd ${version}`, () => {
		let series: InfluxTimeSeries;
		beforeAll(async () => {
			const { access } = influxqlTarget(server);
			await runInfluxql(access, `CREATE DATABASE "${name}"`);
			await runInfluxql(access, `CREATE RETENTION POLICY "a year" ON "${name}" DURATION INF REPLICATION 1`);
			const time = ns(noon - 1);
			await writeLines1(access, name, `level value=1 ${time}\nonly_default value=1 ${time}`);
			await writeLines1(access, name, `level value=2 ${time}\nlevel value=4 ${time - 1n}\nonly_policy value=2 ${time}`, 'a year');
			series = openInfluxqlAt(influxqlOptions(access));
		});
		afterAll(async () => {
			series.close();
			await runInfluxql(influxqlTarget(server).access, `DROP DATABASE "${name}"`);
		});

		const level = { topic: 'level', field: 'value' };
		const range = { from: noon - hour.ms, to: noon };

		test.each([
			[name, { newest: 1, mean: 1, count: 1, samples: [1], times: 1 }],
			[`${name}/autogen`, { newest: 1, mean: 1, count: 1, samples: [1], times: 1 }],
			[`${name}/a year`, { newest: 2, mean: 3, count: 2, samples: [4, 2], times: 2 }],
		])('is read by every port: %s', async (database, expected) => {
			const [last, window] = await series.read(database, [newest('level'), trailing('level', hour, hour)], noon);
			const [span] = await series.readSpans(database, [
				{ ...level, bounds: [noon - hour.ms, noon], aggregates: ['mean', 'count', 'slots'], slotMs: minute.ms },
			]);
			const [samples] = await series.readSamples(database, [{ ...level, ...range }]);
			const [times = []] = await series.newestTimes(database, [level], { start: noon - hour.ms, stop: noon }, 5);
			const columnOf = (aggregate: 'mean' | 'count' | 'slots') =>
				span !== undefined && 'columns' in span ? span.columns.get(aggregate)?.values : undefined;
			expect(last).toMatchObject({ values: [expected.newest] });
			expect(window).toMatchObject({ values: [expected.mean] });
			expect([columnOf('mean'), columnOf('count'), columnOf('slots')]).toEqual([[expected.mean], [expected.count], [1]]);
			expect(await series.countSamples(database, [{ ...level, ...range }])).toEqual([expected.count]);
			expect(Array.isArray(samples) ? samples.map(({ values }) => [...values]) : samples).toEqual([expected.samples]);
			expect(times).toHaveLength(expected.times);
			expect(await series.newest(database, ['level'], noon)).toMatchObject([{ ...level, newestValue: expected.newest }]);
			// Names belong to a database, whatever the policy is.
			expect(await series.topics(database, noon)).toEqual(['level', 'only_default', 'only_policy']);
		});

		test('that does not exist fails', async () => {
			await expect(series.read(`${name}/other`, [newest('level')], noon)).rejects.toMatchObject({ code: 'dependency_failed' });
		});
	});
