import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { makeBody, makeQuery } from '#test/support/builders/builders.ts';
import { tokensOf } from '#test/support/builders/equations.ts';
import { casesOf } from '#test/support/cases.ts';
import { describeDynamo, newDatabase } from '#test/support/servers/dynamo.ts';
import { influxd } from '#test/support/servers/influx.ts';
import { createBucket } from '#test/support/servers/influxd.ts';
import { openLocalTarget } from '#test/support/servers/local.ts';
import { call, signIn, type Target } from './target.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Days of 25, 24 and 24 hours in Madrid. */
const start = Date.UTC(2026, 9, 24, 22);
const end = start + 25 * hourMs + 2 * dayMs;
const now = end + 4 * dayMs;
const restarts = casesOf(4);
const readsEach = 50;

/** Samples with holes, and numbers that have no short decimal. */
const samples = (): string => {
	const lines: string[] = [];
	for (let time = start - dayMs; time < end + hourMs; time += 600_000) {
		const step = time / 600_000;
		if (step % 17 === 3 || step % 97 < 5) continue;
		lines.push(`sealed/flow value=${100 + ((step * 7919) % 211) / 7} ${time}`);
		lines.push(`sealed/pump value=${Math.floor(step / 5) % 3 === 0 ? 'false' : 'true'} ${time}`);
		lines.push(`sealed/meter value=${(step * 30.1) % 10_000} ${time}`);
	}
	return lines.join('\n');
};

const openEngines = (): Readonly<Record<string, Readonly<Record<string, string>>>> => ({
	SQLite: { STATE_DIR: mkdtempSync(join(tmpdir(), 'caudal-sealed-')) },
	'DynamoDB and InfluxDB': {
		STATE_DIR: mkdtempSync(join(tmpdir(), 'caudal-sealed-')),
		DYNAMODB_ENDPOINT: inject('dynamoDbEndpoint') ?? '',
		AWS_ACCESS_KEY_ID: newDatabase(),
		INFLUX_URL: influxd().url,
		INFLUX_TOKEN: influxd().token,
		INFLUX_ORG: influxd().org,
	},
});

describeDynamo('sealed days', () => {
	const folders: string[] = [];
	afterAll(() => {
		for (const folder of folders) rmSync(folder, { recursive: true, force: true });
	});

	const post = async (target: Target, token: string, path: string, body: unknown) => {
		const answer = await call(target, 'POST', path, { token, body });
		expect(answer.status, answer.text).toBe(200);
		return answer.body.data;
	};

	/** Stores variables, samples and a report, and seals its days. Returns the id of the report. */
	const seal = async (target: Target): Promise<number> => {
		const token = await signIn(target, 'a');
		await target.feed('plant_a', samples());
		const variable = async (topic: string): Promise<number> => {
			const body = makeBody({ varsTsdb: { Flow: makeQuery({ calc_topic: topic, calc_period: 15 }) } });
			return (await post(target, token, '/saveVariable', body)).id;
		};
		const [flow, pump, meter] = [await variable('sealed/flow'), await variable('sealed/pump'), await variable('sealed/meter')];
		const shown = { unit: '', name: 'N' };
		const lines = [
			{ ...shown, key: 'volume', function: 'total', varId: flow, per: 'h', range: [0, 200] },
			{ ...shown, key: 'mean', function: 'mean', varId: flow, between: ['01:00', '05:00'] },
			{ ...shown, key: 'least', function: 'min', varId: flow },
			{ ...shown, key: 'hours', function: 'onTime', varId: pump },
			{ ...shown, key: 'starts', function: 'starts', varId: pump },
			{ ...shown, key: 'count', function: 'increase', varId: meter, counter: { size: 10_000 } },
			{ ...shown, key: 'ratio', function: 'formula', equation: tokensOf('volume / count') },
		];
		const { id } = await post(target, token, '/saveReport', { id: 0, title: 'Daily', timeZone: 'Europe/Madrid', lines });
		const correction = { id: 0, varId: flow, type: 'value', from: start + 5 * hourMs, to: start + 6 * hourMs, value: 1 / 3 };
		await post(target, token, '/saveCorrection', { ...correction, reason: 'By hand' });
		await post(target, token, '/sealReportDays', { id, from: '2026-10-25', to: '2026-10-27', reason: 'First' });
		return id;
	};

	test('are the same byte for byte in every read across restarts, on both stores and both engines', {
		timeout: 60_000 + restarts * 30_000,
	}, async () => {
		expect(inject('influxd')).not.toBeNull();
		await createBucket(influxd(), 'plant_a');
		const answers = new Set<string>();
		let reads = 0;
		for (const environment of Object.values(openEngines())) {
			folders.push(environment['STATE_DIR'] ?? '');
			let id: number | undefined;
			for (let restart = 0; restart < restarts; restart += 1) {
				const target = await openLocalTarget(environment, () => now);
				try {
					id ??= await seal(target);
					const token = await signIn(target, 'a');
					for (let read = 0; read < readsEach; read += 1) {
						const { id: _, ...report } = await post(target, token, '/readReport', { id, start, end, period: 'day' });
						expect(report.states).toEqual(['sealed', 'sealed', 'sealed']);
						expect(report.changed).toEqual([]);
						const { lines, ...rest } = report;
						const withoutIds = lines.map(({ corrections, ...line }: { corrections?: number[] }) => ({
							...line,
							corrected: corrections?.length,
						}));
						answers.add(JSON.stringify({ ...rest, lines: withoutIds }));
						reads += 1;
					}
				} finally {
					await target.close();
				}
			}
		}
		expect(reads).toBe(2 * restarts * readsEach);
		expect([...answers]).toHaveLength(1);
	});
});
