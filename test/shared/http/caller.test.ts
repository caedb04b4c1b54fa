import { describe, expect, test } from 'vitest';
import { callerOf } from '#http/caller.ts';
import { RequestError } from '#http/request-error.ts';
import { makeEvent } from '#test/support/builders/events.ts';

const withAuthorizer = (authorizer: unknown) => {
	const event = makeEvent('GET /getVarsTsdb');
	return { ...event, requestContext: { ...event.requestContext, authorizer } };
};

const claims = { schema: 'plant_a', tsdb: 'plant_a_db', sub: '7', email: 'ana@plant.example' };
const caller = {
	schema: 'plant_a',
	database: 'plant_a_db',
	user: '7',
	email: 'ana@plant.example',
	actor: { kind: 'person', id: 'ana@plant.example', name: 'ana@plant.example' },
};

describe('callerOf', () => {
	test('reads schema, database, user and e-mail from the verified claims', () => {
		expect(callerOf(makeEvent('GET /getVarsTsdb', { claims }))).toEqual(caller);
	});

	test('ignores the body, the headers and the query', () => {
		const forged = {
			schema: 'plant_b',
			tsdb: 'plant_b',
			sub: '8',
			email: 'eve@plant.example',
			tsdb_name: 'plant_b',
			schemaName: 'plant_b',
		};
		const event = makeEvent('POST /saveVariable', { claims, body: forged, headers: forged, query: forged });
		expect(callerOf(event)).toEqual(caller);
	});

	test('accepts claims without a user', () => {
		const { sub: _, email: __, ...rest } = claims;
		expect(callerOf(makeEvent('GET /getVarsTsdb', { claims: rest }))).toEqual({
			...caller,
			user: '',
			email: null,
			actor: { kind: 'person', id: '', name: '' },
		});
	});

	test('names a person as in the token, and identifies it as its row does', () => {
		const { actor } = callerOf(makeEvent('GET /getVarsTsdb', { claims: { ...claims, email: 'Ana@Plant.example' } }));
		expect(actor).toEqual({ kind: 'person', id: 'ana@plant.example', name: 'Ana@Plant.example' });
	});

	test('reads a machine by its client id and its name', () => {
		const { email: _, ...rest } = claims;
		const subject = 'machine:abcDEF0123456789wxyz';
		expect(callerOf(makeEvent('GET /getVarsTsdb', { claims: { ...rest, sub: subject, name: 'grafana' } }))).toEqual({
			schema: 'plant_a',
			database: 'plant_a_db',
			user: subject,
			email: null,
			actor: { kind: 'machine', id: 'abcDEF0123456789wxyz', name: 'grafana' },
		});
	});

	test.each([
		['no schema', { tsdb: 'd', sub: '1' }],
		['no database', { schema: 's', sub: '1' }],
		['an empty schema', { schema: '', tsdb: 'd', sub: '1' }],
		['an empty database', { schema: 's', tsdb: '', sub: '1' }],
		['a schema that is a number', { schema: 1, tsdb: 'd', sub: '1' }],
		['a schema that is a list', { schema: ['s'], tsdb: 'd', sub: '1' }],
		['a schema that is null', { schema: null, tsdb: 'd', sub: '1' }],
		['no claims', undefined],
	])('refuses claims: %s', (_, invalidClaims) => {
		const run = () => callerOf(withAuthorizer({ jwt: { claims: invalidClaims, scopes: null } }));
		expect(run).toThrow(RequestError);
		expect(run).toThrow(expect.objectContaining({ status: 403, field: 'request' }));
	});

	test.each([[undefined], [null], [{}], [{ jwt: null }], [{ lambda: { schema: 's', tsdb: 'd' } }], ['text']])(
		'refuses the authorizer context %j',
		(authorizer) => {
			expect(() => callerOf(withAuthorizer(authorizer))).toThrow(expect.objectContaining({ status: 403, field: 'request' }));
		},
	);
});
