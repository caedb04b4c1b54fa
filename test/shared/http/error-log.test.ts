import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { DomainError } from '#domain/errors.ts';
import { formatError } from '#http/error-log.ts';

const thrownBy = (run: () => unknown): unknown => {
	try {
		return run();
	} catch (error) {
		return error;
	}
};

describe('formatError', () => {
	test('writes name, message and stack', () => {
		const lines = formatError(new TypeError('wrong')).split('\n');
		expect(lines[0]).toBe('TypeError: wrong');
		expect(lines[1]).toMatch(/^ {4}at .*error-log\.test\.ts:\d+:\d+/);
	});

	test('writes the code and payload of a domain error', () => {
		const error = new DomainError('store_failed', { cause: 'disk full' });
		expect(formatError(error)).toMatch(/^DomainError: store_failed: \{"cause":"disk full"\}\n {4}at /);
	});

	test('writes every cause with its own stack, and every error of an AggregateError', () => {
		const several = new AggregateError([new Error('one way'), new Error('another')], 'no way');
		const text = formatError(new Error('outer', { cause: several }));
		expect(text).toMatch(
			/^Error: outer\n {4}at [\s\S]*\ncause: AggregateError: no way\n {4}at [\s\S]*\ncause: Error: one way\n {4}at [\s\S]*\ncause: Error: another\n/,
		);
	});

	test('writes the error code of the operating system', () => {
		expect(formatError(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }))).toMatch(
			/^Error \[ECONNREFUSED\]: connect\n/,
		);
	});

	test.each([['private words'], [7], [null], [{ secret: 'private' }]])('leaves out the code %j', (code) => {
		expect(formatError(Object.assign(new Error('x'), { code }))).toMatch(/^Error: x\n/);
	});

	test('leaves out properties that SDKs add to their errors', () => {
		const carrying = Object.assign(new Error('failed'), {
			body: 'private',
			headers: { authorization: 'private' },
			$response: { body: 'private' },
		});
		expect(formatError(new Error('outer', { cause: carrying }))).not.toContain('private');
	});

	test.each([
		['AWS', { $metadata: { httpStatusCode: 400 } }],
		['InfluxDB', { statusCode: 400, body: 'private' }],
	])('leaves out the message of a server: %s', (_, properties) => {
		const error = Object.assign(new Error('private'), { name: 'ServiceException', ...properties });
		expect(formatError(new Error('outer', { cause: error }))).toMatch(
			/\ncause: ServiceException: \(message of a server left out\)\n {4}at /,
		);
		expect(formatError(error)).not.toContain('private');
	});

	test('leaves out lines of a message that look like stack frames', () => {
		const error = Object.assign(new Error('said\n    at private\n    at private'), { statusCode: 500 });
		expect(formatError(error)).toMatch(/^Error: \(message of a server left out\)\n {4}at /);
		expect(formatError(error)).not.toContain('private');
	});

	test('leaves out text that could not be parsed', () => {
		const text = formatError(thrownBy(() => JSON.parse('private')));
		expect(text).toMatch(/^SyntaxError: \(message with unparsed text left out\)\n {4}at /);
	});

	test('writes the path and the expected type of an invalid value, and leaves out the value', () => {
		const schema = v.object({ rows: v.array(v.object({ id: v.number(), kind: v.picklist(['a', 'b']) })) });
		const text = formatError(thrownBy(() => v.parse(schema, { rows: [{ id: 'private', kind: 'private' }] })));
		expect(text).toMatch(/^ValiError: rows\.0\.id: expected number; rows\.0\.kind: expected \("a" \| "b"\)\n/);
		expect(text).not.toContain('private');
	});

	test('limits the length of messages and the number of causes', () => {
		let error = new Error('x'.repeat(100_000));
		for (let depth = 0; depth < 1000; depth += 1) error = new Error('x'.repeat(100_000), { cause: error });
		expect(formatError(error).length).toBeLessThan(40_000);
		const ring = new Error('ring');
		ring.cause = ring;
		expect(formatError(ring).length).toBeLessThan(40_000);
	});

	test.each([
		['text', 'text'],
		[undefined, 'Not an error: [object Undefined]'],
		[{ secret: 'private' }, 'Not an error: [object Object]'],
		[Object.create(null), 'Not an error: [object Object]'],
	])('accepts any thrown value: %j', (thrown, text) => {
		expect(formatError(thrown)).toBe(text);
	});
});
