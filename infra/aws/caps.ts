import type { EndpointName } from '#shared/contract.ts';
import type { Endpoint } from '#shared/endpoint.ts';
import { reservedConcurrencyOf } from './concurrency.ts';
import { deployedEndpoints, type EndpointRow } from './deployed-endpoints.ts';
import type { Environment } from './environment.ts';

/** How long a request takes, in seconds: that of a poll of 40 variables, with the network. */
export const typicalSeconds = 0.3;

/** Units of DynamoDB in the table that a request uses most: reads of the states of 100 alarms, and writes of a save. Both are asserted. */
export const unitsOfAlarmStates = 27;
export const unitsOfSave = 4;

/** A setting that limits requests. */
export interface Cap {
	/** Its path in context.environments.<name> of cdk.json. */
	readonly setting: string;
	/** The most requests per second to its endpoints together. */
	readonly perSecond: number;
	readonly endpoints: readonly EndpointName[];
}

/**
 * Returns the name of the limit in `throttling` of an endpoint's routes. That of `requests` holds for all of them together, the others for each
 * route. Each sign-in costs the identity provider a request, and may guess credentials; so may a request with credentials that the function
 * checks. Everybody can call public pages and documents, and must not use up what clients need.
 */
export function throttleNameOf({ api, auth, uses }: Endpoint): keyof Environment['throttling'] {
	if (uses.signingKey || auth === 'basic') return 'signIn';
	return api === 'service' && auth === 'none' ? 'public' : 'requests';
}

/** Returns what each setting carries: reservations, and what they leave to the other functions; the limits of routes; units of DynamoDB. */
export function capsOf(environment: Environment): readonly Cap[] {
	const { accountConcurrency, throttling, maxReadRequestUnits = Infinity, maxWriteRequestUnits = Infinity } = environment;
	const deployed = deployedEndpoints(environment);
	const reservations = reservedConcurrencyOf(environment);
	const left = Object.values(reservations).reduce<number>((rest, each = 0) => rest - each, accountConcurrency);
	const cap = (setting: string, perSecond: number, isLimited: (endpoint: EndpointRow) => boolean): Cap => ({
		setting,
		perSecond: Math.floor(perSecond),
		endpoints: deployed.filter(isLimited).map(({ name }) => name),
	});
	return [
		...deployed.flatMap((endpoint) => {
			const reservation = reservations[endpoint.name];
			const perSecond = (reservation ?? 0) / typicalSeconds;
			return reservation === undefined
				? []
				: [cap(`reservedConcurrency.${endpoint.name}`, perSecond, (each) => each === endpoint)];
		}),
		cap('accountConcurrency', left / typicalSeconds, ({ name }) => reservations[name] === undefined),
		...deployed.flatMap((endpoint) => {
			const limit = throttleNameOf(endpoint);
			return limit === 'requests' ? [] : [cap(`throttling.${limit}`, throttling[limit].rate, (each) => each === endpoint)];
		}),
		cap('throttling.requests', throttling.requests.rate, (each) => each.api === 'service' && throttleNameOf(each) === 'requests'),
		cap('maxReadRequestUnits', maxReadRequestUnits / unitsOfAlarmStates, ({ name }) => name === 'getAlarms'),
		cap('maxWriteRequestUnits', maxWriteRequestUnits / unitsOfSave, ({ uses }) => uses.variables?.includes('advance') === true),
	].filter(({ perSecond }) => perSecond < Infinity);
}

/**
 * Returns the cap that is reached first by more and more of the same requests, and at how many times of them.
 * @param perSecond the requests to each endpoint; at least one has a cap
 */
export function firstReached(caps: readonly Cap[], perSecond: ReadonlyMap<EndpointName, number>) {
	const reached = caps.map((cap) => {
		const used = cap.endpoints.reduce((sum, name) => sum + (perSecond.get(name) ?? 0), 0);
		return { cap, times: cap.perSecond / used };
	});
	return reached.reduce((first, each) => (each.times < first.times ? each : first));
}
