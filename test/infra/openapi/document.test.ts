import { describe, expect, test } from 'vitest';
import { apiEndpoints } from '#infra/openapi/api-endpoints.ts';
import { operations } from '#infra/openapi/operations.ts';
import { parameters } from '#infra/openapi/parameters.ts';
import { apiDocument, faultOf, operationOf, requestOf, responseOf } from '#test/support/openapi/api-description.ts';
import manifest from '../../../package.json' with { type: 'json' };

const rows = apiEndpoints.map(({ name, method, path, auth, ...row }) => ({
	name,
	role: 'role' in row ? row.role : undefined,
	method,
	path,
	auth,
	operation: operationOf(method, path),
}));

/** Every reference in a part of the document. */
const referencesIn = (part: unknown): readonly string[] => {
	if (typeof part !== 'object' || part === null) return [];
	const own = '$ref' in part && typeof part.$ref === 'string' ? [part.$ref] : [];
	return [...own, ...Object.values(part).flatMap(referencesIn)];
};

/** The endpoints that take a form. */
const formPaths = ['/token', '/backchannelLogout'];

describe('the OpenAPI document', () => {
	test('has a path for each route of the contract but those of pages, and no other', () => {
		const paths = Object.entries(apiDocument.paths).flatMap(([path, item]) =>
			Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
		);
		expect(paths.sort()).toEqual(apiEndpoints.map(({ method, path }) => `${method} ${path}`).sort());
		expect(apiDocument).toMatchObject({ openapi: '3.1.0', info: { version: manifest.version } });
	});

	test('describes no operation that the contract does not have', () => {
		expect(Object.keys(operations).sort()).toEqual(apiEndpoints.map(({ name }) => name).sort());
	});

	test('names no schema as generated Go names the constructor of another one', () => {
		const names = Object.keys(apiDocument.components.schemas);
		expect(names.filter((name) => names.includes(name.replace(/^New/, '')) && name.startsWith('New'))).toEqual([]);
	});

	test('refers only to components that it has, and has none that nothing refers to', () => {
		const components = Object.entries(apiDocument.components)
			.filter(([part]) => part !== 'securitySchemes')
			.flatMap(([part, named]) => Object.keys(named).map((name) => `#/components/${part}/${name}`));
		expect([...new Set(referencesIn(apiDocument))].sort()).toEqual(components.sort());
	});

	test('describes every component and every field of its schemas', () => {
		for (const [name, schema] of Object.entries(apiDocument.components.schemas)) {
			expect(schema, name).toMatchObject({ description: expect.stringMatching(/\S.*\.$/) });
			const { properties = {} } = schema as { properties?: Record<string, { description?: string }> };
			for (const [field, property] of Object.entries(properties))
				if (name !== 'ApiDescription') expect(property.description, `${name}.${field}`).toMatch(/\S/);
		}
	});

	test('names each operation once, as an English verb with its object', () => {
		const ids = rows.map(({ operation }) => operation.operationId);
		expect(new Set(ids).size).toBe(ids.length);
		for (const id of ids)
			expect(id).toMatch(
				/^(signIn|signOut|(signIn|logOut|get|list|read|renew|request|save|delete|acknowledge|shelve|unshelve|restore|seal)[A-Z][A-Za-z]+)$/,
			);
	});
});

test('only required parameters have an example, because the page at /docs sends examples with every request', () => {
	const withExample = Object.values(parameters).filter((parameter) => 'example' in parameter);
	expect(withExample.length).toBeGreaterThan(0);
	expect(withExample.filter((parameter) => !('required' in parameter))).toEqual([]);
});

describe.each(rows)('$method $path in the OpenAPI document', ({ method, path, auth, role, operation }) => {
	test('has one known tag, a summary, a description, and the token that its row asks for', () => {
		expect(operation.tags).toHaveLength(1);
		expect(apiDocument.tags.map(({ name }) => name)).toContain(operation.tags[0]);
		expect(operation.summary).toMatch(/^[A-Z][^.]+$/);
		expect(operation.description).toMatch(/^[A-Z].+\.$/s);
		const scopes = role === 'viewer' ? ['service', 'read'] : role === 'administrator' ? [] : ['service'];
		const ofMachines = scopes.map((scope) => ({ machine: [scope] }));
		const shown = path === '/token' ? [{ client: [] }, {}] : [];
		const byToken = auth === 'none' ? shown : [{ token: [] }, ...ofMachines];
		expect(operation.security).toEqual(auth === 'basic' ? [...byToken, { client: [] }] : byToken);
	});

	test('has an example for its answer and for its request, which match their schemas', () => {
		const answer = responseOf(operation, 200)?.content?.['application/json'];
		const contents = [
			['answer', answer],
			['request', requestOf(operation)],
		] as const;
		expect(answer).toBeDefined();
		for (const [kind, content] of contents) {
			if (content === undefined) continue;
			expect(Object.keys(content.examples).length).toBeGreaterThan(0);
			for (const [name, { value }] of Object.entries(content.examples))
				expect(kind === 'answer' && path === '/openapi.json' ? null : faultOf(kind, content.schema, value), name).toBeNull();
		}
	});

	test('documents its refusals with bodies that match their schemas, and every answer with the request id', () => {
		const statuses = Object.keys(operation.responses);
		expect(statuses).toEqual(expect.arrayContaining(['200', '429', '500', '503']));
		expect(statuses.includes('401')).toBe(
			auth !== 'none' || ['/loginSso', '/token', '/signInOpenId', '/signInPassword', '/setSecondFactor'].includes(path),
		);
		expect(statuses.includes('415')).toBe(method === 'POST' && !formPaths.includes(path));
		for (const status of statuses) {
			const response = responseOf(operation, status);
			expect(response?.headers, status).toHaveProperty('apigw-requestid');
			for (const { value } of Object.values(response?.content?.['application/json'].examples ?? {}))
				if (status !== '200')
					expect(faultOf('answer', response?.content?.['application/json'].schema ?? {}, value), status).toBeNull();
		}
	});
});
