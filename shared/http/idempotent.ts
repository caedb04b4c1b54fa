import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { DomainError } from '#domain/errors.ts';
import { type Idempotency, keepAnswerMs } from '#domain/ports/idempotency.ts';
import type { IdempotencyRecordFactory } from '#domain/transaction/run-transaction.ts';
import { type ApiResponse, ok } from './api-response.ts';
import type { Caller } from './caller.ts';
import type { ApiEvent } from './event.ts';
import { bytesOf, headerOf } from './request.ts';
import { RequestError } from './request-error.ts';

export interface IdempotentDeps {
	readonly idempotency: Idempotency;
	readonly newId: () => string;
	readonly now: () => number;
}

const keptSchema = v.object({ body: v.unknown(), headers: v.optional(v.record(v.string(), v.string())) });

/**
 * Executes a write once, however often a client sends it with the same Idempotency-Key (design section 6): the key is claimed
 * first, the answer kept in the write's own last transaction, and a repeat within 24 h is answered the same. An error gives
 * the claim up. Keys are apart by schema, user and route. Without a key it just writes.
 * @param write performs the write, keeping what it is given with its last commit
 * @param toAnswer the answer to a write that was done
 */
export async function idempotent<Result>(
	{ idempotency, newId, now }: IdempotentDeps,
	event: ApiEvent,
	{ schema, user }: Caller,
	write: (receipted: IdempotencyRecordFactory<Result>) => Promise<Result>,
	toAnswer: (result: Result) => ApiResponse,
): Promise<ApiResponse> {
	const key = keyOf(event);
	if (key === undefined) return toAnswer(await write(undefined));
	const claim = { key: JSON.stringify([schema, user, event.requestContext.routeKey, key]), token: newId() };
	const claimed = await idempotency.claim(claim, fingerprintOf(event), now());
	if (claimed.state === 'done') {
		const { body, headers } = v.parse(keptSchema, JSON.parse(claimed.response));
		return ok(body, headers);
	}
	if (claimed.state !== 'claimed') throw new DomainError('key_in_use', { why: claimed.state });
	try {
		const result = await write((each) => {
			const { body, headers } = toAnswer(each);
			return { claim, response: JSON.stringify({ body, headers }), keepUntil: now() + keepAnswerMs };
		});
		return toAnswer(result);
	} catch (error) {
		// Whether or not this works: a claim lapses by itself. The client is told of the error that it met.
		await idempotency.release(claim).catch(() => undefined);
		throw error;
	}
}

/** The client's key: visible ASCII, at most 255 characters; undefined where there is none. */
function keyOf(event: ApiEvent): string | undefined {
	const key = headerOf(event, 'idempotency-key');
	if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key))
		throw new RequestError(400, 'Idempotency-Key', 'Expected 1 to 255 visible ASCII characters.');
	return key;
}

/** What tells one request from another under the same key. */
const fingerprintOf = (event: ApiEvent): string =>
	createHash('sha256')
		.update(JSON.stringify([event.requestContext.routeKey, event.rawPath, event.rawQueryString]))
		.update(bytesOf(event))
		.digest('hex');
