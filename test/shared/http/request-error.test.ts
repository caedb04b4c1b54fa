import { expect, test } from 'vitest';
import { ok } from '#http/api-response.ts';
import { callerOf } from '#http/caller.ts';
import { ifMatchOf } from '#http/etag.ts';
import type { ApiEvent, ApiResult } from '#http/event.ts';
import { eventPageRequestOf } from '#http/event-page.ts';
import { idempotent, refuseIdempotencyKey } from '#http/idempotent.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import { readListing } from '#http/listing.ts';
import { bodyOf, isDryRun, maxBodyBytes, pathIdOf, refuseDryRun } from '#http/request.ts';
import { type RequestErrorCode, requestErrorParams } from '#http/request-error.ts';
import { silentLog } from '#infra/local/console-log.ts';
import { makeEvent, type RequestParts } from '#test/support/builders/events.ts';
import { createFakeStore } from '#test/support/fakes/fake-schema-store.ts';

type Respond = (event: ApiEvent) => unknown;

const refused = (respond: Respond, parts: RequestParts = {}, changes: Partial<ApiEvent> = {}) => {
	const event: ApiEvent = { ...makeEvent('POST /saveVariable', parts), ...changes };
	return createLambdaHandler(silentLog, async () => ok(await respond(event)))(event);
};
const sent = (text: string, headers = {}) => refused(bodyOf, { body: text, headers });
const { store, idempotency } = createFakeStore(async () => undefined, Math.random);
const endless = { ...store, page: async () => ({ rows: [], next: 1 }) };

/** One request for each code. A code without a request does not compile. */
const requests: Readonly<Record<RequestErrorCode, () => Promise<ApiResult>>> = {
	content_encoding_not_supported: () => sent('{}', { 'content-encoding': 'gzip' }),
	content_type_not_json: () => sent('{}', { 'content-type': 'text/plain' }),
	body_too_large: () => sent(`"${'x'.repeat(maxBodyBytes)}"`),
	body_not_utf8: () => refused(bodyOf, { body: Buffer.of(0x22, 0xff, 0x22).toString('base64') }, { isBase64Encoded: true }),
	body_not_json: () => sent('{'),
	body_not_an_object: () => sent('[]'),
	body_required: () => sent(''),
	bad_path_id: () => refused(pathIdOf),
	bad_dry_run: () => refused(isDryRun, { query: { dryRun: '2' } }),
	no_dry_run: () => refused(refuseDryRun, { query: { dryRun: '1' } }),
	bad_idempotency_key: () =>
		refused((event) => idempotent({ idempotency, now: Date.now, newId: String }, event, async () => 1, ok), {
			headers: { 'idempotency-key': ' ' },
		}),
	no_idempotency_key: () => refused(refuseIdempotencyKey, { headers: { 'idempotency-key': 'x' } }),
	bad_if_match: () => refused(ifMatchOf, { headers: { 'if-match': '3' } }),
	bad_after: () => refused((event) => eventPageRequestOf(event, 0), { query: { after: 'x' } }),
	no_tenant: () => refused(callerOf, {}, { requestContext: { ...makeEvent('GET /bombs').requestContext, authorizer: {} } }),
	answer_too_large: () => refused(() => 'x'.repeat(7_000_000)),
	listing_too_large: () => refused((event) => readListing(event, endless, 's', 'chart')),
};

test.each(Object.entries(requests))('a refused request has the code %s, with its params', async (code, request) => {
	const { statusCode, body = '' } = await request();
	expect(statusCode).toBeGreaterThanOrEqual(400);
	const [entry] = Object.values<{ message: string; code: string; params: object }>(JSON.parse(body));
	expect(entry).toEqual({ message: expect.stringMatching(/\.$/), code, params: expect.any(Object) });
	expect(Object.keys(entry?.params ?? {})).toEqual(requestErrorParams[code as RequestErrorCode]);
});
