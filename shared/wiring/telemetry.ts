import { Metrics as EmbeddedMetrics } from '@aws-lambda-powertools/metrics';
import type * as v from 'valibot';
import type { Metrics } from '#domain/ports/metrics.ts';
import { type Quality, qualities } from '#domain/reading/quality.ts';
import type { Log, RequestRecord } from '#http/log.ts';
import { readConfig, telemetrySchema } from '#shared/config.ts';

/** What operators look at: the log, and what is measured. */
export interface Telemetry {
	readonly log: Log;
	readonly metrics: Metrics;
}

/** Everything has a default; tests give their own. */
export interface TelemetryOptions {
	/** Takes one line, without its end. Must not throw. */
	readonly sink?: (line: string) => void;
	readonly settings?: v.InferOutput<typeof telemetrySchema>;
	/** Epoch milliseconds. */
	readonly now?: () => number;
}

/** CloudWatch keeps the service's metrics under it, by environment: each endpoint apart would be paid for each. The log has those. */
const namespace = 'Caudal';

const service = 'caudal';

/** The format takes at most 100 values of a metric on a line; the library would print such a line by itself, past the sink. */
const maxValuesPerLine = 99;

const readingsMetrics: Readonly<Record<Quality, string>> = {
	good: 'ReadingsGood',
	stale: 'ReadingsStale',
	no_data: 'ReadingsNoData',
	missing_reference: 'ReadingsMissingReference',
	bad: 'ReadingsBad',
};

/**
 * Log and metrics of one function on AWS, as lines of JSON: one for each request, whose metrics (embedded metric format) and
 * fields it holds together, with whatever `metrics` was told during it; one for each error.
 *
 * Metrics are Powertools’ (16 KB, 4 ms of a cold start); its logger, 19 KB and 4 ms more, would print the same lines.
 * Throws ConfigError where the environment does not say which function this is.
 */
export function createTelemetry(options: TelemetryOptions = {}): Telemetry {
	const { sink = toStdout, settings = readConfig(telemetrySchema), now = Date.now } = options;
	const { ENDPOINT: endpoint, ENVIRONMENT: environment } = settings;
	const embedded = new EmbeddedMetrics({ namespace, serviceName: service });
	embedded.clearDefaultDimensions();
	embedded.setDefaultDimensions({ environment });
	let values = 0;
	// One that was set up before anyone asked (provisioned concurrency) kept nobody waiting.
	let cold = settings.AWS_LAMBDA_INITIALIZATION_TYPE === 'on-demand';

	const print = (level: 'INFO' | 'ERROR', message: string, fields: Readonly<Record<string, unknown>>): void => {
		const time = new Date(now()).toISOString();
		const about = { service, functionName: settings.AWS_LAMBDA_FUNCTION_NAME, endpoint, environment };
		sink(JSON.stringify({ level, time, message, ...about, ...fields }));
	};
	/** Prints what was measured since the last time, on one line with what the request came to. */
	const flush = (message: string, fields: Readonly<Record<string, unknown>>): void => {
		const measured = embedded.setTimestamp(now()).serializeMetrics();
		embedded.clearMetrics();
		embedded.clearDimensions();
		values = 0;
		print('INFO', message, { ...fields, ...measured });
	};
	const add = (name: string, unit: 'Count' | 'Milliseconds', value: number): void => {
		if (!Number.isFinite(value)) return;
		if (values === maxValuesPerLine) flush('measured so far', {});
		embedded.addMetric(name, unit, value);
		values += 1;
	};
	const request = ({ requestId, routeKey, status, outcome, durationMs, readings = {} }: RequestRecord): void => {
		// The zeros, too: a graph without them has gaps where all went well.
		add('Requests', 'Count', 1);
		add('Faults', 'Count', outcome === 'fault' ? 1 : 0);
		add('Refused', 'Count', outcome === 'refused' ? 1 : 0);
		add('Latency', 'Milliseconds', durationMs);
		for (const quality of qualities) {
			const count = readings[quality];
			if (count !== undefined) add(readingsMetrics[quality], 'Count', count);
		}
		if (cold) add('ColdStart', 'Count', 1);
		cold = false;
		flush('request', { requestId, routeKey, status, outcome });
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
		},
	};
}

/** Past Lambda's own `console`, which would set something before the JSON: CloudWatch then finds no metrics in it. */
function toStdout(line: string): void {
	process.stdout.write(`${line}\n`);
}
