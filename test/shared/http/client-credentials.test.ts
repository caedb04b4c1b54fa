import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clientCredentialsOf, maxFormBytes, maxFormParameters } from '#http/client-credentials.ts';
import { RequestError } from '#http/request-error.ts';
import { makeEvent } from '#test/support/builders/events.ts';

const grant = 'grant_type=client_credentials&client_id=c&client_secret=s';
const read = (body: string) =>
	clientCredentialsOf(makeEvent('POST /token', { body, headers: { 'content-type': 'application/x-www-form-urlencoded' } }));
const others = (count: number): string => Array.from({ length: count }, (_, index) => `&p${index}=`).join('');

describe('clientCredentialsOf', () => {
	test(`takes ${maxFormParameters} parameters, and refuses one more`, () => {
		expect(read(grant + others(maxFormParameters - 3))).toEqual({ clientId: 'c', secret: 's', scope: '' });
		expect(read(grant + others(maxFormParameters - 2))).toMatchObject({
			error: 'invalid_request',
			description: 'Send at most 20 parameters.',
		});
	});

	test(`takes ${maxFormBytes} bytes, and refuses one more with 413`, () => {
		const padding = `&pad=${'x'.repeat(maxFormBytes - grant.length - '&pad='.length)}`;
		expect(read(grant + padding)).toEqual({ clientId: 'c', secret: 's', scope: '' });
		expect(() => read(`${grant}${padding}x`)).toThrow(RequestError);
	});

	test('refuses a parameter that is there twice', () => {
		expect(read(`${grant}&scope=a&scope=a`)).toMatchObject({
			error: 'invalid_request',
			description: 'A parameter is there twice.',
		});
	});

	test('reads what a client encoded, among other parameters', () => {
		const texts = fc.string({ unit: 'grapheme', maxLength: 20 });
		fc.assert(
			fc.property(texts, texts, texts, (clientId, secret, scope) => {
				const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: secret, scope });
				expect(read(form.toString())).toEqual({ clientId, secret, scope });
			}),
		);
	});
});

test('a compressed form is refused, and is not taken for one without fields', () => {
	const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-encoding': 'gzip' };
	const sent = clientCredentialsOf(makeEvent('POST /token', { body: 'grant_type=client_credentials', headers }));
	expect(sent).toMatchObject({ error: 'invalid_request', description: expect.stringContaining('Content-Encoding') });
});
