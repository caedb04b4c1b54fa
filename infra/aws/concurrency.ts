import { type EndpointName, endpoints } from '#shared/contract.ts';
import type { Endpoint } from '#shared/endpoint.ts';
import type { TaskName } from '#shared/tasks.ts';
import type { Environment } from './environment.ts';

/** The smallest quota of an account from which concurrency is reserved. */
export const minReservableConcurrency = 200;

/** AWS refuses a reservation that leaves an account less than this. */
export const minUnreservedConcurrency = 100;

/** Reserved for each function that signing in depends on: sign-in itself, and the documents that authorizers read. */
const signInReservation = 5;

/**
 * Reserved for the evaluation of alarms: workers of 50 schemas each, for 1,200 schemas, and the dispatcher, so that workers that are
 * slow do not keep it from running; and the task that stores the days of reports. It is also a cap: tasks do not take what clients need.
 */
const evaluationReservations = { evaluateAlarms: 24, dispatchAlarms: 1, closeReportDays: 1 } as const satisfies Partial<
	Record<TaskName, number>
>;

/** The rows of the contract with one type, in which every field of `uses` may be read. */
const rows: readonly (Endpoint & { readonly name: EndpointName })[] = endpoints;

const signIn = rows.filter(({ api, uses }) => api === 'issuer' || uses.signingKey).map(({ name }) => name);

const reading = rows.filter(({ uses }) => uses.timeSeries).map(({ name }) => name);

const evaluationReservation = Object.values(evaluationReservations).reduce<number>((sum, each) => sum + each, 0);

/**
 * Returns the concurrency that is reserved for each function; functions that are not named share the rest. A reservation is also a
 * cap: while InfluxDB hangs, the functions that read series take at most half of what the account has left, so that signing in and
 * saving go on. A function's own setting in `reservedConcurrency` wins (infra/aws/README.md#concurrency).
 */
export function reservedConcurrencyOf({
	accountConcurrency,
	reservedConcurrency,
}: Pick<Environment, 'accountConcurrency' | 'reservedConcurrency'>): Environment['reservedConcurrency'] {
	if (accountConcurrency < minReservableConcurrency) return reservedConcurrency;
	const rest = accountConcurrency - signInReservation * signIn.length - evaluationReservation;
	const forReading = Math.min(Math.floor(rest / 2), rest - minUnreservedConcurrency);
	return {
		...Object.fromEntries(signIn.map((name) => [name, signInReservation])),
		...evaluationReservations,
		...Object.fromEntries(reading.map((name) => [name, Math.floor(forReading / reading.length)])),
		...reservedConcurrency,
	};
}
