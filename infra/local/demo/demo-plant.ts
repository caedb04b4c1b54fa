import { DomainError } from '#domain/errors.ts';
import { dayMs } from '#domain/milliseconds.ts';
import { formatError } from '#http/error-log.ts';
import type { Log } from '#http/log.ts';
import { ConfigError } from '#shared/config.ts';
import { canonicalTags, type FieldValue, type Point } from '../adapters/line-protocol/point.ts';
import type { SqliteTimeSeries } from '../adapters/sqlite-time-series/sqlite-time-series.ts';
import type { LocalSettings } from '../wiring/settings.ts';
import type { KeyValueStore } from '../wiring/state.ts';
import { plantA } from './idp.ts';
import { createPlant, type Plant } from './plant/run.ts';
import type { PlantSample } from './plant/sensors.ts';

/** The name under which the state of the plant is stored. */
const stateName = 'plant';

/** The measurement of all series if the topic is in a tag and TSDB_MEASUREMENT is not set. */
const defaultMeasurement = 'plant';

const nsPerMs = 1_000_000n;

/** Length of the past that is written at the first start: a year, which gives the daily report full months. */
const firstPastMs = 365 * dayMs;

/** What the demo plant needs from the local server. */
export interface DemoPlantDeps {
	readonly series: Pick<SqliteTimeSeries, 'write'>;
	readonly keyValues: KeyValueStore;
	readonly settings: LocalSettings;
	/** For how long samples are kept, in milliseconds. */
	readonly retentionMs: number;
	readonly log: Log;
	/** Epoch milliseconds. */
	readonly now: () => number;
}

/**
 * Starts the simulated plant of plant_a. Resolves when the series of the last hour are written up to now.
 * @throws ConfigError when InfluxDB refuses the samples
 */
export async function startDemoPlant({ series, keyValues, settings, retentionMs, log, now }: DemoPlantDeps): Promise<Plant> {
	const plant = createPlant({
		write: (samples) =>
			series.write(
				plantA.database,
				samples.map((sample) => toPoint(sample, settings)),
			),
		loadState: () => keyValues.get(stateName),
		saveState: (saved) => keyValues.set(stateName, saved),
		now,
		pastMs: Math.min(firstPastMs, retentionMs),
		onWriteFailed: (error) => log.error('The simulated plant could not write.', { error: formatError(error) }),
	});
	try {
		await plant.start();
	} catch (error) {
		if (settings.INFLUX_URL === undefined || !(error instanceof DomainError)) throw error;
		throw new ConfigError(
			`InfluxDB at ${settings.INFLUX_URL} cannot be written to: check INFLUX_TOKEN and INFLUX_ORG, and that the bucket ${plantA.database} exists; DEMO_PLANT=off starts without the simulated plant. (${error.message})`,
			{ cause: error },
		);
	}
	return plant;
}

/** Converts a sample to a point whose topic is in the column of the settings. */
function toPoint({ topic, field, value, timeMs }: PlantSample, settings: LocalSettings): Point {
	const { TSDB_TOPIC_COLUMN: column, TSDB_MEASUREMENT: measurement = defaultMeasurement } = settings;
	const isTag = column !== '_measurement';
	return {
		measurement: isTag ? measurement : topic,
		tags: canonicalTags(isTag ? [[column, topic]] : []),
		field,
		value: fieldValueOf(value),
		timeNs: BigInt(timeMs) * nsPerMs,
	};
}

/** An instrument's bigint is stored as an integer, its number as a float. */
function fieldValueOf(value: PlantSample['value']): FieldValue {
	if (typeof value === 'bigint') return { kind: 'int', value };
	return typeof value === 'number' ? { kind: 'float', value } : { kind: 'bool', value };
}
