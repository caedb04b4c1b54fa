import type { EndpointName } from '#shared/contract.ts';
import type { EndpointSetting } from '#shared/endpoint.ts';
import type { TaskName } from '#shared/tasks.ts';
import { deployedEndpoints } from './deployed-endpoints.ts';
import type { Environment } from './environment.ts';

/** The smallest quota of an account from which concurrency is reserved. */
export const minReservableConcurrency = 200;

/** AWS refuses a reservation that leaves an account less than this. */
export const minUnreservedConcurrency = 100;

/** Reserved for each function that signing in depends on: sign-in itself, and the documents that authorizers read. */
const signInReservation = 5;

/** Reserved for each function of tables: programs, which are throttled as sign-in is, must not take what people read with. */
const tableReservation = 2;

/**
 * Reserved for the evaluation of alarms: workers of 50 schemas each, for 1,200 schemas, and the dispatcher, so that workers that are
 * slow do not keep it from running; the task that stores the days of reports; and the one that packs definitions, of which one may run at a
 * time. It is also a cap: tasks do not take what clients need.
 */
const evaluationReservations = {
	evaluateAlarms: 24,
	dispatchAlarms: 1,
	closeReportDays: 1,
	packDefinitions: 1,
} as const satisfies Partial<Record<TaskName, number>>;

const evaluationTotal = Object.values(evaluationReservations).reduce<number>((sum, reservation) => sum + reservation, 0);

/** The expected requests of the functions that read series, as shares: dashboards poll, people look. A function that is not named has 1. */
const trafficShares: Readonly<Partial<Record<EndpointName, number>>> = {
	multipleDataTsdb: 24,
	getAlarms: 4,
	getBombs: 4,
	history: 4,
	totals: 3,
	readReport: 2,
};

/** Least reservation of a function that reads series: some also save, and two people may do so at once. */
const leastReservation = 2;

/** How long a request that reads series takes, in seconds: that of a poll of 40 variables, with the network. */
export const typicalSeconds = 0.3;

/**
 * Returns the concurrency that is reserved for each function; functions that are not named share the rest. A reservation is also a
 * cap: while InfluxDB hangs, the functions that read series take at most half of what the account has left, by their `trafficShares`, so that
 * signing in and saving go on. A function's own setting in `reservedConcurrency` wins (infra/aws/README.md#concurrency).
 */
export function reservedConcurrencyOf(
	environment: Pick<Environment, 'accountConcurrency' | 'reservedConcurrency' | EndpointSetting>,
): Environment['reservedConcurrency'] {
	const { accountConcurrency, reservedConcurrency } = environment;
	if (accountConcurrency < minReservableConcurrency) return reservedConcurrency;
	const deployed = deployedEndpoints(environment);
	const signInNames = deployed.filter(({ api, uses }) => api === 'issuer' || uses.signingKey).map(({ name }) => name);
	const tableNames = deployed.filter(({ auth }) => auth === 'basic').map(({ name }) => name);
	const readingNames = deployed.filter(({ auth, uses }) => uses.timeSeries && auth !== 'basic').map(({ name }) => name);
	const fixed = signInReservation * signInNames.length + tableReservation * tableNames.length + evaluationTotal;
	const available = accountConcurrency - fixed;
	const forReading = Math.min(Math.floor(available / 2), available - minUnreservedConcurrency);
	const shareOf = (name: EndpointName): number => trafficShares[name] ?? 1;
	const shares = readingNames.reduce((sum, name) => sum + shareOf(name), 0);
	const beyondLeast = forReading - leastReservation * readingNames.length;
	return {
		...Object.fromEntries(signInNames.map((name) => [name, signInReservation])),
		...Object.fromEntries(tableNames.map((name) => [name, tableReservation])),
		...evaluationReservations,
		...Object.fromEntries(
			readingNames.map((name) => [name, leastReservation + Math.floor((beyondLeast * shareOf(name)) / shares)]),
		),
		...reservedConcurrency,
	};
}
