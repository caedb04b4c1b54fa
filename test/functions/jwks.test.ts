import { describe, expect, test } from 'vitest';
import { createHandler } from '#functions/jwks/handler.ts';
import type { Log, RequestRecord } from '#http/log.ts';
import { silentLog } from '#infra/local/console-log.ts';
import { makeEvent } from '#test/support/builders/events.ts';
import { errorEntry } from '#test/support/error-entry.ts';

const event = makeEvent('GET /.well-known/jwks.json');

describe('jwks', () => {
	test('returns the published keys, which may be cached for an hour', async () => {
		const keys = [{ kty: 'RSA', use: 'sig', alg: 'RS256', kid: 'k1', n: 'AQAB', e: 'AQAB' }] as const;
		const { statusCode, headers, body } = await createHandler({ log: silentLog, publicKeys: { published: async () => keys } })(
			event,
		);
		expect(statusCode).toBe(200);
		expect(headers).toMatchObject({ 'cache-control': 'public, max-age=3600' });
		expect(JSON.parse(body ?? '')).toEqual({ keys });
	});

	test('without a published key returns a 503 that is not cached, and logs it', async () => {
		const errors: string[] = [];
		const records: RequestRecord[] = [];
		const log: Log = {
			...silentLog,
			error: (_, fields) => void errors.push(String(fields['error'])),
			request: (record) => void records.push(record),
		};
		const { statusCode, headers, body } = await createHandler({ log, publicKeys: { published: async () => [] } })(event);
		expect(statusCode).toBe(503);
		expect(headers).toMatchObject({ 'cache-control': 'no-store', 'retry-after': '5' });
		expect(JSON.parse(body ?? '')).toEqual({ request: errorEntry('no_published_key', expect.stringContaining('npm run key')) });
		expect(errors).toEqual([expect.stringContaining('no_published_key')]);
		expect(records).toMatchObject([{ status: 503, outcome: 'fault' }]);
	});
});
