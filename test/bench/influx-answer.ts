import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { InfluxDB } from '@influxdata/influxdb-client';
import { createCollector } from '#adapters/influx/collect.ts';
import { fluxQueryOf } from '#adapters/influx/flux-query.ts';
import type { FluxQuery } from '#adapters/influx/flux-script.ts';
import { planStreams } from '#adapters/influx/streams.ts';
import { type BenchRow, sizeOf } from './row.ts';

const now = Date.UTC(2026, 0, 15, 12);
const place = { topicColumn: '_measurement' };
const chunkBytes = 65_536;
const warmUpRounds = sizeOf(3, 0);
const rounds = sizeOf(20, 1);
const maxCpuRatio = 0.45;
const maxMemoryRatio = 3;

/** The Flux query of a batch and the response of InfluxDB, in the chunks in which it arrives. */
export interface RecordedResponse {
	readonly query: FluxQuery;
	readonly chunks: readonly Buffer[];
	readonly bytes: number;
}

const dataHeader = '#datatype,string,long,dateTime:RFC3339,double,string,string\r\n#default,data0,,,,,\r\n';

/** The histories of a response: their number, and the means in each. */
interface ResponseSize {
	readonly series: number;
	readonly points: number;
}

/** Returns a response in the form in which influxd writes it. */
export const recordedResponse = ({ series, points }: ResponseSize): RecordedResponse => {
	const topics = Array.from({ length: series }, (_, index) => `plant/area/${index}`);
	const keys = topics.map((topic) => ({
		read: 'history' as const,
		topic,
		field: 'value',
		lookback: { ms: points * 60_000 },
		period: { ms: 60_000 },
		aggregate: 'mean' as const,
	}));
	const query = fluxQueryOf(
		'bench',
		planStreams(keys, now, () => 'float'),
		place,
	);
	const sentinel = (result: string, table: number) =>
		`#datatype,string,long,string,string\r\n#default,${result},,,\r\n,result,table,_measurement,_field\r\n,,${table},${query.sentinel},${query.sentinel}\r\n\r\n`;
	const parts: string[] = [];
	for (const [name, fields] of query.results) {
		const role = name.replace(/\d+$/, '');
		const streamTopics = [...(fields.get('value')?.keys() ?? [])];
		const columns = role === 'oldest' ? '_value,_field,_measurement' : '_time,_value,_field,_measurement';
		const header = role === 'oldest' ? dataHeader.replace('dateTime:RFC3339,', '').replace(',,,,,', ',,,,') : dataHeader;
		parts.push(`${header.replace('data0', name)},result,table,${columns}\r\n`);
		for (const [table, topic] of streamTopics.entries()) {
			const count = role === 'data' ? points : 1;
			for (let index = count; index > 0; index -= 1) {
				const time = role === 'oldest' ? '' : `${new Date(now - (index - 1) * 60_000).toISOString().replace('.000', '')},`;
				parts.push(`,,${table},${time}${((index * 37) % 1000) / 7},value,${topic}\r\n`);
			}
		}
		parts.push('\r\n', sentinel(name, streamTopics.length));
	}
	const body = Buffer.from(parts.join(''));
	const chunks: Buffer[] = [];
	for (let from = 0; from < body.length; from += chunkBytes) chunks.push(body.subarray(from, from + chunkBytes));
	return { query, chunks, bytes: body.length };
};

/** Reads a recorded response as the adapter does. */
export const readRecorded = ({ query, chunks }: RecordedResponse, between?: () => void) => {
	const decoder = new TextDecoder();
	const collector = createCollector(query, '_measurement');
	for (const chunk of chunks) {
		collector.push(decoder.decode(chunk, { stream: true }));
		between?.();
	}
	return collector.finish();
};

/** Returns the InfluxDB client with a transport that returns the recorded response. */
const clientOf = ({ chunks }: RecordedResponse) => {
	const unused = () => {
		throw new Error('Queries do not use this.');
	};
	const { transport } = new InfluxDB('http://127.0.0.1');
	return new InfluxDB({
		url: 'http://127.0.0.1',
		transport: {
			chunkCombiner: transport.chunkCombiner,
			request: unused,
			iterate: unused,
			send: (_path, _body, _options, callbacks) => {
				for (const chunk of chunks) callbacks?.next?.(chunk);
				callbacks?.complete?.();
			},
		},
	}).getQueryApi('org');
};

/** Returns the milliseconds of CPU time that some work takes. */
const cpuOf = async (work: () => unknown): Promise<number> => {
	const before = process.cpuUsage();
	await work();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
};

/** Returns the peak of the live heap while a large response is read, as a multiple of its size. */
const memory = async (): Promise<number> => {
	const file = fileURLToPath(new URL('./influx-memory.ts', import.meta.url));
	const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', '--disable-warning=DEP0169', file]);
	return Number(stdout);
};

/** Compares the CPU time of parsing a response with the client's, and measures the memory that a large response takes. */
export const benchResponse = async (): Promise<readonly BenchRow[]> => {
	const recorded = recordedResponse({ series: 20, points: 1440 });
	const client = clientOf(recorded);
	let [ours, theirs] = [0, 0];
	for (let round = -warmUpRounds; round < rounds; round += 1) {
		const ourMs = await cpuOf(() => readRecorded(recorded));
		const theirMs = await cpuOf(() => client.collectRows('script'));
		if (round < 0) continue;
		ours += ourMs;
		theirs += theirMs;
	}
	const memoryRatio = await memory();
	return [
		{
			name: 'InfluxDB: parsing 20 x 1440 points',
			baseline: "the client's collectRows",
			measured: `${(ours / rounds).toFixed(1)} ms CPU against ${(theirs / rounds).toFixed(1)} ms`,
			ratio: ours / theirs,
			budget: `at most ${maxCpuRatio}x`,
			met: ours / theirs <= maxCpuRatio,
		},
		{
			name: 'InfluxDB: memory of a 100,000-point response',
			baseline: "the response's own size",
			measured: 'live heap at its peak, without the response itself',
			ratio: memoryRatio,
			budget: `at most ${maxMemoryRatio}x`,
			met: memoryRatio <= maxMemoryRatio,
		},
	];
};
