import { minuteMs } from '#domain/milliseconds.ts';
import type { RequestRecord } from './log.ts';

/** How many requests in a row must fail, and over how long. Neither a short outage nor one request that fails is a schema that fails. */
const minFaults = 3;
const minSpanMs = 5 * minuteMs;

/**
 * Creates what watches whether schemas fail wholly. It is told of each request, and returns its schema where the request failed as all did that the
 * schema sent to its route in this process for 5 min, three at least; otherwise null. Requests that were refused count for nothing: the service did
 * its work.
 * @param now epoch milliseconds
 */
export function createFailingSchemas(now: () => number): (record: RequestRecord) => string | null {
	/** The faults since the last answer, by route and schema. */
	const faultsOf = new Map<string, { readonly since: number; readonly count: number }>();
	return ({ schema, routeKey, outcome }) => {
		if (schema === undefined || outcome === 'refused') return null;
		const key = `${routeKey} ${schema}`;
		if (outcome === 'ok') {
			faultsOf.delete(key);
			return null;
		}
		const { since, count } = faultsOf.get(key) ?? { since: now(), count: 0 };
		faultsOf.set(key, { since, count: count + 1 });
		return count + 1 >= minFaults && now() - since >= minSpanMs ? schema : null;
	};
}
