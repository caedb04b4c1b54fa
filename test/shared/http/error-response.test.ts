import { describe, expect, test } from 'vitest';
import { DomainError, type ErrorCode, type ErrorPayloads } from '#domain/errors.ts';
import { toErrorResponse } from '#http/error-response.ts';
import { RequestError } from '#http/request-error.ts';

/** What must never reach a client: it stands wherever a payload says it is for the log. */
const secret = 'ECONNREFUSED 10.0.0.7:8086 token=abc';

interface Case<Code extends ErrorCode> {
	readonly payload: ErrorPayloads[Code];
	readonly status: number;
	/** The fields that the answer names, with a word of each message. */
	readonly fields: Readonly<Record<string, string>>;
	readonly retryAfter?: string;
	readonly level?: 'fault';
}

/** One row per code: a code without a row does not compile. */
const cases: { readonly [Code in ErrorCode]: Case<Code> } = {
	invalid: {
		payload: {
			offences: [
				{ path: 'equation.3', message: 'An operand is missing.' },
				{ path: 'bits.0.bit', message: 'Must be a whole number from 0 to 7.' },
				{ path: 'varsTsdb.Caudal.calc_unit', message: 'Is required.' },
			],
		},
		status: 400,
		fields: { 'equation.3': 'operand', 'bits.0.bit': '0 to 7', 'varsTsdb.Caudal.calc_unit': 'required' },
	},
	not_found: { payload: { field: 'id', message: 'No variable has id 7.' }, status: 404, fields: { id: 'id 7' } },
	too_large: {
		payload: { field: 'ids', what: 'ids', actual: 501, limit: 500 },
		status: 413,
		fields: { ids: 'Too many ids: 501, at most 500' },
	},
	in_use: {
		payload: {
			field: 'bits',
			message: 'Bits 0 would be gone and are in use',
			usages: [
				{ kind: 'chart', id: 7, name: 'Tanks' },
				{ kind: 'panel', id: 0, name: 'Station' },
			],
		},
		status: 409,
		fields: { bits: 'in use by chart 7 (Tanks), panel 0 (Station)' },
	},
	version_mismatch: { payload: { stored: 4 }, status: 412, fields: { request: 'stored version is 4' } },
	key_in_use: { payload: { why: 'running' }, status: 409, fields: { 'Idempotency-Key': 'still runs' } },
	credentials_refused: { payload: {}, status: 401, fields: { request: 'Sign-in refused' } },
	sign_in_blocked: {
		payload: { retryAfterMs: 61_000 },
		status: 429,
		fields: { request: 'Too many failed sign-ins' },
		retryAfter: '61',
	},
	write_contention: {
		payload: { retryAfterMs: 1000 },
		status: 503,
		fields: { request: 'nothing was written' },
		retryAfter: '1',
		level: 'fault',
	},
	outcome_unknown: {
		payload: { cause: secret },
		status: 503,
		fields: { request: 'not known whether' },
		retryAfter: '1',
		level: 'fault',
	},
	store_failed: {
		payload: { cause: secret },
		status: 503,
		fields: { request: 'nothing was written' },
		retryAfter: '1',
		level: 'fault',
	},
	dependency_failed: {
		payload: { dependency: 'tsdb', cause: secret },
		status: 502,
		fields: { tsdb: 'time-series database failed' },
		level: 'fault',
	},
	dependency_slow: {
		payload: { dependency: 'identityProvider', cause: secret },
		status: 504,
		fields: { identityProvider: 'identity provider did not answer in time' },
		level: 'fault',
	},
};

const answerTo = <Code extends ErrorCode>(code: Code, payload: ErrorPayloads[Code]) =>
	toErrorResponse(new DomainError<ErrorCode>(code, payload, { cause: new Error(secret) }), 'request-1');

/** The JSON of a body, as a client gets it. */
const sent = (body: unknown): Record<string, { message: string }> => JSON.parse(JSON.stringify(body));

describe.each(Object.entries(cases))('%s', (code, { payload, status, fields, retryAfter, level = 'none' }) => {
	const { answer, level: told } = toErrorResponse(new DomainError(code as ErrorCode, payload, { cause: new Error(secret) }), 'r');

	test(`is answered ${status}, each field with its message and nothing else`, () => {
		expect(answer.status).toBe(status);
		expect(Object.keys(sent(answer.body))).toEqual(Object.keys(fields));
		for (const [field, word] of Object.entries(fields)) {
			expect(Object.keys(sent(answer.body)[field] ?? {})).toEqual(['message']);
			expect(sent(answer.body)[field]?.message).toContain(word);
		}
	});

	test(`says ${retryAfter === undefined ? 'nothing of coming back' : `to come back after ${retryAfter} s`}`, () => {
		expect(answer.headers?.['retry-after']).toBe(retryAfter);
	});

	test('tells nothing of its cause', () => {
		expect(JSON.stringify(answer)).not.toContain(secret);
	});

	test(`is ${level === 'fault' ? 'told to the operator' : "the client's affair only"}`, () => {
		expect(told).toBe(level);
	});
});

describe('an answer', () => {
	test('tells the first of several offences at one path', () => {
		const offences = [
			{ path: 'name', message: 'first' },
			{ path: 'name', message: 'second' },
		];
		expect(answerTo('invalid', { offences }).answer.body).toEqual({ name: { message: 'first' } });
	});

	test('has a field named __proto__ as any other', () => {
		const { answer } = answerTo('invalid', { offences: [{ path: '__proto__', message: 'Wrong.' }] });
		expect(JSON.stringify(answer.body)).toBe('{"__proto__":{"message":"Wrong."}}');
	});

	test('to another version tells apart a row that is gone', () => {
		expect(sent(answerTo('version_mismatch', { stored: null }).answer.body)['request']?.message).toContain('nothing is stored');
	});

	test('to a key that came with another request tells that from one that runs', () => {
		const message = sent(answerTo('key_in_use', { why: 'other_request' }).answer.body)['Idempotency-Key']?.message;
		expect(message).toContain('another request');
	});

	test.each([
		['tsdb', 'time-series database'],
		['identityProvider', 'identity provider'],
		['signingKey', 'signing key'],
	] as const)('to a failure of %s names it', (dependency, name) => {
		for (const code of ['dependency_failed', 'dependency_slow'] as const)
			expect(sent(answerTo(code, { dependency, cause: secret }).answer.body)).toEqual({
				[dependency]: { message: expect.stringContaining(`The ${name} `) },
			});
	});

	test('to refused credentials is one and the same', () => {
		const [one, other] = [1, 2].map(() => JSON.stringify(answerTo('credentials_refused', {}).answer));
		expect(one).toBe(other);
	});

	test.each([
		[0, '1'],
		[1, '1'],
		[1000, '1'],
		[1001, '2'],
		[899_999, '900'],
	])('to come back after %i ms says %s s: whole, at least one, never too early', (retryAfterMs, seconds) => {
		expect(answerTo('sign_in_blocked', { retryAfterMs }).answer.headers).toEqual({ 'retry-after': seconds });
	});
});

describe('a request error', () => {
	test.each([400, 403, 413, 415] as const)('of %i is answered as it says, and is no fault', (status) => {
		expect(toErrorResponse(new RequestError(status, 'id', 'Wrong.', { cause: new Error(secret) }), 'r')).toEqual({
			answer: { status, body: { id: { message: 'Wrong.' } } },
			level: 'none',
		});
	});
});

describe('whatever else is thrown', () => {
	test.each([
		['an error', new Error(secret)],
		['an error that looks like ours', Object.assign(new Error(secret), { name: 'DomainError', code: 'not_found', status: 404 })],
		['an error of the runtime', new TypeError(secret)],
		['text', secret],
		['an object', { status: 404, body: secret, message: secret }],
		['nothing', undefined],
		['null', null],
	])('is an opaque 500 with the request id: %s', (_, thrown) => {
		expect(toErrorResponse(thrown, 'request-1')).toEqual({
			answer: {
				status: 500,
				body: { request: { message: 'Internal error. Tell the operator this request id: request-1' } },
			},
			level: 'fault',
		});
	});
});
