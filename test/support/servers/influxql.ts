import { inject } from 'vitest';
import type { InfluxqlConnectionOptions } from '#adapters/influxql/influxql-connection.ts';
import { staticSecret } from '#adapters/secret.ts';
import { bucketsOf, contractDeadlineMs, type OpenInflux, openForContract, type TestDatabases } from './influx.ts';
import { newestInfluxdVersion } from './influxd-build.ts';
import { type InfluxqlAccess, influxd1Versions, runInfluxql, writeLines1 } from './influxd1.ts';
import { openInfluxqlAt } from './open-influx.ts';

/** The servers on which InfluxQL is tested, each with its version. */
export const influxqlServers = [
	['influxd1', influxd1Versions[0]],
	['oldestInfluxd1', influxd1Versions[1]],
	['newestInfluxd', newestInfluxdVersion],
] as const;

/** The name of a server of the tests. */
export type InfluxqlServer = (typeof influxqlServers)[number][0];

/** A server and its databases. */
export interface InfluxqlTarget {
	readonly access: InfluxqlAccess;
	readonly databases: TestDatabases;
}

/** Returns a server of the tests. */
export function influxqlTarget(server: InfluxqlServer): InfluxqlTarget {
	if (server === 'newestInfluxd') {
		const access = inject(server);
		if (access === null) throw new Error(`There is no ${server}.`);
		return { access: { url: access.url, user: 'any', password: access.token }, databases: bucketsOf(access) };
	}
	const access = inject(server);
	if (access === null) throw new Error(`There is no ${server}.`);
	return {
		access,
		databases: {
			create: (name) => runInfluxql(access, `CREATE DATABASE "${name}"`),
			write: (name, lines) => writeLines1(access, name, lines),
			delete: (name) => runInfluxql(access, `DROP DATABASE "${name}"`),
		},
	};
}

/** The options of the adapter on a server. */
export const influxqlOptions = ({ url, user, password }: InfluxqlAccess): InfluxqlConnectionOptions => ({
	url,
	user,
	token: staticSecret(password),
	topicColumn: '_measurement',
});

/** Opens the adapters for the contract suites. */
export async function openInfluxqlForContract(
	server: InfluxqlServer,
	options: Partial<InfluxqlConnectionOptions> = {},
): Promise<OpenInflux> {
	const { access, databases } = influxqlTarget(server);
	return openForContract(openInfluxqlAt({ ...influxqlOptions(access), deadlineMs: contractDeadlineMs, ...options }), databases);
}
