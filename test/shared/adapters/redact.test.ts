import { describe, expect, test } from 'vitest';
import { reasonOf, redactServerMessage } from '#adapters/redact.ts';

describe('a server’s own words', () => {
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
	])('%j are %j', (message, words) => {
		expect(redactServerMessage(message)).toBe(words);
	});

	test('end before a secret that they repeat', () => {
		expect(redactServerMessage('got Token s3cret and s3cret', 's3cret')).toBe('got Token …');
		expect(redactServerMessage('got b, then a', 'a', 'b')).toBe('got …');
		expect(redactServerMessage('got Token other', 's3cret')).toBe('got Token other');
	});

	test('are 300 characters at most', () => {
		expect(redactServerMessage('x'.repeat(300))).toBe('x'.repeat(300));
		expect(redactServerMessage('x'.repeat(301))).toBe(`${'x'.repeat(300)} …`);
	});
});

describe('a reason for the log', () => {
	test('is an error’s name and its own words', () => {
		const error = Object.assign(new Error('Requested resource not found: Table: "plant"'), { name: 'ResourceNotFoundException' });
		expect(reasonOf(error)).toBe('ResourceNotFoundException: Requested resource not found: Table: …');
	});

	test('quotes nothing that could not be parsed', () => {
		expect(reasonOf(new SyntaxError('Unexpected token p, private'))).toBe('the answer is not JSON');
	});

	test('is made of whatever was thrown', () => {
		expect(reasonOf('no "more"')).toBe('no …');
		expect(reasonOf(undefined)).toBe('undefined');
	});
});
