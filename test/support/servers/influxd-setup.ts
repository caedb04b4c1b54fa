import pc from 'picocolors';
import type { TestProject } from 'vitest/node';
import { type InfluxdAccess, startInfluxd } from './influxd.ts';

declare module 'vitest' {
	interface ProvidedContext {
		/** The InfluxDB that proofs run on; null where it cannot be had, and its proofs are skipped. */
		readonly influxd: InfluxdAccess | null;
	}
}

/** Runs influxd for as long as the proofs take. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
	const started = await startInfluxd();
	if ('unavailable' in started) {
		console.error(pc.bold(pc.red(`\nPROOFS ON INFLUXDB ARE SKIPPED: ${started.unavailable}.\n`)));
		project.provide('influxd', null);
		return async () => undefined;
	}
	const { url, org, orgId, token, stop } = started;
	project.provide('influxd', { url, org, orgId, token });
	return stop;
};
