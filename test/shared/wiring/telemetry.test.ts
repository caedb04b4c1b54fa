import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DomainError } from '#domain/errors.ts';
import { ok, withReadings } from '#http/api-response.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import type { RequestRecord } from '#http/log.ts';
import { readConfig, telemetrySchema } from '#shared/config.ts';
import { makeEvent } from '#test/support/builders/events.ts';
import { emfOf, emfSchema, metricsOf } from '#test/support/emf.ts';
import { createTelemetry } from '#wiring/telemetry.ts';

/** A current time: CloudWatch accepts metrics of the last two weeks only. */
const now = Date.now();

const environment = { ENDPOINT: 'multipleDataTsdb', ENVIRONMENT: 'dev', AWS_LAMBDA_FUNCTION_NAME: 'caudal-dev-multipleDataTsdb' };

let lines: string[];
const openTelemetry = (more: Readonly<Record<string, string>> = {}) =>
	createTelemetry({
		sink: (line) => lines.push(line),
		settings: readConfig(telemetrySchema, { ...environment, ...more }),
		now: () => now,
	});

const makeRecord = (overrides: Partial<RequestRecord> = {}): RequestRecord => ({
	requestId: 'r-1',
	routeKey: 'POST /multipleDataTsdb',
	status: 200,
	outcome: 'ok',
	durationMs: 4.2,
	...overrides,
});

const valuesOf = (line: string | undefined): Record<string, number[]> =>
	Object.fromEntries(Object.entries(metricsOf(line ?? '')).map(([name, { values }]) => [name, values]));

/** All values of a metric in all lines. */
const allValuesOf = (name: string): number[] => lines.flatMap((line) => valuesOf(line)[name] ?? []);

beforeEach(() => {
	lines = [];
});

describe('the line of a request', () => {
	test('is one line of JSON with the fields and metrics of the request', () => {
		openTelemetry().log.request(makeRecord());
		expect(lines).toHaveLength(1);
		expect(lines[0]).not.toContain('\n');
		expect(emfOf(lines[0] ?? '')).toEqual({
			level: 'INFO',
			time: new Date(now).toISOString(),
			message: 'request',
			service: 'caudal',
			functionName: 'caudal-dev-multipleDataTsdb',
			environment: 'dev',
			endpoint: 'multipleDataTsdb',
			requestId: 'r-1',
			routeKey: 'POST /multipleDataTsdb',
			status: 200,
			outcome: 'ok',
			_aws: {
				Timestamp: now,
				CloudWatchMetrics: [
					{
						Namespace: 'Caudal',
						Dimensions: [['environment']],
						Metrics: [
							{ Name: 'Requests', Unit: 'Count' },
							{ Name: 'Faults', Unit: 'Count' },
							{ Name: 'Refused', Unit: 'Count' },
							{ Name: 'Latency', Unit: 'Milliseconds' },
						],
					},
				],
			},
			Requests: 1,
			Faults: 0,
			Refused: 0,
			Latency: 4.2,
		});
	});

	test.each([
		['ok', 200, [0], [0]],
		['refused', 404, [1], [0]],
		['fault', 502, [0], [1]],
	] as const)('counts its outcome as 1 and the others as 0: %s', (outcome, status, refused, faults) => {
		openTelemetry().log.request(makeRecord({ outcome, status }));
		expect(valuesOf(lines[0])).toEqual({ Requests: [1], Refused: refused, Faults: faults, Latency: [4.2] });
		expect(emfOf(lines[0] ?? '')).toMatchObject({ outcome, status });
	});

	test('counts its readings by quality, with zeros, because the alarm on stale readings adds them up', () => {
		const none = {
			ReadingsGood: [0],
			ReadingsStale: [0],
			ReadingsNoData: [0],
			ReadingsSkipped: [0],
			ReadingsMissingReference: [0],
			ReadingsBad: [0],
		};
		const { log } = openTelemetry();
		log.request(makeRecord({ readings: { good: 1, stale: 2, no_data: 3, missing_reference: 4, bad: 5, skipped: 6 } }));
		log.request(makeRecord({ readings: { good: 23 } }));
		log.request(makeRecord({ readings: {} }));
		expect(lines.map(valuesOf)).toEqual([
			expect.objectContaining({
				ReadingsGood: [1],
				ReadingsStale: [2],
				ReadingsNoData: [3],
				ReadingsMissingReference: [4],
				ReadingsBad: [5],
				ReadingsSkipped: [6],
			}),
			{ Requests: [1], Faults: [0], Refused: [0], Latency: [4.2], ...none, ReadingsGood: [23] },
			{ Requests: [1], Faults: [0], Refused: [0], Latency: [4.2], ...none },
		]);
	});

	test('has the metrics measured since the previous request', () => {
		const { log, metrics } = openTelemetry();
		metrics.time('TsdbLatency', 12.5);
		metrics.time('TsdbLatency', 20);
		metrics.count('StoreConflicts');
		metrics.count('StoreConflicts', 2);
		log.request(makeRecord());
		log.request(makeRecord());
		expect(metricsOf(lines[0] ?? '')).toMatchObject({
			TsdbLatency: { unit: 'Milliseconds', values: [12.5, 20] },
			StoreConflicts: { unit: 'Count', values: [1, 2] },
		});
		expect(Object.keys(valuesOf(lines[1]))).toEqual(['Requests', 'Faults', 'Refused', 'Latency']);
		expect(lines).toHaveLength(2);
	});

	test.each([94, 95, 99, 100, 101, 1000])('loses none of %i measured values', (count) => {
		const { log, metrics } = openTelemetry();
		const values = Array.from({ length: count }, (_, index) => index);
		for (const value of values) metrics.time('TsdbLatency', value);
		log.request(makeRecord({ readings: { good: 7 } }));
		expect(allValuesOf('TsdbLatency')).toEqual(values);
		for (const name of ['Requests', 'Latency', 'ReadingsGood']) expect(allValuesOf(name)).toHaveLength(1);
		expect(lines.filter((line) => 'requestId' in emfOf(line))).toHaveLength(1);
		expect(emfOf(lines.at(-1) ?? '')).toMatchObject({ requestId: 'r-1' });
	});

	test.each([Number.NaN, Number.POSITIVE_INFINITY])('leaves out the value %d', (value) => {
		const { log, metrics } = openTelemetry();
		metrics.time('TsdbLatency', value);
		metrics.count('TsdbFaults', value);
		log.request(makeRecord({ durationMs: value }));
		expect(valuesOf(lines[0])).toEqual({ Requests: [1], Faults: [0], Refused: [0] });
	});

	test.each([
		['on-demand', [1]],
		['provisioned-concurrency', []],
	])('counts one cold start for %s', (type, counted) => {
		const { log } = openTelemetry({ AWS_LAMBDA_INITIALIZATION_TYPE: type });
		for (let request = 0; request < 3; request += 1) log.request(makeRecord());
		expect(allValuesOf('ColdStart')).toEqual(counted);
		expect(lines).toHaveLength(3);
	});

	test('is printed once for each request of a handler', async () => {
		const { log } = openTelemetry();
		const event = makeEvent('POST /multipleDataTsdb');
		await createLambdaHandler(log, async () => withReadings([{ quality: 'good' }], ok({ data: [] })))(event);
		await createLambdaHandler(log, async () => {
			throw new DomainError('dependency_failed', { dependency: 'tsdb', cause: 'ECONNREFUSED' });
		})(event);
		expect(lines.map((line) => JSON.parse(line).message)).toEqual(['request', 'A request failed.', 'request']);
		expect(valuesOf(lines[0])).toMatchObject({ ReadingsGood: [1], Faults: [0] });
		expect(valuesOf(lines[2])).toMatchObject({ Faults: [1] });
	});
});

describe('the line of an error', () => {
	test('is one line even when a field has several', () => {
		openTelemetry().log.error('A request failed.', { requestId: 'r-1', error: 'Error: x\n    at y', count: 0 });
		expect(lines).toHaveLength(1);
		expect(lines[0]).not.toContain('\n');
		expect(JSON.parse(lines[0] ?? '')).toEqual({
			level: 'ERROR',
			time: new Date(now).toISOString(),
			message: 'A request failed.',
			service: 'caudal',
			functionName: 'caudal-dev-multipleDataTsdb',
			endpoint: 'multipleDataTsdb',
			environment: 'dev',
			requestId: 'r-1',
			error: 'Error: x\n    at y',
			count: 0,
		});
	});
});

describe('without options', () => {
	afterEach(() => {
		vi.restoreAllMocks();
		vi.unstubAllEnvs();
	});

	test('reads the environment and prints to standard output', () => {
		for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
		const written: string[] = [];
		vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => written.push(String(chunk)) > 0);
		createTelemetry().log.request(makeRecord());
		vi.restoreAllMocks();
		expect(written).toHaveLength(1);
		expect(written[0]).toMatch(/^\{.*\}\n$/);
		expect(Math.abs(emfOf(written[0] ?? '')._aws.Timestamp - Date.now())).toBeLessThan(60_000);
	});

	test.each(['ENDPOINT', 'ENVIRONMENT'])('requires %s', (name) => {
		const { [name]: _, ...rest }: Record<string, string> = environment;
		expect(() => readConfig(telemetrySchema, rest)).toThrow(`${name} is required.`);
		expect(() => readConfig(telemetrySchema, { ...rest, [name]: '' })).toThrow(`${name} must not be empty.`);
	});
});

test('emfSchema accepts valid lines and rejects invalid ones', () => {
	const root = {
		_aws: {
			Timestamp: now,
			CloudWatchMetrics: [{ Namespace: 'N', Dimensions: [['d']], Metrics: [{ Name: 'M', Unit: 'Count' }] }],
		},
		d: 'x',
		M: 1,
	};
	const values = (length: number) => Array.from({ length }, () => 1);
	const names = (length: number) => Array.from({ length }, (_, index) => ({ Name: `M${index}` }));
	const withMetrics = (length: number) => ({
		_aws: { Timestamp: now, CloudWatchMetrics: [{ Namespace: 'N', Dimensions: [[]], Metrics: names(length) }] },
		...Object.fromEntries(names(length).map(({ Name }) => [Name, 1])),
	});
	for (const valid of [root, { ...root, M: values(100) }, withMetrics(100)]) expect(v.is(emfSchema, valid)).toBe(true);
	const invalid = [
		{ ...root, M: undefined },
		{ ...root, M: '1' },
		{ ...root, M: null },
		{ ...root, M: [] },
		{ ...root, M: values(101) },
		{ ...root, d: undefined },
		{ ...root, d: 1 },
		{ ...root, d: '' },
		{ ...root, _aws: { ...root._aws, Timestamp: 'now' } },
		{ ...root, _aws: { Timestamp: now } },
		withMetrics(101),
	];
	for (const each of invalid) expect(v.is(emfSchema, each)).toBe(false);
});

describe('a schema that fails wholly', () => {
	/** Opens telemetry with a clock in minutes, and a function that logs a request of a schema. */
	const openWithClock = () => {
		let minute = 0;
		const { log } = createTelemetry({
			sink: (line) => lines.push(line),
			settings: readConfig(telemetrySchema, environment),
			now: () => now + minute * 60_000,
		});
		return (at: number, schema: string, outcome: RequestRecord['outcome']) => {
			minute = at;
			log.request(makeRecord({ schema, outcome }));
		};
	};
	const failing = () => lines.filter((line) => line.includes('SchemaFailsWholly')).map((line) => emfOf(line));

	test('is counted in the line of its request, and once more by its schema', () => {
		const log = openWithClock();
		for (const minute of [0, 1, 5]) log(minute, 'plant_a', 'fault');
		const [byEnvironment, bySchema] = failing();
		expect(failing()).toHaveLength(2);
		expect(byEnvironment).toMatchObject({ message: 'request', SchemaFailsWholly: 1, Requests: 1 });
		expect(byEnvironment?._aws.CloudWatchMetrics).toMatchObject([{ Dimensions: [['environment']] }]);
		expect(bySchema).toMatchObject({ schema: 'plant_a', environment: 'dev', SchemaFailsWholly: 1 });
		expect(bySchema?._aws.CloudWatchMetrics).toEqual([
			{
				Namespace: 'Caudal',
				Dimensions: [['environment', 'schema']],
				Metrics: [{ Name: 'SchemaFailsWholly', Unit: 'Count' }],
			},
		]);
		// The next line has the environment as its only dimension again.
		log(5, 'plant_b', 'ok');
		expect(emfOf(lines.at(-1) ?? '')._aws.CloudWatchMetrics).toMatchObject([{ Dimensions: [['environment']] }]);
	});

	test('leaves no metric by schema when requests are answered, now and then', () => {
		const log = openWithClock();
		for (let minute = 0; minute < 60; minute += 1) log(minute, 'plant_a', minute % 4 === 0 ? 'ok' : 'fault');
		expect(failing()).toEqual([]);
		expect(lines.join('')).not.toContain('plant_a');
	});

	test.each(['plánta', ':a', '水', 'a b', '\u{d800}', 'x'.repeat(2000)])('is a valid dimension under any name: %j', (schema) => {
		const log = openWithClock();
		for (const minute of [0, 1, 5]) log(minute, schema, 'fault');
		// `emfOf` checks the rules of the format.
		expect(failing()).toHaveLength(2);
		expect(String(failing()[1]?.['schema'])).toMatch(/^[^:]/);
	});
});
