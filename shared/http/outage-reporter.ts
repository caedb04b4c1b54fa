import type { ReportOutage } from '#domain/identity/provider-outage.ts';
import { formatError } from './error-log.ts';
import type { Log } from './log.ts';

/** Returns the function that tells the operator that a provider is down: a renewal answers 200 all the same. */
export function outageReporter(log: Pick<Log, 'error'>): ReportOutage {
	return (outage) =>
		log.error('A provider is down: what it said last holds until the session ends.', { error: formatError(outage) });
}
