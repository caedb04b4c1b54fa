import { statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Metrics } from '#domain/ports/metrics.ts';
import { createFailingSchemas } from '#http/failing-schemas.ts';
import type { Log } from '#http/log.ts';
import type { SqliteTimeSeries } from '../adapters/sqlite-time-series/sqlite-time-series.ts';
import { memoryState } from './settings.ts';
import { stateFiles } from './state.ts';

/** What operators see of the service on one machine (infra/local/OPERATING.md#monitoring), in the text format of Prometheus. */
export interface ServiceMetrics {
	/** The metrics that endpoints and tasks record, under the names of those on AWS. */
	readonly metrics: Metrics;
	/** Returns a log that also counts requests, their durations and their readings. */
	measured(log: Log): Log;
	/** Returns a function that also counts the samples that it stores and refuses. */
	measuredWrites(writeLines: SqliteTimeSeries['writeLines']): SqliteTimeSeries['writeLines'];
	/** Returns the text of all metrics, and its media type. */
	read(): Promise<{ readonly text: string; readonly type: string }>;
}

/** Upper bounds of durations, in seconds: a poll takes milliseconds, a long history seconds. */
const buckets = [0.005, 0.02, 0.1, 0.5, 2, 10];

/** Creates the metrics of a service. @param stateDirectory the disk and the files that are measured @param now epoch milliseconds */
export function createServiceMetrics(stateDirectory: string, now: () => number): ServiceMetrics {
	const registers = [new Registry()];
	const [registry] = registers;
	if (registry === undefined) throw new Error('There is one registry.');
	const requests = new Histogram({
		name: 'caudal_request_duration_seconds',
		help: 'Durations of requests that reached an endpoint.',
		labelNames: ['route', 'status'],
		buckets,
		registers,
	});
	const readings = new Counter({
		name: 'caudal_readings_total',
		help: 'Readings by quality.',
		labelNames: ['quality'],
		registers,
	});
	const samples = new Counter({
		name: 'caudal_samples_total',
		help: 'Samples that were sent to the write API, by what became of them.',
		labelNames: ['outcome'],
		registers,
	});
	const failing = new Counter({
		name: 'caudal_schema_fails_wholly_total',
		help: 'Requests of schemas whose requests to a route have all failed for 5 minutes.',
		labelNames: ['schema'],
		registers,
	});
	const failingSchemaOf = createFailingSchemas(now);
	measureState(stateDirectory, registers);
	return {
		metrics: recordedIn(registers),
		measured: (log) => ({
			...log,
			request: (record) => {
				requests.observe({ route: record.routeKey, status: record.status }, record.durationMs / 1000);
				for (const [quality, count] of Object.entries(record.readings ?? {})) readings.inc({ quality }, count);
				const schema = failingSchemaOf(record);
				if (schema !== null) failing.inc({ schema });
				log.request(record);
			},
		}),
		measuredWrites: (writeLines) => async (database, points, lines) => {
			try {
				const refused = await writeLines(database, points, lines);
				const dropped = refused.reduce((sum, each) => sum + each.dropped, 0);
				samples.inc({ outcome: 'refused' }, dropped);
				samples.inc({ outcome: 'stored' }, Math.max(0, points.length - dropped));
				return refused;
			} catch (error) {
				samples.inc({ outcome: 'failed' }, points.length);
				throw error;
			}
		},
		read: async () => {
			// The event loop's lag, memory and CPU of the process, from the first reader on: they take observers that never end.
			if (registry.getSingleMetric('process_cpu_seconds_total') === undefined) collectDefaultMetrics({ register: registry });
			return { text: await registry.metrics(), type: registry.contentType };
		},
	};
}

/** Records what endpoints and tasks measure: `AlarmLagSeconds` as `caudal_alarm_lag_seconds`. */
function recordedIn(registers: Registry[]): Metrics {
	const [counts, durations, states] = [new Map<string, Counter>(), new Map<string, Histogram>(), new Map<string, Gauge>()];
	const common = (name: string, ending: string) => ({
		name: `caudal${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}${ending}`,
		help: `${name}, as on AWS (infra/aws/README.md).`,
		registers,
	});
	return {
		count: (name, value = 1) => created(counts, name, () => new Counter(common(name, '_total'))).inc(value),
		time: (name, milliseconds) =>
			created(durations, name, () => new Histogram({ ...common(name, '_seconds'), buckets })).observe(milliseconds / 1000),
		gauge: (name, value) => created(states, name, () => new Gauge(common(name, ''))).set(value),
	};
}

function created<Kind>(known: Map<string, Kind>, name: string, create: () => Kind): Kind {
	const metric = known.get(name) ?? create();
	known.set(name, metric);
	return metric;
}

/** Measures the disk and the files of the state whenever the metrics are read. */
function measureState(directory: string, registers: Registry[]): void {
	if (directory === memoryState) return;
	new Gauge({
		name: 'caudal_state_bytes',
		help: 'Bytes of the state by file.',
		labelNames: ['file'],
		registers,
		collect() {
			for (const name of stateFiles.databases.flatMap((each) => [each, `${each}-wal`])) {
				const stats = statSync(join(directory, name), { throwIfNoEntry: false });
				this.set({ file: name }, stats?.size ?? 0);
			}
		},
	});
	new Gauge({
		name: 'caudal_disk_free_bytes',
		help: 'Bytes that are free on the disk of the state.',
		registers,
		async collect() {
			this.set(await freeBytes(directory));
		},
	});
}

/** Returns the bytes that are free for the service on the disk of a folder. */
export async function freeBytes(directory: string): Promise<number> {
	const { bavail, bsize } = await statfs(directory);
	return bavail * bsize;
}
