import { inParallel } from '../alarm/in-parallel.ts';
import { minuteMs } from '../milliseconds.ts';
import type { Owners } from '../ports/owners.ts';
import { type CloseDeps, closeReportDays } from './close-report-days.ts';

/** Most schemas that are closed at the same time. */
const maxConcurrentSchemas = 4;

/** How often the task runs, in milliseconds. */
const runMs = 15 * minuteMs;

/** A run starts no schema after this time, in milliseconds. Its function ends after 300 s. The next run begins with the schemas that were left. */
const startSchemasMs = 200_000;

/** What a run did. */
export interface ClosedReports {
	/** Number of schemas that were closed. */
	readonly schemas: number;
	readonly stored: number;
	readonly sealed: number;
	readonly sent: number;
	/** The errors of schemas where something failed. */
	readonly failed: ReadonlyMap<string, readonly unknown[]>;
	/** Number of schemas that were not started because time was up. */
	readonly notStarted: number;
}

/**
 * Closes the days of the reports of every schema that has an owner: whoever saves a report has signed in for one. One schema that fails or is
 * slow does not keep the others from being closed. Each run begins with another schema, so that none waits for ever.
 * @throws DomainError the errors of the store, where the owners cannot be listed
 */
export async function closeAllReportDays(deps: CloseDeps & { readonly owners: Pick<Owners, 'list'> }): Promise<ClosedReports> {
	const startedAt = deps.now();
	const owned = await deps.owners.list();
	const names = owned.flatMap(({ kind, name }) => (kind === 'schema' ? [name] : [])).sort();
	/** The position of the first schema. It moves on by one with each run. */
	const first = names.length === 0 ? 0 : Math.floor(startedAt / runMs) % names.length;
	const done = { schemas: 0, stored: 0, sealed: 0, sent: 0, notStarted: 0 };
	const failed = new Map<string, readonly unknown[]>();
	await inParallel(maxConcurrentSchemas, [...names.slice(first), ...names.slice(0, first)], async (schema) => {
		if (deps.now() - startedAt > startSchemasMs) {
			done.notStarted += 1;
			return;
		}
		try {
			const { errors, ...closed } = await closeReportDays(deps, schema);
			if (errors.length > 0) failed.set(schema, errors);
			done.schemas += 1;
			done.stored += closed.stored;
			done.sealed += closed.sealed;
			done.sent += closed.sent;
		} catch (error) {
			failed.set(schema, [error]);
		}
	});
	return { ...done, failed };
}
