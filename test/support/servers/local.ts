import type { SchemaStore } from '#domain/ports/schema-store.ts';
import type { Log } from '#http/log.ts';
import { parseLineProtocol } from '#infra/local/adapters/line-protocol/line-protocol.ts';
import { silentLog } from '#infra/local/console-log.ts';
import { type LocalServer, startLocalServer } from '#infra/local/server.ts';
import { readLocalSettings } from '#infra/local/wiring/settings.ts';
import type { AlarmTarget } from '#test/e2e/target.ts';

/** The token of the series write API in tests. */
export const writeToken = 'test-write-token';

/** Writes line protocol with times in milliseconds to the write API of a local service. */
export const feed = async (baseUrl: string, database: string, lines: string): Promise<void> => {
	const response = await fetch(`${baseUrl}/api/v2/write?org=caudal&bucket=${encodeURIComponent(database)}&precision=ms`, {
		method: 'POST',
		headers: { authorization: `Token ${writeToken}` },
		body: lines,
	});
	if (response.status !== 204) throw new Error(`The write API answered ${response.status}: ${await response.text()}`);
};

/** Starts the local service on a free port. By default it keeps its state in memory and has no demo plant. */
export const startLocal = async (
	environment: Readonly<Record<string, string>> = {},
	now?: () => number,
	log: Log = silentLog,
): Promise<LocalServer> => {
	const settings = { PORT: '0', STATE_DIR: 'memory', DEMO_PLANT: 'off', WRITE_TOKEN: writeToken, ...environment };
	const local = await startLocalServer(readLocalSettings(settings), log, now);
	await local.filled;
	return local;
};

/** A local service as a target, with its store of definitions, so that a test can store what an earlier release did. */
export interface LocalTarget extends AlarmTarget {
	readonly store: SchemaStore;
}

/** Starts the local service as a target of the end-to-end suites. */
export const openLocalTarget = async (
	environment?: Readonly<Record<string, string>>,
	now?: () => number,
): Promise<LocalTarget> => {
	const local = await startLocal(environment, now);
	return {
		baseUrl: local.baseUrl,
		store: local.service.store,
		alarms: local.service.alarms,
		people: local.service.people,
		// Past the write API, which refuses a type that the field does not have: files of earlier releases hold several.
		feed: (database, lines) =>
			local.service.series.write(
				database,
				parseLineProtocol(lines, { precision: 'ms', nowNs: BigInt(Date.now()) * 1_000_000n }).points,
			),
		close: local.close,
	};
};
