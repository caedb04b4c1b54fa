import { type QueryDialect, QueryError, type ResponseReader } from '../influx-common/query-client.ts';
import type { SendQuery } from '../influx-common/server-reads.ts';
import { basicOf } from './influxql-dialect.ts';

/** How a server takes InfluxQL: InfluxDB 1 and 2 by `/query`, InfluxDB 3 by a path of its own. */
export type ServerGeneration = 'influxdb1' | 'influxdb3';

/** Creates what knows the generation of one server. It asks with the first read, and again after a read that failed. */
export function createServerGeneration(user: string) {
	const dialect = pingDialect(user);
	let known: ServerGeneration | undefined;
	return {
		/** Returns the generation, which the server tells when it is not known. @throws QueryError when it does not answer */
		get: async (send: SendQuery): Promise<ServerGeneration> => {
			known ??= await send(dialect, '', createVersionReader).catch((error: unknown): undefined => {
				// A proxy may refuse the path. The read itself then tells what is wrong.
				if (error instanceof QueryError && error.status !== undefined) return undefined;
				throw error;
			});
			return known ?? 'influxdb1';
		},
		/** Returns the generation that the server told last; undefined: none. */
		known: (): ServerGeneration | undefined => known,
		/** To be called after a read that failed: the server may have been replaced. */
		forget: (): void => {
			known = undefined;
		},
	};
}

const pingDialect = (user: string): QueryDialect => ({
	method: 'GET',
	path: '/ping',
	isOfServer: true,
	headers: {},
	answerType: /^/,
	// InfluxDB 3 asks for the token here, too, and takes it as the password of any user.
	authorizationOf: (password) => basicOf(user, password),
	isTypeMessage: () => false,
});

/** Reads the version in the header that every InfluxDB sends. */
function createVersionReader(): ResponseReader<ServerGeneration> {
	let version = '';
	return {
		begin: (headers) => {
			version = String(headers['x-influxdb-version'] ?? '');
		},
		push: () => undefined,
		finish: () => (/^v?3\./.test(version) ? 'influxdb3' : 'influxdb1'),
	};
}
