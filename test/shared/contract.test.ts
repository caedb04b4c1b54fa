import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Endpoint, endpoints } from '#shared/contract.ts';
import { environmentName, resourceNames } from '#shared/resource-names.ts';
import { type Access, actions, type TableName, tables } from '#shared/tables.ts';

const root = new URL('../../', import.meta.url);
const names = endpoints.map(({ name }) => name).sort();

describe('the route table', () => {
	test('has a folder under functions/ for every row, and the reverse', () => {
		expect(readdirSync(new URL('functions/', root)).sort()).toEqual(names);
		for (const name of names) expect(existsSync(new URL(`functions/${name}/handler.ts`, root))).toBe(true);
	});

	test.each(names)('has an entry point, wired as on Lambda, for every row: %s', (name) => {
		const entry = readFileSync(new URL(`functions/${name}/index.ts`, root), 'utf8');
		expect(entry).toMatch(/^import .* from '#wiring\/[a-z-]+\.ts';$/m);
		expect(entry).toMatch(/^import \{ createHandler \} from '\.\/handler\.ts';$/m);
		expect(entry).toMatch(/^export const handler = createHandler\(/m);
		expect(entry.match(/^export /gm)).toHaveLength(1);
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

describe('what endpoints do with tables', () => {
	const rows = endpoints.flatMap(({ name, uses }) =>
		(Object.keys(tables) as TableName[]).flatMap((table) => {
			const access: readonly Access[] | undefined = (uses as Endpoint['uses'])[table];
			return access === undefined ? [] : [{ name, table, access }];
		}),
	);

	test('is something, said once, in the order of the words', () => {
		const words = Object.keys(actions);
		for (const { name, table, access } of rows) {
			const ordered = words.filter((word) => access.some((each) => each === word));
			expect(access, `${name} ${table}`).toEqual(ordered);
			expect(access, `${name} ${table}`).not.toEqual([]);
			const asked = access.flatMap((each): readonly string[] => actions[each]);
			expect(new Set(asked).size, `${name} ${table}`).toBe(asked.length);
		}
	});

	test('takes every word and every table', () => {
		expect(new Set(rows.flatMap(({ access }) => access))).toEqual(new Set(Object.keys(actions)));
		expect(new Set(rows.map(({ table }) => table))).toEqual(new Set(Object.keys(tables)));
	});

	test('is a claim with the keys of repeated requests, and nowhere else', () => {
		for (const { name, table, access } of rows)
			expect(access.includes('claim'), `${name} ${table}`).toBe(table === 'idempotency');
	});

	test('stores and deletes only what the endpoint is there for', () => {
		const who = (table: TableName, word: Access): readonly string[] =>
			rows.flatMap((row) => (row.table === table && row.access.includes(word) ? [row.name] : []));
		expect(who('variables', 'delete')).toEqual(['deleteVar']);
		expect(who('panels', 'put')).toEqual(['saveBombs']);
		expect(who('panels', 'delete')).toEqual([]);
		expect(who('boards', 'put')).toEqual(['deleteVar', 'saveChart', 'saveDiagram', 'saveAlarm']);
		expect(who('boards', 'delete')).toEqual(['deleteVar', 'deleteChart', 'deleteDiagram', 'deleteAlarm']);
		expect(who('users', 'put')).toEqual([]);
		expect(who('signInFailures', 'delete')).toEqual([]);
	});
});

describe('names on AWS', () => {
	const longest = 'production123456';
	const tableNames = Object.keys(tables) as TableName[];
	/** As long as settings let the name of a key be. */
	const key = 'k'.repeat(30);
	const all = (environment: string) => {
		const of = resourceNames(environment);
		return {
			stack: (['issuer', 'data', 'service'] as const).map(of.stack),
			function: endpoints.map(({ name }) => of.function(name)),
			table: tableNames.map(of.table),
			parameter: [of.keyRing],
			alias: [of.signingKey(key), of.signingKey('k')],
			secret: Object.values(of.secrets),
		};
	};

	test('are of environments with short names', () => {
		for (const name of ['a', 'dev', longest]) expect(name).toMatch(environmentName);
		for (const name of [`${longest}7`, '', '1st', 'Dev', 'dev-2', 'dev_2', 'dev/2', 'dev\n'])
			expect(name).not.toMatch(environmentName);
	});

	test.each(['a', longest])('keep the rules of each service: %s', (environment) => {
		const names = all(environment);
		// The patterns and lengths of each service's own reference for what it calls the name.
		for (const name of names.stack) expect(name).toMatch(/^[a-zA-Z][-a-zA-Z0-9]{0,127}$/);
		for (const name of names.function) expect(name).toMatch(/^[a-zA-Z0-9-_]{1,64}$/);
		for (const name of names.table) expect(name).toMatch(/^[a-zA-Z0-9_.-]{3,255}$/);
		for (const name of names.parameter) {
			expect(name).toMatch(/^\/(?!aws|ssm)[a-zA-Z0-9_.-]+(\/[a-zA-Z0-9_.-]+){0,14}$/i);
			expect(name.length).toBeLessThanOrEqual(1011);
		}
		for (const name of names.alias) {
			expect(name).toMatch(/^alias\/(?!aws\/)[a-zA-Z0-9/_-]+$/);
			expect(name.length).toBeLessThanOrEqual(256);
		}
		for (const name of names.secret) {
			expect(name).toMatch(/^[a-zA-Z0-9/_+=.@-]{1,512}$/);
			// Secrets Manager adds a hyphen and six characters: a name that ends so is taken for another's.
			expect(name).not.toMatch(/-.{6}$/);
		}
	});

	test('are each of one thing, and of one environment', () => {
		const names = ['a', 'aa', 'dev', longest].flatMap((environment) => Object.values(all(environment)).flat());
		expect(new Set(names).size).toBe(names.length);
	});
});
