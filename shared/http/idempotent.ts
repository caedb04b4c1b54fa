import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { DomainError } from '#domain/errors.ts';
import { type Idempotency, keepResponseMs } from '#domain/ports/idempotency.ts';
import { type IdempotencyRecordFactory, noRecord } from '#domain/transaction/run-transaction.ts';
import { type ApiResponse, ok } from './api-response.ts';
import { callerOf } from './caller.ts';
import type { ApiEvent } from './event.ts';
import { bytesOf, headerOf } from './request.ts';
import { RequestError } from './request-error.ts';

/** The dependencies of `idempotent`. */
export interface IdempotentDeps {
	readonly idempotency: Idempotency;
	/** Returns a new random id. */
	readonly newId: () => string;
	/** Epoch milliseconds. */
	readonly now: () => number;
}

/**
 * A stored response. Its status is not stored, because every completed write has the status 200. `isUnchanged`: the write changed nothing,
 * so its response is not stored: a retry executes the write again, and gets that response if the write still changes nothing.
 */
const storedResponseSchema = v.object({
	isUnchanged: v.optional(v.literal(true)),
	body: v.unknown(),
	headers: v.optional(v.record(v.string(), v.string())),
});

/** A response of more characters is not stored where the write changed nothing. Otherwise saves of one large item could fill the store. */
const maxUnchangedLength = 4096;

/**
 * Executes a write once for all requests of one user and route with the same Idempotency-Key
 * (shared/domain/transaction/README.md#idempotency). It claims the key, and the write stores the response in its last transaction. For 24
 * hours a retry gets that response, with the header Idempotent-Replayed. A write that throws releases the key. A request without a key is always executed.
 * @param write executes the write, and passes the record factory to `runTransaction`
 * @param toResponse returns the response to a completed write
 * @throws RequestError 400 when the key is malformed.
 * @throws DomainError `key_in_use` when the first request with the key is running, was a different one, or changed nothing that others have
 * changed since; and what `write` throws.
 * @example
 * return idempotent<PanelRow>(
 * 	deps,
 * 	event,
 * 	(createRecord) => savePanel(deps, schema, panel, match, createRecord),
 * 	(row) => ok({ data: panelToJson(row) }, etagOf(row)),
 * );
 */
export async function idempotent<Result>(
	{ idempotency, newId, now }: IdempotentDeps,
	event: ApiEvent,
	write: (createRecord: IdempotencyRecordFactory<Result>) => Promise<Result>,
	toResponse: (result: Result) => ApiResponse,
): Promise<ApiResponse> {
	const key = keyOf(event);
	if (key === undefined) return toResponse(await write(noRecord));
	const { schema, user } = callerOf(event);
	const claim = { key: JSON.stringify([schema, user, event.requestContext.routeKey, key]), token: newId() };
	const outcome = await idempotency.claim(claim, fingerprintOf(event), now());
	if (outcome.state === 'done') {
		const stored = v.parse(storedResponseSchema, JSON.parse(outcome.response));
		const { body, headers } = stored.isUnchanged ? toResponse(await write(refuseChange)) : stored;
		return ok(body, { ...headers, 'idempotent-replayed': 'true' });
	}
	if (outcome.state !== 'claimed') throw new DomainError('key_in_use', { reason: outcome.state });
	try {
		const result = await write((written, isChanged) => {
			const { body, headers } = toResponse(written);
			const whole = JSON.stringify({ body, headers });
			const response =
				isChanged || whole.length <= maxUnchangedLength ? whole : JSON.stringify({ isUnchanged: true, body: null });
			return { claim, response, keepUntil: now() + keepResponseMs };
		});
		return toResponse(result);
	} catch (error) {
		// The client gets the error of the write. A claim that cannot be released expires by itself.
		await idempotency.release(claim).catch(() => undefined);
		throw error;
	}
}

/** In place of a factory of records: lets a write end only where it changes nothing. @throws DomainError `key_in_use` */
function refuseChange(_answer: unknown, isChanged: boolean): undefined {
	if (isChanged) throw new DomainError('key_in_use', { reason: 'changed_since' });
}

/**
 * Checks the Idempotency-Key of a dry run, which stores nothing under it.
 * @throws RequestError 400 when the key is malformed.
 */
export function checkIdempotencyKey(event: ApiEvent): void {
	keyOf(event);
}

/**
 * Refuses an Idempotency-Key, for an endpoint whose answer must not be stored: it holds a secret.
 * @throws RequestError 400 when there is a key
 */
export function refuseIdempotencyKey(event: ApiEvent): void {
	if (headerOf(event, 'idempotency-key') === undefined) return;
	const message =
		'This answer is never stored, as it holds a secret: leave the key out, and list the machines after a lost answer.';
	throw new RequestError(400, 'Idempotency-Key', 'no_idempotency_key', message);
}

function keyOf(event: ApiEvent): string | undefined {
	const key = headerOf(event, 'idempotency-key');
	if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key))
		throw new RequestError(400, 'Idempotency-Key', 'bad_idempotency_key', 'Expected 1 to 255 visible ASCII characters.');
	return key;
}

/** Returns a hash of the request, which distinguishes a retry from a different request with the same key. */
function fingerprintOf(event: ApiEvent): string {
	return createHash('sha256')
		.update(JSON.stringify([event.requestContext.routeKey, event.rawPath, event.rawQueryString]))
		.update(bytesOf(event))
		.digest('hex');
}
