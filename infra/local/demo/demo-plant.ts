import { DomainError } from '#domain/errors.ts';
import type { Log } from '#http/log.ts';
import { ConfigError } from '#shared/config.ts';
import { canonicalTags, type FieldValue, type Point } from '../adapters/line-protocol/point.ts';
import type { Handlers } from '../wiring/handlers.ts';
import type { LocalSettings } from '../wiring/settings.ts';
import type { KeyValueStore } from '../wiring/state.ts';
import { plantA } from './idp.ts';
import { createPlant, type Plant } from './plant/run.ts';
import type { Sample } from './plant/series.ts';

const note = 'plant';

const nsPerMs = 1_000_000n;

/** The measurement of the plant's series where the topic is in a tag. */
const defaultMeasurement = 'plant';

/** What the demo plant needs of the local service. */
export interface DemoPlantDeps {
	readonly series: Handlers['series'];
	readonly notes: KeyValueStore;
	readonly settings: LocalSettings;
	readonly log: Log;
	readonly now: () => number;
}

/** Starts plant_a's simulated plant; resolves when its past is filled up to now. Throws ConfigError where InfluxDB does not take it. */
export async function startDemoPlant({ series, notes, settings, log, now }: DemoPlantDeps): Promise<Plant> {
	const plant = createPlant({
		write: (samples) => series.write(plantA.database, samples.map(toPoint(settings))),
		loadState: () => notes.get(note),
		saveState: (saved) => notes.set(note, saved),
		now,
		failed: (error) => log.error('The simulated plant could not write.', { error: String(error) }),
	});
	try {
		await plant.start();
	} catch (error) {
		if (settings.INFLUX_URL === undefined || !(error instanceof DomainError)) throw error;
		throw new ConfigError(
			`InfluxDB at ${settings.INFLUX_URL} cannot be written to: check INFLUX_TOKEN and INFLUX_ORG, and that the bucket ${plantA.database} is there; DEMO_PLANT=off starts without the simulated plant. (${error.message})`,
			{ cause: error },
		);
	}
	return plant;
}

/** Makes a sample a point, its topic in the column that this service reads topics from. */
const toPoint =
	({ TSDB_TOPIC_COLUMN: column, TSDB_MEASUREMENT: measurement = defaultMeasurement }: LocalSettings) =>
	({ topic, field, value, timeMs }: Sample): Point => {
		const isTag = column !== '_measurement';
		return {
			measurement: isTag ? measurement : topic,
			tags: canonicalTags(isTag ? [[column, topic]] : []),
			field,
			value: fieldValueOf(value),
			timeNs: BigInt(timeMs) * nsPerMs,
		};
	};

function fieldValueOf(value: Sample['value']): FieldValue {
	if (typeof value === 'bigint') return { kind: 'int', value };
	return typeof value === 'number' ? { kind: 'float', value } : { kind: 'bool', value };
}
