import { Metrics as EmbeddedMetrics } from '@aws-lambda-powertools/metrics';
import type * as v from 'valibot';
import type { GaugeMetric, Metrics } from '#domain/ports/metrics.ts';
import { type Quality, qualities } from '#domain/reading/quality.ts';
import { createFailingSchemas } from '#http/failing-schemas.ts';
import type { Log, RequestRecord } from '#http/log.ts';
import { readConfig, telemetrySchema } from '#shared/config.ts';

/** The log and the metrics of one function. */
export interface Telemetry {
	readonly log: Log;
	readonly metrics: Metrics;
	/** Prints a line with the fields and with the metrics measured since the last line. For tasks: requests have `log.request`. */
	readonly report: (message: string, fields: Readonly<Record<string, unknown>>) => void;
}

/** Options of `createTelemetry`, for tests. */
export interface TelemetryOptions {
	/** Receives each line without its line end. Must not throw. The default writes to standard output. */
	readonly sink?: (line: string) => void;
	readonly settings?: v.InferOutput<typeof telemetrySchema>;
	/** Epoch milliseconds. */
	readonly now?: () => number;
}

/**
 * The metrics have the environment as their only dimension, because CloudWatch bills each endpoint as a metric of its own. Only that of a schema
 * that fails wholly is also there by schema, while it fails.
 */
const namespace = 'Caudal';
const service = 'caudal';

/** The format allows 100 values of a metric in one line. Powertools prints a line by itself, past the sink, when it has 100. */
const maxValuesPerLine = 99;

/** Counts requests of schemas that fail wholly. */
const failingMetric = 'SchemaFailsWholly';

const readingsMetrics: Readonly<Record<Quality, string>> = {
	good: 'ReadingsGood',
	stale: 'ReadingsStale',
	no_data: 'ReadingsNoData',
	skipped: 'ReadingsSkipped',
	missing_reference: 'ReadingsMissingReference',
	bad: 'ReadingsBad',
};

const gaugeUnits: Readonly<Record<GaugeMetric, 'Count' | 'Seconds'>> = {
	AlarmLagSeconds: 'Seconds',
	SchemasEvaluated: 'Count',
	SchemasLate: 'Count',
	SchemasFailing: 'Count',
	AlarmOutboxSeconds: 'Seconds',
	ReportSchemas: 'Count',
	ReportSchemasFailing: 'Count',
	ReportSchemasNewlyFailing: 'Count',
};

/**
 * Creates the log and the metrics of one function on AWS (infra/aws/README.md#logs-metrics-and-alarms). They print lines of JSON: one for
 * each request, with its fields and the metrics measured since the last one in embedded metric format, and one for each error.
 * @throws ConfigError when the environment does not name the endpoint and the environment.
 */
export function createTelemetry(options: TelemetryOptions = {}): Telemetry {
	const { sink = toStdout, settings = readConfig(telemetrySchema), now = Date.now } = options;
	const { ENDPOINT: endpoint, ENVIRONMENT: environment, AWS_LAMBDA_FUNCTION_NAME: functionName } = settings;
	const embedded = new EmbeddedMetrics({ namespace, serviceName: service });
	embedded.clearDefaultDimensions();
	embedded.setDefaultDimensions({ environment });
	const failingSchemaOf = createFailingSchemas(now);
	let valueCount = 0;
	// Provisioned concurrency starts a process before its first request, so no client waits for that start.
	let isColdStart = settings.AWS_LAMBDA_INITIALIZATION_TYPE === 'on-demand';

	const print = (level: 'INFO' | 'ERROR', message: string, fields: Readonly<Record<string, unknown>>): void => {
		const time = new Date(now()).toISOString();
		sink(JSON.stringify({ level, time, message, service, functionName, endpoint, environment, ...fields }));
	};
	/** Prints the fields and the metrics measured since the last call in one line. */
	const flush = (message: string, fields: Readonly<Record<string, unknown>>): void => {
		const measured = embedded.setTimestamp(now()).serializeMetrics();
		embedded.clearMetrics();
		embedded.clearDimensions();
		valueCount = 0;
		print('INFO', message, { ...fields, ...measured });
	};
	const add = (name: string, unit: 'Count' | 'Milliseconds' | 'Seconds', value: number): void => {
		if (!Number.isFinite(value)) return;
		if (valueCount === maxValuesPerLine) flush('metrics so far', {});
		embedded.addMetric(name, unit, value);
		valueCount += 1;
	};
	const request = (record: RequestRecord): void => {
		const { requestId, routeKey, status, outcome, durationMs, readings } = record;
		// Zeros are recorded too: without them a graph has gaps.
		add('Requests', 'Count', 1);
		add('Faults', 'Count', outcome === 'fault' ? 1 : 0);
		add('Refused', 'Count', outcome === 'refused' ? 1 : 0);
		add('Latency', 'Milliseconds', durationMs);
		// The alarm on stale readings adds up the qualities. A missing value of one quality would make the sum missing, too.
		if (readings !== undefined) for (const quality of qualities) add(readingsMetrics[quality], 'Count', readings[quality] ?? 0);
		if (isColdStart) add('ColdStart', 'Count', 1);
		isColdStart = false;
		const failing = failingSchemaOf(record);
		if (failing !== null) add(failingMetric, 'Count', 1);
		flush('request', { requestId, routeKey, status, outcome });
		if (failing === null) return;
		embedded.addDimensions({ schema: dimensionOf(failing) });
		add(failingMetric, 'Count', 1);
		flush('All requests of a schema to a route have failed for 5 minutes.', { requestId, routeKey });
	};
	return {
		log: {
			info: (message, fields) => print('INFO', message, fields),
			error: (message, fields) => print('ERROR', message, fields),
			request,
		},
		metrics: {
			count: (name, value = 1) => add(name, 'Count', value),
			time: (name, milliseconds) => add(name, 'Milliseconds', milliseconds),
			gauge: (name, value) => add(name, gaugeUnits[name], value),
		},
		report: flush,
	};
}

/** Writes a schema as the value of a dimension: ASCII, at most 1,024 characters. */
function dimensionOf(schema: string): string {
	return encodeURIComponent(schema.toWellFormed()).slice(0, 1024);
}

/** Bypasses Lambda's `console`, which adds a prefix: CloudWatch extracts metrics only from lines that are plain JSON. */
function toStdout(line: string): void {
	process.stdout.write(`${line}\n`);
}
