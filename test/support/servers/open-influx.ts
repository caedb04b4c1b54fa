import { type InfluxConnectionOptions, openInfluxConnection } from '#adapters/influx/influx-connection.ts';
import { createInfluxTimeSeries } from '#adapters/influx/influx-time-series.ts';
import type { TimeSeries } from '#domain/ports/time-series.ts';

/** The adapter with the function that closes its connections. */
export interface InfluxTimeSeries extends TimeSeries {
	close(): void;
}

/** Opens the adapter on an InfluxDB. Imports no test framework, because benchmarks use it too. */
export function openInfluxAt(options: InfluxConnectionOptions): InfluxTimeSeries {
	const connection = openInfluxConnection(options);
	return { ...createInfluxTimeSeries(connection), close: connection.close };
}
