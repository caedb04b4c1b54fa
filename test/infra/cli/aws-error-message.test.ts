import { describe, expect, test } from 'vitest';
import { awsErrorMessage } from '#infra/cli/aws-error-message.ts';

const named = (name: string, message = 'as AWS says it', more: object = {}): Error =>
	Object.assign(new Error(message), { name, ...more });

describe('awsErrorMessage', () => {
	test.each<[string, Error, RegExp]>([
		['no credentials', named('CredentialsProviderError'), /^There are no AWS credentials: sign in/],
		['expired credentials', named('ExpiredTokenException'), /have expired: sign in/],
		['an expired session', named('TokenProviderError'), /have expired: sign in/],
		['unknown credentials', named('UnrecognizedClientException'), /does not accept these credentials \(as AWS says it\)/],
		['a wrong secret', named('InvalidSignatureException'), /does not accept these credentials/],
		[
			'a missing permission',
			named('AccessDeniedException', 'User x may not kms:DescribeKey'),
			/may not do that: User x may not kms/,
		],
		['a missing table', named('ResourceNotFoundException'), /no such table: check --env and AWS_REGION/],
		['a missing region', new Error('Region is missing'), /^Set AWS_REGION/],
		[
			'an unknown host',
			named('Error', 'getaddrinfo', { code: 'ENOTFOUND' }),
			/cannot be reached \(getaddrinfo\): check the network/,
		],
		['an error without a message', named('AggregateError', '', { code: 'ECONNREFUSED' }), /cannot be reached \(ECONNREFUSED\)/],
		['a timeout', named('TimeoutError', 'too late'), /cannot be reached \(too late\)/],
	])('explains %s', (_, error, message) => {
		expect(awsErrorMessage(error)).toMatch(message);
	});

	test('explains the cause of an error', () => {
		const cause = new Error('given up', { cause: named('CredentialsProviderError') });
		expect(awsErrorMessage(new Error('store_failed', { cause }))).toMatch(/no AWS credentials/);
	});

	test.each([[new TypeError('a bug')], ['text'], [null], [undefined]])('returns null for any other value: %s', (error) => {
		expect(awsErrorMessage(error)).toBeNull();
	});

	test('returns null for an error that is its own cause', () => {
		const error = new Error('a bug');
		error.cause = error;
		expect(awsErrorMessage(error)).toBeNull();
	});
});
