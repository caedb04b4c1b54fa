import type { EndpointName } from '#shared/contract.ts';
import type { EndpointSetting } from '#shared/endpoint.ts';
import type { TaskName } from '#shared/tasks.ts';
import { deployedEndpoints, type EndpointRow } from './deployed-endpoints.ts';
import type { Environment } from './environment.ts';

/** The smallest quota of an account from which concurrency is reserved. */
export const minReservableConcurrency = 200;

/** AWS refuses a reservation that leaves an account less than this. */
export const minUnreservedConcurrency = 100;

/** Reserved for each function that signing in depends on: sign-in itself, and the documents that authorizers read. */
const signInReservation = 5;

/** Reserved for each function of tables: programs, which are throttled as sign-in is, must not take what people read with. */
const tableReservation = 2;

/** The schemas that one unit of a task's concurrency is enough for: workers of 50 schemas, of which those of reports wait for each other. */
export const schemasOfOne = { evaluateAlarms: 50, closeReportDays: 250 } as const satisfies Partial<Record<TaskName, number>>;

/** The schemas whose tasks are served for each of the account's concurrency. A quota from 200 on serves 1,000 by `leastOfTasks`. */
const schemasOfQuota = 5;
const leastOfTasks = { evaluateAlarms: 24, closeReportDays: 4 } as const;

/**
 * The requests that one dashboard is expected to make in an hour: a poll every 30 s, and every second dashboard reads alarms and the panel as
 * often; people look at the rest.
 */
const requestsPerHour: Readonly<Partial<Record<EndpointName, number>>> = {
	multipleDataTsdb: 120,
	getAlarms: 60,
	getBombs: 60,
	history: 20,
	totals: 15,
	readReport: 10,
};

/** Returns the requests that one dashboard is expected to make to an endpoint in an hour. Those that read series and are not named have 5. */
export function expectedPerHour(endpoint: EndpointRow): number {
	return requestsPerHour[endpoint.name] ?? (readsSeries(endpoint) ? 5 : 1);
}

/** Whether an endpoint reads series for people. Those for programs have reservations of their own. */
function readsSeries({ auth, uses }: EndpointRow): boolean {
	return uses.timeSeries !== undefined && auth !== 'basic';
}

/** Least reservation of a function that reads series: some also save, and two people may do so at once. */
const leastReservation = 2;

/**
 * Returns the concurrency that is reserved for each function; functions that are not named share the rest. A reservation is also a
 * cap: while InfluxDB hangs, the functions that read series take at most half of what the account has left, by their expected requests, so
 * that signing in and saving go on. A function's own setting in `reservedConcurrency` wins (infra/aws/README.md#concurrency).
 */
export function reservedConcurrencyOf(
	environment: Pick<Environment, 'accountConcurrency' | 'reservedConcurrency' | EndpointSetting>,
): Environment['reservedConcurrency'] {
	const { accountConcurrency, reservedConcurrency } = environment;
	if (accountConcurrency < minReservableConcurrency) return reservedConcurrency;
	const deployed = deployedEndpoints(environment);
	const forSchemas = (name: keyof typeof schemasOfOne): number =>
		Math.max(leastOfTasks[name], Math.floor((schemasOfQuota * accountConcurrency) / schemasOfOne[name]));
	const fixed = {
		...Object.fromEntries(
			deployed.filter(({ api, uses }) => api === 'issuer' || uses.signingKey).map(({ name }) => [name, signInReservation]),
		),
		...Object.fromEntries(deployed.filter(({ auth }) => auth === 'basic').map(({ name }) => [name, tableReservation])),
		evaluateAlarms: forSchemas('evaluateAlarms'),
		// Workers of alarms that are slow must not keep it from running.
		dispatchAlarms: 1,
		closeReportDays: forSchemas('closeReportDays'),
		packDefinitions: 1,
	};
	const available = accountConcurrency - Object.values(fixed).reduce<number>((sum, each) => sum + each, 0);
	const forReading = Math.min(Math.floor(available / 2), available - minUnreservedConcurrency);
	const reading = deployed.filter(readsSeries);
	const expected = reading.reduce((sum, endpoint) => sum + expectedPerHour(endpoint), 0);
	// A small quota has one for each, and the rest by traffic.
	const least = Math.min(leastReservation, Math.floor(forReading / reading.length));
	const beyondLeast = forReading - least * reading.length;
	const shares = reading.map((endpoint) => least + Math.floor((beyondLeast * expectedPerHour(endpoint)) / expected));
	// Polls get what rounding leaves.
	const rounded = forReading - shares.reduce((sum, each) => sum + each, 0);
	return {
		...fixed,
		...Object.fromEntries(
			reading.map(({ name }, index) => [name, (shares[index] ?? 0) + (name === 'multipleDataTsdb' ? rounded : 0)]),
		),
		...reservedConcurrency,
	};
}
