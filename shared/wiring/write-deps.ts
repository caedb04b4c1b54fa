import { randomUUID } from 'node:crypto';
import { jitteredPause } from '#adapters/jittered-pause.ts';
import { openSchemaStore } from './schema-store.ts';
import { createTelemetry } from './telemetry.ts';

/** What an endpoint needs that changes what is stored, beside what it measures. */
export function openWriting() {
	const { log, metrics } = createTelemetry();
	return { log, metrics, now: Date.now, newId: randomUUID, pause: jitteredPause, ...openSchemaStore(metrics) };
}
