import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context } from 'aws-lambda';
import { createSchemaLimit, defaultRequestsPerSchema, type SchemaLimit } from '#http/schema-limit.ts';

/** Milliseconds that are kept for releasing the claim of an idempotency key and for sending the response. */
const reservedMs = 3000;
/** Most milliseconds that are kept for other dependencies. Of the 28 s of a function, 10 s are then left for DynamoDB. */
const maxOtherMs = 15_000;

/** The time until Lambda ends a request, for whatever runs for that request: an environment may serve several requests at once. */
const deadlines = new AsyncLocalStorage<() => number>();

/** Without limit outside of requests: while the function loads, and on one machine. */
const remainingMs = (): number => deadlines.getStore()?.() ?? Number.POSITIVE_INFINITY;

/** The limit of this environment, where it serves several requests at once. */
const limit = createSchemaLimit(defaultRequestsPerSchema);

/**
 * Returns the handler as Lambda calls it. From Lambda's deadline of each request, `timeLeftMs` tells how long dependencies may take. Each schema may have
 * `defaultRequestsPerSchema` requests under way in an environment.
 */
export function withLambdaDeadline<Event, Result>(
	handler: (event: Event, limit: SchemaLimit) => Promise<Result>,
): (event: Event, context: Pick<Context, 'getRemainingTimeInMillis'>) => Promise<Result> {
	return (event, context) => deadlines.run(() => context.getRemainingTimeInMillis(), handler, event, limit);
}

/** Returns whether something that takes so long, in milliseconds, can be done before the function has to answer. */
export function hasTimeFor(milliseconds: number): boolean {
	return remainingMs() - reservedMs >= milliseconds;
}

/**
 * Returns how long requests to a dependency may still take, so that the function answers before Lambda ends it
 * (shared/adapters/dynamo/README.md#retries-and-faults).
 * @param otherMs the longest time that other dependencies take after it
 */
export function timeLeftMs(otherMs = 0): number {
	return remainingMs() - reservedMs - Math.min(otherMs, maxOtherMs);
}
