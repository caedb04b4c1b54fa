import { describe, expect, test } from 'vitest';
import { redactError, redactServerMessage } from '#adapters/redact.ts';

describe('redactServerMessage', () => {
	test.each([
		['unauthorized access', 'unauthorized access'],
		['', ''],
		["The limit isn’t known, and this doesn't help", "The limit isn’t known, and this doesn't help"],
		[
			'failed to initialize execute state: could not find bucket "plant_a"',
			'failed to initialize execute state: could not find bucket …',
		],
		["Value 'plant_a' at 'tableName' failed", 'Value …'],
		["The Canonical String should have been\n'POST\n/\nx-amz-security-token:abc", 'The Canonical String should have been …'],
		['cannot parse {"ids":[1]}', 'cannot parse …'],
		['cannot parse `ids`', 'cannot parse …'],
		['cannot parse \\"ids\\"', 'cannot parse …'],
		['{"ids":[1]}', '…'],
		["'ids'", '…'],
	])('turns %j into %j', (message, redacted) => {
		expect(redactServerMessage(message)).toBe(redacted);
	});

	test('cuts the message before a secret', () => {
		expect(redactServerMessage('got Token s3cret and s3cret', 's3cret')).toBe('got Token …');
		expect(redactServerMessage('got b, then a', 'a', 'b')).toBe('got …');
		expect(redactServerMessage('got Token other', 's3cret')).toBe('got Token other');
	});

	test('cuts the message after 300 characters', () => {
		expect(redactServerMessage('x'.repeat(300))).toBe('x'.repeat(300));
		expect(redactServerMessage('x'.repeat(301))).toBe(`${'x'.repeat(300)} …`);
	});
});

describe('redactError', () => {
	test('returns the name and the redacted message of an error', () => {
		const error = Object.assign(new Error('Requested resource not found: Table: "plant"'), { name: 'ResourceNotFoundException' });
		expect(redactError(error)).toBe('ResourceNotFoundException: Requested resource not found: Table: …');
	});

	test('does not quote the text of a SyntaxError', () => {
		expect(redactError(new SyntaxError('Unexpected token p, private'))).toBe('the answer is not JSON');
	});

	test('accepts any thrown value', () => {
		expect(redactError('no "more"')).toBe('no …');
		expect(redactError(undefined)).toBe('undefined');
	});
});
