import { expect, test } from 'vitest';
import { isAuthorizedV1 } from '#infra/local/influx-write-api/refusals.ts';

const requestWith = (query: string, authorization?: string) => ({
	method: 'POST',
	path: '/write',
	query: new URLSearchParams(query),
	headers: { authorization },
	readBody: async () => Buffer.alloc(0),
});

test.each([
	['db=x', undefined],
	['db=x&u=a&p=', undefined],
	['db=x', 'Token a:'],
	['db=x', `Basic ${Buffer.from('a:').toString('base64')}`],
])('an empty credential is none, even for an empty token: %s %s', (query, authorization) => {
	expect(isAuthorizedV1(requestWith(query, authorization), '')).toBe(false);
});

test('the password of any user is the token', () => {
	expect(isAuthorizedV1(requestWith('u=a&p=a-token'), 'a-token')).toBe(true);
	expect(isAuthorizedV1(requestWith('', 'Token a:a-token'), 'a-token')).toBe(true);
});
