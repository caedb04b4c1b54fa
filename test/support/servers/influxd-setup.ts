import pc from 'picocolors';
import type { TestProject } from 'vitest/node';
import { type InfluxdAccess, startInfluxd } from './influxd.ts';
import { type InfluxdVersion, influxdVersion, newestInfluxdVersion } from './influxd-build.ts';

declare module 'vitest' {
	interface ProvidedContext {
		/** The InfluxDB of the integration tests; null when this machine cannot run it, and its tests are skipped. */
		readonly influxd: InfluxdAccess | null;
		/** The newest InfluxDB 2, for the contract suite; null likewise. */
		readonly newestInfluxd: InfluxdAccess | null;
	}
}

/** Runs both versions of influxd during the integration tests. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
	const running = new AsyncDisposableStack();
	const start = async (version: InfluxdVersion): Promise<InfluxdAccess | null> => {
		const started = await startInfluxd(version);
		if ('unavailable' in started) {
			console.error(pc.bold(pc.red(`\nTESTS ON INFLUXDB ${version} ARE SKIPPED: ${started.unavailable}.\n`)));
			return null;
		}
		const { stop, ...access } = started;
		running.defer(stop);
		return access;
	};
	project.provide('influxd', await start(influxdVersion));
	project.provide('newestInfluxd', await start(newestInfluxdVersion));
	return () => running.disposeAsync();
}
