import { DomainError } from '#domain/errors.ts';

/** The limit of requests under way per schema, unless the settings say otherwise. Lambda sends an environment 64 at once per CPU, at most. */
export const defaultRequestsPerSchema = 50;

/** When a refused client should ask again. */
const retryAfterMs = 1000;

/** Limits the requests of each schema that are under way in this process, so that one tenant does not take what the others need. */
export interface SchemaLimit {
	/**
	 * Counts a request of a schema. Returns the function to be called when it has ended.
	 * @throws DomainError `schema_busy` when the schema has as many under way as it may
	 */
	begin(schema: string): () => void;
}

/** Creates a limit. @param limit most requests of one schema under way */
export function createSchemaLimit(limit: number): SchemaLimit {
	const underWay = new Map<string, number>();
	const countOf = (schema: string): number => underWay.get(schema) ?? 0;
	return {
		begin: (schema) => {
			if (countOf(schema) >= limit) throw new DomainError('schema_busy', { setting: 'REQUESTS_PER_SCHEMA', limit, retryAfterMs });
			underWay.set(schema, countOf(schema) + 1);
			return () => {
				if (countOf(schema) === 1) underWay.delete(schema);
				else underWay.set(schema, countOf(schema) - 1);
			};
		},
	};
}

/** Lets any number of requests through. */
export const unlimited: SchemaLimit = { begin: () => () => undefined };
