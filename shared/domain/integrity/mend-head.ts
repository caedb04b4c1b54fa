import { DomainError } from '../errors.ts';
import type { MetadataCorrection, SchemaMetadata, SchemaStore } from '../ports/schema-store.ts';
import type { WriteDeps } from '../transaction/run-transaction.ts';
import type { InconsistencyOf } from './find.ts';
import type { Repair } from './mend.ts';

const maxAttempts = 12;

const retryAfterMs = 1000;

/** What the head should be, from what it is; null where it is right, undefined where it cannot be told and is to be read again. */
type Decide = (head: SchemaMetadata) => Promise<MetadataCorrection | null | undefined>;

/**
 * Mends what was found wrong with the head, on condition that nothing is written meanwhile.
 * @returns null where it is not wrong any more
 * Throws `write_contention` where writes keep coming between.
 */
export async function mendHead(
	deps: WriteDeps,
	schema: string,
	finding: InconsistencyOf<'counter_behind' | 'wrong_count'>,
): Promise<Repair | null> {
	if (finding.kind === 'counter_behind')
		return (await correct(deps, schema, raiseCounter(finding))) ? { how: 'counter_raised' } : null;
	return (await correct(deps, schema, countAnew(deps.store, schema))) ? { how: 'count_corrected' } : null;
}

async function correct({ store, pause }: WriteDeps, schema: string, decide: Decide): Promise<boolean> {
	for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
		const correction = await decide(await store.schemaMetadata(schema));
		if (correction === null) return false;
		if (correction !== undefined && (await store.correctMetadata(schema, correction)) === 'committed') return true;
		await pause(attempt);
	}
	throw new DomainError('write_contention', { retryAfterMs });
}

/** Raises the counter to the highest id in use. */
const raiseCounter =
	({ highest }: InconsistencyOf<'counter_behind'>): Decide =>
	async ({ revision, variables, lastId }) =>
		lastId >= highest ? null : { expectedRevision: revision, variables, lastId: highest };

/** Counts the variables as they are together at one revision. */
const countAnew =
	(store: SchemaStore, schema: string): Decide =>
	async ({ revision, variables, lastId }) => {
		const counted = await store.snapshot(schema, 'all');
		if (counted.revision !== revision) return undefined;
		return counted.variables.size === variables
			? null
			: { expectedRevision: revision, variables: counted.variables.size, lastId };
	};
