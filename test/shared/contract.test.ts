import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { endpoints } from '../../shared/contract.ts';

const root = new URL('../../', import.meta.url);
const names = endpoints.map(({ name }) => name).sort();

describe('the route table', () => {
	test('has a folder under functions/ for every row, and the reverse', () => {
		expect(readdirSync(new URL('functions/', root)).sort()).toEqual(names);
		for (const name of names) expect(existsSync(new URL(`functions/${name}/handler.ts`, root))).toBe(true);
	});

	test('has an event under events/ for every row, and the reverse', () => {
		expect(readdirSync(new URL('events/', root)).sort()).toEqual(names.map((name) => `${name}.json`));
	});

	test.each(endpoints)('has an event that fits its row: $name', ({ name, method, path, auth }) => {
		const event = JSON.parse(readFileSync(new URL(`events/${name}.json`, root), 'utf8'));
		expect(event.version).toBe('2.0');
		expect(event.routeKey).toBe(`${method} ${path}`);
		expect(event.requestContext.routeKey).toBe(event.routeKey);
		expect(event.requestContext.http.method).toBe(method);
		const claims = event.requestContext.authorizer?.jwt?.claims;
		expect(claims === undefined).toBe(auth === 'none');
		for (const value of Object.values(claims ?? {})) expect(typeof value).toBe('string');
	});

	test('names each endpoint and each route once', () => {
		expect(new Set(names).size).toBe(names.length);
		expect(new Set(endpoints.map(({ method, path }) => `${method} ${path}`)).size).toBe(names.length);
	});
});
