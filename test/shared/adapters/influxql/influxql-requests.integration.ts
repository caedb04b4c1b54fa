import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { SeriesKey } from '#domain/ports/time-series.ts';
import { day, history, hour, minute, newest, noon, ns, trailing } from '#test/contract/time-series/feed.ts';
import { type InfluxExchange, type InfluxProxy, openInfluxProxy } from '#test/support/servers/influx-proxy.ts';
import { influxqlOptions, influxqlServers, influxqlTarget } from '#test/support/servers/influxql.ts';
import { type InfluxTimeSeries, openInfluxqlAt } from '#test/support/servers/open-influx.ts';

const database = 'requests';
const topics = Array.from({ length: 40 }, (_, index) => `plant/${index}`);

for (const [server, version] of influxqlServers)
	describe.skipIf(inject(server) === null)(`the requests in InfluxQL to influxd ${version}`, () => {
		let proxy: InfluxProxy;
		let series: InfluxTimeSeries;
		beforeAll(async () => {
			const { access, databases } = influxqlTarget(server);
			await databases.create(database);
			const lines = topics.flatMap((topic) =>
				Array.from({ length: 24 }, (_, index) => `${topic} value=${index}.5 ${ns(noon - index * hour.ms - 1)}`),
			);
			await databases.write(database, [...lines, `huge value=9007199254740993i ${ns(noon - 1)}`].join('\n'));
			proxy = await openInfluxProxy(access.url);
			series = openInfluxqlAt({ ...influxqlOptions(access), url: proxy.url, gzip: false });
		});
		afterAll(async () => {
			series.close();
			proxy.close();
			await influxqlTarget(server).databases.delete(database);
		});

		/** Reads, and returns the requests that it took. */
		const exchangesOf = async (read: () => Promise<unknown>): Promise<readonly InfluxExchange[]> => {
			proxy.newExchanges();
			await read();
			return proxy.newExchanges();
		};
		const readAll = (keyOf: (topic: string) => SeriesKey) => () => series.read(database, topics.map(keyOf), noon);
		const bounds = Array.from({ length: 25 }, (_, index) => noon - (24 - index) * hour.ms);

		test('ask for the version once, and after a read that failed', async () => {
			const read = readAll((topic) => newest(topic));
			const pathsOf = async () => (await exchangesOf(read)).map(({ path }) => path);
			expect(await pathsOf()).toEqual(['/ping', '/query']);
			expect(await pathsOf()).toEqual(['/query']);
			await expect(series.read('absent', [newest('a')], noon)).rejects.toMatchObject({ code: 'dependency_failed' });
			expect(await pathsOf()).toEqual(['/ping', '/query']);
		});

		/** The bytes that are sent and answered, each for 40 series. */
		test.each<[string, () => Promise<unknown>, readonly (readonly [sent: number, answered: number])[]]>([
			['newest values', readAll((topic) => newest(topic)), [[2644, 2511]]],
			['windows of hours', readAll((topic) => history(topic, day, hour)), [[5429, 25894]]],
			['newest windows', readAll((topic) => trailing(topic, day, hour, 'last')), [[4565, 8301]]],
			[
				'an integer beyond 2^53',
				() => series.read(database, [newest('huge')], noon),
				[
					[433, 136],
					[166, 90],
				],
			],
			[
				'spans of hours with their slots',
				() =>
					series.readSpans(
						database,
						topics.map((topic) => ({
							...{ topic, field: 'value', bounds, slotMs: minute.ms },
							aggregates: ['mean', 'min', 'max', 'count', 'slots'],
						})),
					),
				[[7695, 58748]],
			],
			[
				'counts of samples',
				() =>
					series.countSamples(
						database,
						topics.map((topic) => ({ topic, field: 'value', from: noon - day.ms, to: noon })),
					),
				[[2646, 3887]],
			],
			[
				'samples with those before',
				() =>
					series.readSamples(
						database,
						topics.map((topic) => ({ topic, field: 'value', from: noon - hour.ms, to: noon, baseFrom: noon - day.ms })),
					),
				[[5234, 8374]],
			],
			['the names of topics', () => series.topics(database, noon), [[144, 505]]],
			[
				'the newest samples of the catalog',
				() => series.newest(database, topics, noon),
				[
					[51, 4325],
					[2643, 4167],
				],
			],
			[
				'the times of the newest samples',
				() =>
					series.newestTimes(
						database,
						topics.map((topic) => ({ topic, field: 'value' })),
						{ start: noon - day.ms, stop: noon },
						5,
					),
				[[2694, 7247]],
			],
		])('of %s are these', async (_, read, expected) => {
			expect((await exchangesOf(read)).map(({ sent, answered }) => [sent, answered])).toEqual(expected);
		});
	});
