import type { Log } from '#http/log.ts';
import { silentLog } from '#infra/local/console-log.ts';
import { type LocalServer, startLocalServer } from '#infra/local/server.ts';
import { readLocalSettings } from '#infra/local/wiring/settings.ts';
import type { Target } from '#test/e2e/target.ts';

/** The token of the series write API in tests. */
export const writeToken = 'test-write-token';

/** Writes line protocol, in milliseconds, to a service's own write API. */
export const feed = async (baseUrl: string, database: string, lines: string): Promise<void> => {
	const response = await fetch(`${baseUrl}/api/v2/write?org=caudal&bucket=${encodeURIComponent(database)}&precision=ms`, {
		method: 'POST',
		headers: { authorization: `Token ${writeToken}` },
		body: lines,
	});
	if (response.status !== 204) throw new Error(`The write API answered ${response.status}: ${await response.text()}`);
};

/** The whole local service on a free port, in memory and without the demo plant unless the environment says otherwise. */
export const startLocal = (
	environment: Readonly<Record<string, string>> = {},
	now?: () => number,
	log: Log = silentLog,
): Promise<LocalServer> =>
	startLocalServer(
		readLocalSettings({ PORT: '0', STATE_DIR: 'memory', DEMO_PLANT: 'off', WRITE_TOKEN: writeToken, ...environment }),
		log,
		now,
	);

/** The local service as the end-to-end suites reach it. */
export const openLocalTarget = async (environment?: Readonly<Record<string, string>>, now?: () => number): Promise<Target> => {
	const local = await startLocal(environment, now);
	return { baseUrl: local.baseUrl, feed: (database, lines) => feed(local.baseUrl, database, lines), close: local.close };
};
