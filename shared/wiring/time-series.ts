import { createInfluxTimeSeries } from '#adapters/influx/influx-time-series.ts';
import { instrumentedTimeSeries } from '#adapters/instrumented.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { TimeSeries } from '#domain/ports/time-series.ts';
import { openInflux } from './influx.ts';

/** Opens the time series in the InfluxDB that the environment of a function on AWS names. */
export function openTimeSeries(metrics: Metrics): TimeSeries {
	return instrumentedTimeSeries(createInfluxTimeSeries(openInflux()), metrics);
}

/**
 * Opens the time series for a function that reads the databases of many tenants at once. There is no breaker, so a few slow databases do
 * not stop the reads of the others. Its reads are not measured: those of one bad tenant, every minute, would hide how well the reads of
 * clients work.
 */
export function openUnguardedTimeSeries(): TimeSeries {
	return createInfluxTimeSeries(openInflux({ hasBreaker: false }));
}
