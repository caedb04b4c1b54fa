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

describe('the text of an error', () => {
	test('is its name, message and stack', () => {
		const lines = formatError(new TypeError('wrong')).split('\n');
		expect(lines[0]).toBe('TypeError: wrong');
		expect(lines[1]).toMatch(/^ {4}at .*error-log\.test\.ts:\d+:\d+/);
	});

	test('names errors of our own, with what they carry', () => {
		const error = new DomainError('store_failed', { cause: 'disk full' });
		expect(formatError(error)).toMatch(/^DomainError: store_failed: \{"cause":"disk full"\}\n {4}at /);
	});

	test('has every cause with its own stack, and all of several', () => {
		const several = new AggregateError([new Error('one way'), new Error('another')], 'no way');
		const text = formatError(new Error('outer', { cause: several }));
		expect(text).toMatch(
			/^Error: outer\n {4}at [\s\S]*\ncause: AggregateError: no way\n {4}at [\s\S]*\ncause: Error: one way\n {4}at [\s\S]*\ncause: Error: another\n/,
		);
	});

	test('has the system’s code', () => {
		expect(formatError(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }))).toMatch(
			/^Error \[ECONNREFUSED\]: connect\n/,
		);
	});

	test.each([['private words'], [7], [null], [{ secret: 'private' }]])('leaves out a code that is none: %j', (code) => {
		expect(formatError(Object.assign(new Error('x'), { code }))).toMatch(/^Error: x\n/);
	});

	test('leaves out what clients hang on their errors', () => {
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
	])('leaves out what a server said: %s', (_, answer) => {
		const error = Object.assign(new Error('private'), { name: 'ServiceException', ...answer });
		expect(formatError(new Error('outer', { cause: error }))).toMatch(/\ncause: ServiceException: what a server said\n {4}at /);
		expect(formatError(error)).not.toContain('private');
	});

	test('takes no line of a message for one of the stack', () => {
		const error = Object.assign(new Error('said\n    at private\n    at private'), { statusCode: 500 });
		expect(formatError(error)).toMatch(/^Error: what a server said\n {4}at /);
		expect(formatError(error)).not.toContain('private');
	});

	test('quotes no text that could not be parsed', () => {
		const text = formatError(thrownBy(() => JSON.parse('private')));
		expect(text).toMatch(/^SyntaxError: a text that could not be parsed\n {4}at /);
	});

	test('says where a value was not as expected, and not what it was', () => {
		const schema = v.object({ rows: v.array(v.object({ id: v.number(), kind: v.picklist(['a', 'b']) })) });
		const text = formatError(thrownBy(() => v.parse(schema, { rows: [{ id: 'private', kind: 'private' }] })));
		expect(text).toMatch(/^ValiError: rows\.0\.id: expected number; rows\.0\.kind: expected \("a" \| "b"\)\n/);
		expect(text).not.toContain('private');
	});

	test('is short, however long the messages and the chain are', () => {
		let error = new Error('x'.repeat(100_000));
		for (let depth = 0; depth < 1000; depth += 1) error = new Error('x'.repeat(100_000), { cause: error });
		expect(formatError(error).length).toBeLessThan(40_000);
		const ring = new Error('ring');
		ring.cause = ring;
		expect(formatError(ring).length).toBeLessThan(40_000);
	});

	test.each([
		['text', 'text'],
		[undefined, '[object Undefined], which is no error'],
		[{ secret: 'private' }, '[object Object], which is no error'],
		[Object.create(null), '[object Object], which is no error'],
	])('is made of whatever is thrown: %j', (thrown, text) => {
		expect(formatError(thrown)).toBe(text);
	});
});
