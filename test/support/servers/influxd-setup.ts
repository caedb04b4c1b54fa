import pc from 'picocolors';
import type { TestProject } from 'vitest/node';
import { type InfluxdAccess, startInfluxd } from './influxd.ts';
import { influxdVersion, newestInfluxdVersion } from './influxd-build.ts';
import { type InfluxqlAccess, influxd1Versions, startInfluxd1 } from './influxd1.ts';

declare module 'vitest' {
	interface ProvidedContext {
		/** The InfluxDB of the integration tests; null when this machine cannot run it, and its tests are skipped. */
		readonly influxd: InfluxdAccess | null;
		/** The newest InfluxDB 2, for the contract suite; null likewise. */
		readonly newestInfluxd: InfluxdAccess | null;
		/** The newest and the oldest InfluxDB 1, for the contract suite in InfluxQL; null likewise. */
		readonly influxd1: InfluxqlAccess | null;
		readonly oldestInfluxd1: InfluxqlAccess | null;
	}
}

/** Runs all versions of influxd during the integration tests. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
	const running = new AsyncDisposableStack();
	const start = async <Access extends object>(
		version: string,
		starting: Promise<(Access & { stop(): Promise<void> }) | { readonly unavailable: string }>,
	): Promise<Omit<Access, 'stop'> | null> => {
		const started = await starting;
		if ('unavailable' in started) {
			console.error(pc.bold(pc.red(`\nTESTS ON INFLUXDB ${version} ARE SKIPPED: ${started.unavailable}.\n`)));
			return null;
		}
		const { stop, ...access } = started;
		running.defer(stop);
		return access;
	};
	project.provide('influxd', await start(influxdVersion, startInfluxd(influxdVersion)));
	project.provide('newestInfluxd', await start(newestInfluxdVersion, startInfluxd(newestInfluxdVersion)));
	const [newest1, oldest1] = influxd1Versions;
	project.provide('influxd1', await start(newest1, startInfluxd1(newest1)));
	project.provide('oldestInfluxd1', await start(oldest1, startInfluxd1(oldest1)));
	return () => running.disposeAsync();
}
