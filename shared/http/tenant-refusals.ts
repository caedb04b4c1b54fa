import type { TenantRefusal } from '#domain/access/own-tenant.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { Log } from './log.ts';

/** Returns the function that reports to the operator that a sign-in was refused for its tenant, although a provider allows it. */
export function tenantRefusalReporter({
	log,
	metrics,
}: {
	readonly log: Pick<Log, 'info'>;
	readonly metrics: Pick<Metrics, 'count'>;
}): (refusal: TenantRefusal) => void {
	return (refusal) => {
		metrics.count('TenantRefusals');
		log.info('A sign-in was refused for its tenant: the tool schema owner says whose it is.', { ...refusal });
	};
}
