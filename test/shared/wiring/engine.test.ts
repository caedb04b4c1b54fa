import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { staticSecret } from '#adapters/secret.ts';
import { DomainError } from '#domain/errors.ts';
import { listen } from '#test/support/servers/http-server.ts';
import { openStoredSecret } from '#test/support/servers/stored-secret.ts';
import { addressFor, type Engines, openEngines, samplesOn, spansOn, timeSeriesOn, topicsOn } from '#wiring/engine.ts';
import { openSeries } from '#wiring/series.ts';

describe('addressFor', () => {
	test.each([
		[{ '': 'https://a' }, 'plant_a', 'https://a'],
		[{ '': 'https://a' }, '', 'https://a'],
		[{ '': 'https://a', north_: 'https://b' }, 'north_1', 'https://b'],
		[{ '': 'https://a', north_: 'https://b' }, 'north', 'https://a'],
		[{ '': 'https://a', north_: 'https://b' }, 'North_1', 'https://a'],
		[{ north_: 'https://b', north_1: 'https://c' }, 'north_1', 'https://c'],
		[{ north_: 'https://b', north_1: 'https://c' }, 'north_12/autogen', 'https://b'],
		[{ north_: 'https://b', north_1: 'https://c' }, 'north_1/autogen', 'https://c'],
		[{ north_: 'https://b', north_1: 'https://c', 'north_1/raw': 'https://d' }, 'north_1/raw', 'https://d'],
		[{ '': 'https://a', plant_a: 'https://b' }, 'plant_a', 'https://b'],
		[{ '': 'https://a', plant_a: 'https://b' }, 'plant_ab', 'https://a'],
		[{ '': 'https://a', plant_a: 'https://b' }, 'plant_a_1', 'https://a'],
		[{ '': 'https://a', planta: 'https://b', plantá: 'https://c' }, 'plantáb', 'https://a'],
		[{ '': 'https://a', 'north-': 'https://b' }, 'north-1', 'https://b'],
		[{ plant_a: 'https://b' }, 'plant_ab', undefined],
		[{ north_: 'https://b', north_1: 'https://c' }, 'north_2', 'https://b'],
		[{ north_: 'https://b' }, 'south_1', undefined],
		[{ north_: 'https://b' }, 'toString', undefined],
		[{ north_: 'https://b' }, '', undefined],
	])('%j: %s is at %s', (addresses, database, address) => {
		expect(addressFor(addresses, database)).toBe(address);
	});

	test('is that of the longest entry, in any order of the table', () => {
		const name = fc.string({ unit: fc.constantFrom('a', 'b', '_', '/'), maxLength: 5 });
		let matched = 0;
		fc.assert(
			fc.property(
				fc.uniqueArray(name, { minLength: 1, maxLength: 8 }),
				name,
				fc.infiniteStream(fc.nat()),
				(entries, database, order) => {
					const table = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, `https://${key}.test`]));
					const beginnings = Array.from({ length: database.length + 1 }, (_, cut) => database.slice(0, database.length - cut));
					const longest = beginnings.find(
						(each) => entries.includes(each) && (/(^|[_/])$/.test(each) || each === database || database.startsWith(`${each}/`)),
					);
					const expected = longest === undefined ? undefined : `https://${longest}.test`;
					const shuffled = entries.map((key) => [order.next().value, key] as const).sort(([a], [b]) => a - b);
					expect(addressFor(table(entries), database)).toBe(expected);
					expect(addressFor(table(shuffled.map(([, key]) => key)), database)).toBe(expected);
					if (longest !== undefined) matched += 1;
				},
			),
		);
		expect(matched).toBeGreaterThan(20);
	});
});

/** An InfluxDB 3 without samples, with the requests that it got. */
async function openServer() {
	const requests: { readonly text: string; readonly authorization: string }[] = [];
	const { url, close } = await listen(async (request, response) => {
		if (request.url === '/ping') {
			response.writeHead(204, { 'x-influxdb-version': '3.6.0' }).end();
			return;
		}
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk);
		requests.push({ text: `${request.url} ${Buffer.concat(chunks)}`, authorization: request.headers.authorization ?? '' });
		response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
	});
	return { url, close, requests };
}

describe('two servers', () => {
	let first: Awaited<ReturnType<typeof openServer>>;
	let second: Awaited<ReturnType<typeof openServer>>;
	beforeEach(async () => {
		[first, second] = [await openServer(), await openServer()];
	});
	afterEach(() => {
		first.close();
		second.close();
		vi.unstubAllEnvs();
	});

	const open = (addresses: Readonly<Record<string, string>>, token = 'one-for-all'): Engines =>
		openEngines({
			addresses,
			token: staticSecret(token),
			language: 'influxql',
			org: undefined,
			user: 'u',
			topicColumn: '_measurement',
		});

	const key = { topic: 'tank/level', field: 'value' };
	const hour = { value: 1, unit: 'h', ms: 3_600_000 } as const;
	const now = Date.UTC(2026, 10, 2);
	const range = { from: now - 3_600_000, to: now };

	/** Every read of every port. */
	const reads: Readonly<Record<string, (engines: Engines, database: string) => Promise<unknown>>> = {
		read: (engines, database) => timeSeriesOn(engines).read(database, [{ ...key, read: 'newest', lookback: hour }], now),
		readSpans: (engines, database) =>
			spansOn(engines).readSpans(database, [{ ...key, bounds: [range.from, range.to], aggregates: ['mean'] }]),
		countSamples: (engines, database) => samplesOn(engines).countSamples(database, [{ ...key, ...range }]),
		readSamples: (engines, database) => samplesOn(engines).readSamples(database, [{ ...key, ...range }]),
		topics: (engines, database) => topicsOn(engines).topics(database, now),
		newest: (engines, database) => topicsOn(engines).newest(database, [key.topic], now),
		newestTimes: (engines, database) => topicsOn(engines).newestTimes(database, [key], { start: range.from, stop: range.to }, 2),
	};

	test.each(Object.entries(reads))('%s asks that of the database, with its own token, and no other', async (_, readOf) => {
		const tokens = JSON.stringify({ [`${first.url}/`]: 'token-of-first', [second.url]: 'token-of-second' });
		const engines = open({ '': first.url, north_: second.url }, tokens);
		await readOf(engines, 'north_1');
		expect(first.requests).toEqual([]);
		expect(second.requests.length).toBeGreaterThan(0);
		await readOf(engines, 'plant_a');
		engines.close();
		expect(first.requests.length).toBeGreaterThan(0);
		for (const { text, authorization } of first.requests) {
			expect(text).toContain('plant_a');
			expect(authorization).toMatch(/token-of-first$/);
		}
		for (const { text, authorization } of second.requests) {
			expect(text).toContain('north_1');
			expect(authorization).toMatch(/token-of-second$/);
		}
	});

	test.each(Object.entries(reads))('%s of a database that has none fails, and asks nobody', async (_, readOf) => {
		const engines = open({ north_: first.url, south_: second.url });
		const error = await readOf(engines, 'plant_a').catch((caught: unknown) => caught);
		engines.close();
		expect(error).toBeInstanceOf(DomainError);
		expect(error).toMatchObject({
			code: 'dependency_failed',
			payload: { dependency: 'tsdb', cause: expect.stringContaining('influxUrl') },
		});
		expect([...first.requests, ...second.requests]).toEqual([]);
	});

	test('have one connection where two prefixes name one of them', () => {
		const engines = open({ '': first.url, north_: second.url, south_: second.url });
		expect([...engines.byAddress.keys()]).toEqual([first.url, second.url]);
		engines.close();
	});

	test('are those of the variables of a function, whose tokens are one secret that is read once', async () => {
		const tokens = JSON.stringify({ [first.url]: 'token-of-first', [second.url]: 'token-of-second' });
		const stored = await openStoredSecret(tokens);
		for (const [name, value] of Object.entries({
			INFLUX_URL: JSON.stringify({ '': first.url, north_: `${second.url}/` }),
			INFLUX_LANGUAGE: 'influxql',
			INFLUX_TOKEN_SECRET: 'caudal/dev/influx-token',
			AWS_ENDPOINT_URL: stored.url,
			AWS_REGION: 'us-east-1',
			AWS_ACCESS_KEY_ID: 'test',
			AWS_SECRET_ACCESS_KEY: 'test',
		}))
			vi.stubEnv(name, value);
		const engines = openSeries();
		await reads['read']?.(engines, 'north_1');
		await reads['read']?.(engines, 'plant_a');
		engines.close();
		stored.close();
		expect(stored.readCount()).toBe(1);
		expect(new Set(first.requests.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer token-of-first']));
		expect(new Set(second.requests.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer token-of-second']));
	});
});
