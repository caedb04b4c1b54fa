import pc from 'picocolors';
import type { TestProject } from 'vitest/node';
import { type InfluxdAccess, startInfluxd } from './influxd.ts';

declare module 'vitest' {
	interface ProvidedContext {
		/** The InfluxDB of the integration tests; null when this machine cannot run it, and its tests are skipped. */
		readonly influxd: InfluxdAccess | null;
	}
}

/** Runs influxd during the integration tests. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
	const started = await startInfluxd();
	if ('unavailable' in started) {
		console.error(pc.bold(pc.red(`\nTESTS ON INFLUXDB ARE SKIPPED: ${started.unavailable}.\n`)));
		project.provide('influxd', null);
		return async () => undefined;
	}
	const { url, org, orgId, token, stop } = started;
	project.provide('influxd', { url, org, orgId, token });
	return stop;
}
