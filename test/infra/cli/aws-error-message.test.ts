import { describe, expect, test } from 'vitest';
import { awsErrorMessage } from '#infra/cli/aws-error-message.ts';

const named = (name: string, message = 'as AWS says it', more: object = {}): Error =>
	Object.assign(new Error(message), { name, ...more });

describe('what an operator is told of a failure of AWS', () => {
	test.each<[string, Error, RegExp]>([
		['no credentials', named('CredentialsProviderError'), /^There are no AWS credentials: sign in/],
		['credentials that are over', named('ExpiredTokenException'), /have expired: sign in/],
		['a session that is over', named('TokenProviderError'), /have expired: sign in/],
		['credentials of nobody', named('UnrecognizedClientException'), /does not take these credentials \(as AWS says it\)/],
		['a wrong secret', named('InvalidSignatureException'), /does not take these credentials/],
		[
			'no right to do it',
			named('AccessDeniedException', 'User x may not kms:DescribeKey'),
			/may not do that: User x may not kms/,
		],
		['no such table', named('ResourceNotFoundException'), /no such table: check --env and AWS_REGION/],
		['no region', new Error('Region is missing'), /^Set AWS_REGION/],
		[
			'no such host',
			named('Error', 'getaddrinfo', { code: 'ENOTFOUND' }),
			/cannot be reached \(getaddrinfo\): check the network/,
		],
		['an error without a message', named('AggregateError', '', { code: 'ECONNREFUSED' }), /cannot be reached \(ECONNREFUSED\)/],
		['no answer', named('TimeoutError', 'too late'), /cannot be reached \(too late\)/],
	])('%s', (_, error, words) => {
		expect(awsErrorMessage(error)).toMatch(words);
	});

	test('looks at what an error was caused by', () => {
		const cause = new Error('given up', { cause: named('CredentialsProviderError') });
		expect(awsErrorMessage(new Error('store_failed', { cause }))).toMatch(/no AWS credentials/);
	});

	test.each([[new TypeError('a bug')], ['text'], [null], [undefined]])('anything else is none: %s', (error) => {
		expect(awsErrorMessage(error)).toBeNull();
	});

	test('an error that caused itself is none', () => {
		const error = new Error('a bug');
		error.cause = error;
		expect(awsErrorMessage(error)).toBeNull();
	});
});
