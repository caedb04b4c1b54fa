import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DomainError, type ErrorCode, type ErrorPayloads } from '#domain/errors.ts';
import { type ErrorParams, problem, problemParams } from '#domain/validation/problem.ts';
import { toErrorResponse } from '#http/error-response.ts';
import { RequestError, requestErrorParams } from '#http/request-error.ts';

/** Stands in every payload field that is for the log only, and must not reach a client. */
const secret = 'ECONNREFUSED 10.0.0.7:8086 token=abc';

interface Case<Code extends ErrorCode> {
	readonly payload: ErrorPayloads[Code];
	readonly status: number;
	/** The fields in the body, each with a part of its message. */
	readonly fields: Readonly<Record<string, string>>;
	/** The params of the entry; none by default. */
	readonly params?: ErrorParams;
	readonly retryAfter?: string;
}

/** One row for each code. A code without a row does not compile. */
const cases: { readonly [Code in ErrorCode]: Case<Code> } = {
	invalid: {
		payload: {
			issues: [
				{ path: 'equation.3', ...problem('missing_operand', 'An operand is missing.', { place: 'after' }) },
				{ path: 'bits.0.bit', ...problem('invalid_value', 'Must be a whole number from 0 to 7.') },
				{ path: 'varsTsdb.Caudal.calc_unit', ...problem('required', 'Is required.') },
			],
		},
		status: 400,
		fields: { 'equation.3': 'operand', 'bits.0.bit': '0 to 7', 'varsTsdb.Caudal.calc_unit': 'required' },
	},
	not_found: {
		payload: { kind: 'variable', id: 7 },
		status: 404,
		fields: { id: 'There is no variable 7; send id 0' },
		params: { kind: 'variable', id: 7 },
	},
	role_too_low: {
		payload: { needs: 'engineer', has: 'viewer' },
		status: 403,
		fields: { request: 'needs the role engineer, and yours is viewer' },
		params: { needs: 'engineer', has: 'viewer' },
	},
	no_such_change: {
		payload: { kind: 'chart', itemId: 7, rowVersion: 3 },
		status: 404,
		fields: { rowVersion: 'The journal has no such entry' },
		params: { kind: 'chart', itemId: 7, rowVersion: 3 },
	},
	not_deleted: {
		payload: { kind: 'chart', id: 7 },
		status: 409,
		fields: { rowVersion: 'The chart 7 is stored' },
		params: { kind: 'chart', id: 7 },
	},
	sign_in_refused: {
		payload: { cause: secret },
		status: 401,
		fields: { request: 'did not confirm this sign-in: begin it again' },
	},
	no_grant: {
		payload: { provider: 'entra', claims: { groups: ['a', 'b'], hd: [] } },
		status: 403,
		fields: { request: 'tell an administrator, with what your provider says of you: groups=a b, hd=.' },
		params: { provider: 'entra', claims: ['groups=a b', 'hd='] },
	},
	groups_not_in_token: {
		payload: { provider: 'entra' },
		status: 403,
		fields: { request: 'leaves your groups out' },
		params: { provider: 'entra' },
	},
	no_such_provider: { payload: {}, status: 404, fields: { name: 'There is no such provider' } },
	renewal_under_way: {
		payload: { retryAfterMs: 1000 },
		status: 503,
		fields: { request: 'Another request renews this session' },
		retryAfter: '1',
	},
	machine_refused: {
		payload: { reason: 'expired' },
		status: 403,
		fields: { request: 'This machine has expired: ask an administrator of your plant.' },
		params: { reason: 'expired' },
	},
	no_such_machine: {
		payload: { clientId: 'abcdefghij0123456789' },
		status: 404,
		fields: { clientId: 'There is no machine abcdefghij0123456789' },
		params: { machine: 'abcdefghij0123456789' },
	},
	secrets_full: { payload: { limit: 2 }, status: 409, fields: { newSecret: 'at most 2 secrets' }, params: { limit: 2 } },
	own_role: { payload: {}, status: 403, fields: { email: 'Nobody changes their own role' } },
	too_large: {
		payload: { field: 'request', counted: 'boards_of_variable', variable: 7, actual: 501, limit: 500 },
		status: 413,
		fields: { request: 'Too many boards that refer to variable 7: 501, at most 500' },
		params: { counted: 'boards_of_variable', variable: 7, limit: 500, actual: 501 },
	},
	in_use: {
		payload: {
			field: 'bits',
			bits: [0],
			usages: [
				{ kind: 'chart', id: 7, name: 'Tanks' },
				{ kind: 'panel', id: 0, name: 'Station' },
			],
		},
		status: 409,
		fields: { bits: 'Bits in use cannot be removed: 0. Used by chart 7 (Tanks), panel Station. Change those first.' },
		params: { bits: [0], usages: 2, kinds: ['chart', 'panel'], names: ['Tanks', 'Station'] },
	},
	version_mismatch: { payload: { stored: 4 }, status: 412, fields: { request: 'stored version is 4' }, params: { stored: 4 } },
	key_in_use: {
		payload: { reason: 'running' },
		status: 409,
		fields: { 'Idempotency-Key': 'still runs' },
		params: { reason: 'running' },
	},
	no_published_key: { payload: {}, status: 503, fields: { request: 'No key is published yet' }, retryAfter: '5' },
	credentials_refused: { payload: {}, status: 401, fields: { request: 'Sign-in refused' } },
	sign_in_blocked: {
		payload: { retryAfterMs: 61_000 },
		status: 429,
		fields: { request: 'Too many failed sign-ins' },
		retryAfter: '61',
	},
	password_refused: { payload: {}, status: 401, fields: { request: 'e-mail and password' } },
	code_required: { payload: {}, status: 401, fields: { code: 'authenticator app' } },
	code_refused: { payload: {}, status: 401, fields: { code: 'send the next one' } },
	second_factor_required: { payload: {}, status: 403, fields: { request: 'set one up first' } },
	second_factor_late: { payload: {}, status: 403, fields: { request: 'ask whoever runs the service' } },
	second_factor_set: { payload: {}, status: 409, fields: { request: 'ask whoever runs the service' } },
	link_ended: { payload: {}, status: 403, fields: { token: 'ask whoever runs the service for a new one' } },
	session_ended: { payload: {}, status: 403, fields: { request: 'session is over' } },
	renewal_refused: { payload: {}, status: 403, fields: { request: 'not renewed' } },
	no_such_person: { payload: {}, status: 404, fields: { email: 'known from their first sign-in' } },
	role_from_provider: {
		payload: { role: 'engineer' },
		status: 409,
		fields: { role: 'gives the role engineer: change the grant' },
		params: { role: 'engineer' },
	},
	schema_busy: {
		payload: { setting: 'REQUESTS_PER_SCHEMA', limit: 50, retryAfterMs: 1000 },
		status: 503,
		fields: { request: 'has 50 requests under way, the most at once (REQUESTS_PER_SCHEMA)' },
		params: { setting: 'REQUESTS_PER_SCHEMA', limit: 50 },
		retryAfter: '1',
	},
	write_contention: {
		payload: { retryAfterMs: 1000 },
		status: 503,
		fields: { request: 'nothing was written' },
		retryAfter: '1',
	},
	outcome_unknown: {
		payload: { cause: secret },
		status: 503,
		fields: { request: 'not known whether' },
		retryAfter: '1',
	},
	store_failed: {
		payload: { cause: secret },
		status: 503,
		fields: { request: 'nothing was written' },
		retryAfter: '1',
	},
	dependency_failed: {
		payload: { dependency: 'tsdb', cause: secret },
		status: 502,
		fields: { tsdb: 'time-series database failed' },
		params: { dependency: 'tsdb' },
	},
	dependency_slow: {
		payload: { dependency: 'identityProvider', cause: secret },
		status: 504,
		fields: { identityProvider: 'identity provider did not answer in time' },
		params: { dependency: 'identityProvider' },
	},
};

const issueEntries = cases.invalid.payload.issues.map(({ code, params }) => ({ code, params }));

const responseTo = <Code extends ErrorCode>(code: Code, payload: ErrorPayloads[Code]) =>
	toErrorResponse(new DomainError<ErrorCode>(code, payload, { cause: new Error(secret) }), 'request-1');

/** Writes a body as JSON and parses it, as a client does. */
const parsedBody = (body: unknown): Record<string, { message: string; code: string; params: ErrorParams }> =>
	JSON.parse(JSON.stringify(body));

describe.each(Object.entries(cases))('%s', (code, { payload, status, fields, params = {}, retryAfter }) => {
	const response = toErrorResponse(new DomainError(code as ErrorCode, payload, { cause: new Error(secret) }), 'r');

	test(`has status ${status} and a message, a code and params for each field, and nothing else`, () => {
		expect(response.status).toBe(status);
		expect(Object.keys(parsedBody(response.body))).toEqual(Object.keys(fields));
		for (const [field, part] of Object.entries(fields)) {
			expect(Object.keys(parsedBody(response.body)[field] ?? {})).toEqual(['message', 'code', 'params']);
			expect(parsedBody(response.body)[field]?.message).toContain(part);
		}
	});

	test('has its code and params, and for invalid input those of each issue', () => {
		const entries = Object.values(parsedBody(response.body)).map((entry) => ({ code: entry.code, params: entry.params }));
		expect(entries).toEqual(code === 'invalid' ? expect.arrayContaining(issueEntries) : [{ code, params }]);
	});

	test(retryAfter === undefined ? 'has no Retry-After' : `has a Retry-After of ${retryAfter} s`, () => {
		expect(response.headers?.['retry-after']).toBe(retryAfter);
	});

	test('does not contain the cause', () => {
		expect(JSON.stringify(response)).not.toContain(secret);
	});
});

describe('an error response', () => {
	test('names the endpoint that saves the panel when no panel is saved', () => {
		expect(responseTo('not_found', { kind: 'panel', id: null })).toEqual({
			status: 404,
			body: {
				request: {
					message: 'No panel is saved yet: save one first.',
					code: 'not_found',
					params: { kind: 'panel' },
				},
			},
		});
	});

	test('reports the first of several issues at one path', () => {
		const issues = [
			{ path: 'name', ...problem('empty', 'first') },
			{ path: 'name', ...problem('required', 'second') },
		];
		expect(responseTo('invalid', { issues }).body).toEqual({ name: { message: 'first', code: 'empty', params: {} } });
	});

	test('keeps a field named __proto__', () => {
		const { body } = responseTo('invalid', { issues: [{ path: '__proto__', ...problem('empty', 'Wrong.') }] });
		expect(JSON.stringify(body)).toBe('{"__proto__":{"message":"Wrong.","code":"empty","params":{}}}');
	});

	test('a response to If-Match says when nothing is stored', () => {
		expect(parsedBody(responseTo('version_mismatch', { stored: null }).body)['request']?.message).toContain('nothing is stored');
	});

	test('a response to a key in use says when the key came with a different request', () => {
		const message = parsedBody(responseTo('key_in_use', { reason: 'other_request' }).body)['Idempotency-Key']?.message;
		expect(message).toContain('another request');
	});

	test.each([
		['tsdb', 'time-series database'],
		['identityProvider', 'identity provider'],
		['signingKey', 'signing key'],
	] as const)('to a failure of %s names the dependency', (dependency, name) => {
		for (const code of ['dependency_failed', 'dependency_slow'] as const)
			expect(parsedBody(responseTo(code, { dependency, cause: secret }).body)).toEqual({
				[dependency]: { message: expect.stringContaining(`The ${name} `), code, params: { dependency } },
			});
	});

	test('a response to a failed dependency says what to do, where that is known', () => {
		const failed = { dependency: 'tsdb', cause: secret } as const;
		const messageWith = (remedy: { readonly remedy?: string }) =>
			parsedBody(responseTo('dependency_failed', { ...failed, ...remedy }).body).tsdb?.message;
		expect(messageWith({})).toBe('The time-series database failed: try again; if it stays so, tell the operator.');
		expect(messageWith({ remedy: 'ask for less time' })).toBe('The time-series database failed: ask for less time.');
	});

	test('a response to a slow dependency says when to ask again and what to ask for, where that is known', () => {
		const slow = { dependency: 'tsdb', cause: secret } as const;
		expect(responseTo('dependency_slow', { ...slow, retryAfterMs: 2000 }).headers).toEqual({ 'retry-after': '2' });
		const { headers, body } = responseTo('dependency_slow', { ...slow, remedy: 'ask for less time' });
		expect(headers).toBeUndefined();
		expect(body).toMatchObject({ tsdb: { message: 'The time-series database did not answer in time: ask for less time.' } });
	});

	test('a response to refused credentials is always the same', () => {
		const [one, other] = [1, 2].map(() => JSON.stringify(responseTo('credentials_refused', {})));
		expect(one).toBe(other);
	});

	test.each([
		[0, '1'],
		[1, '1'],
		[1000, '1'],
		[1001, '2'],
		[899_999, '900'],
	])('rounds a retry after %i ms up to %s s', (retryAfterMs, seconds) => {
		expect(responseTo('sign_in_blocked', { retryAfterMs }).headers).toEqual({ 'retry-after': seconds });
	});
});

describe('a request error', () => {
	test.each([400, 403, 413, 415] as const)('of status %i keeps its status, field, message, code and params', (status) => {
		const options = { cause: new Error(secret), params: { limit: 7 } };
		expect(toErrorResponse(new RequestError(status, 'id', 'listing_too_large', 'Wrong.', options), 'r')).toEqual({
			status,
			body: { id: { message: 'Wrong.', code: 'listing_too_large', params: { limit: 7 } } },
		});
	});
});

test('a limit with a remedy says that one, and none asks for less', () => {
	const counted = { field: 'request', counted: 'charts_in_schema', actual: 10_001, limit: 10_000 } as const;
	const messageOf = (remedy: { remedy?: string }): unknown =>
		toErrorResponse(new DomainError('too_large', { ...counted, ...remedy }), 'r').body;
	const sentence = 'Too many charts in the schema: 10001, at most 10000.';
	const { field: _, ...params } = counted;
	const entry = (message: string) => ({ request: { message, code: 'too_large', params } });
	expect(messageOf({ remedy: 'Delete a chart.' })).toEqual(entry(`${sentence} Delete a chart.`));
	expect(messageOf({})).toEqual(entry(`${sentence} Ask for less in one request.`));
});

describe('any other thrown value', () => {
	test.each([
		['an error', new Error(secret)],
		['an error that looks like ours', Object.assign(new Error(secret), { name: 'DomainError', code: 'not_found', status: 404 })],
		['an error of the runtime', new TypeError(secret)],
		['text', secret],
		['an object', { status: 404, body: secret, message: secret }],
		['undefined', undefined],
		['null', null],
	])('becomes a 500 with the request id only: %s', (_, thrown) => {
		expect(toErrorResponse(thrown, 'request-1')).toEqual({
			status: 500,
			body: {
				request: {
					message: 'Internal error. Tell the operator this request id: request-1',
					code: 'internal_error',
					params: { requestId: 'request-1' },
				},
			},
		});
	});
});

test('functions/README.md lists every code with its params', () => {
	const text = readFileSync(join(import.meta.dirname, '../../../functions/README.md'), 'utf8').split('### Codes')[1] ?? '';
	const listed = [...text.matchAll(/[|,] `(\w+)`(?: \(([\w, ]+)\))?/g)].map(([, code, params = '']) => [code, params] as const);
	const domain = Object.entries(cases).filter(([code]) => code !== 'invalid');
	const codes: readonly (readonly [string, readonly string[]])[] = [
		...Object.entries(problemParams),
		...Object.entries(requestErrorParams),
		...domain.map(([code, { params = {} }]: [string, { params?: ErrorParams }]) => [code, Object.keys(params)] as const),
		['internal_error', ['requestId']],
	];
	expect(new Map(listed)).toEqual(new Map(codes.map(([code, params]) => [code, params.join(', ')])));
	expect(listed).toHaveLength(codes.length);
});
