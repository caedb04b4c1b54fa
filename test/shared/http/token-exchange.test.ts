import { describe, expect, test } from 'vitest';
import { exchangeGrantType, exchangeResponse, maxSubjectTokenBytes, tokenExchangeOf } from '#http/token-exchange.ts';
import { makeEvent } from '#test/support/builders/events.ts';

const jwt = 'urn:ietf:params:oauth:token-type:jwt';
const accessToken = 'urn:ietf:params:oauth:token-type:access_token';

const valid = [
	['grant_type', exchangeGrantType],
	['subject_token', 'header.payload.signature'],
	['subject_token_type', jwt],
] as const;

/** Parses a form. */
const parse = (parameters: readonly (readonly [string, string])[]) =>
	tokenExchangeOf(
		makeEvent('POST /token', {
			body: new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, value])).toString(),
			headers: { 'content-type': 'application/x-www-form-urlencoded' },
		}),
	);
const without = (name: string) => valid.filter(([each]) => each !== name);

describe('the form of an exchange (RFC 8693, section 2.1)', () => {
	test('has a token, the schema that it is for, and the scope', () => {
		expect(parse(valid)).toEqual({ subjectToken: 'header.payload.signature', schema: null, scope: '' });
		expect(
			parse([...valid, ['resource', 'urn:caudal:schema:plant_a'], ['scope', 'read'], ['requested_token_type', accessToken]]),
		).toEqual({ subjectToken: 'header.payload.signature', schema: 'plant_a', scope: 'read' });
		expect(parse([...without('subject_token_type'), ['subject_token_type', accessToken]])).toMatchObject({ schema: null });
	});

	test('is one of another grant type', () => {
		expect(parse([['grant_type', 'client_credentials']])).toBeNull();
		expect(parse([])).toBeNull();
	});

	test.each<[string, readonly (readonly [string, string])[], string]>([
		['no token', without('subject_token'), 'invalid_request'],
		['no type', without('subject_token_type'), 'invalid_request'],
		[
			'an ID token',
			[...without('subject_token_type'), ['subject_token_type', 'urn:ietf:params:oauth:token-type:id_token']],
			'invalid_request',
		],
		['an actor', [...valid, ['actor_token', 'x']], 'invalid_request'],
		['another type of answer', [...valid, ['requested_token_type', jwt]], 'invalid_request'],
		['a parameter twice', [...valid, ['scope', 'read'], ['scope', 'read']], 'invalid_request'],
		['a large token', [...without('subject_token'), ['subject_token', 'x'.repeat(maxSubjectTokenBytes + 1)]], 'invalid_request'],
		['two resources', [...valid, ['resource', 'urn:caudal:schema:a'], ['resource', 'urn:caudal:schema:b']], 'invalid_target'],
		['another resource', [...valid, ['resource', 'https://caudal.example']], 'invalid_target'],
		['many parameters', [...valid, ...Array.from({ length: 18 }, (_, index) => [`p${index}`, ''] as const)], 'invalid_request'],
		['an audience', [...valid, ['audience', 'caudal']], 'invalid_target'],
	])('is refused: %s', (_, parameters, error) => {
		expect(parse(parameters)).toMatchObject({ error });
	});
});

test('the answer says what was given, and is stored nowhere (RFC 8693, section 2.2)', () => {
	expect(exchangeResponse({ token: 't', expiresInSeconds: 60, scope: 'read' })).toEqual({
		status: 200,
		headers: { 'cache-control': 'no-store', pragma: 'no-cache' },
		body: { access_token: 't', issued_token_type: accessToken, token_type: 'Bearer', expires_in: 60, scope: 'read' },
	});
	expect(exchangeResponse({ error: 'invalid_target' })).toMatchObject({
		status: 400,
		body: { error: 'invalid_target', error_description: expect.stringContaining('resource=urn:caudal:schema:NAME') },
	});
});
