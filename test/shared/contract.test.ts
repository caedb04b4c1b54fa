import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { endpoints, functionNames, localEndpoints, pathOf } from '#shared/contract.ts';
import { type Endpoint, routePathsOf } from '#shared/endpoint.ts';
import { environmentName, resourceNames } from '#shared/resource-names.ts';
import { type Access, actions, type TableName, tableNames } from '#shared/tables.ts';
import { tasks } from '#shared/tasks.ts';

const root = new URL('../../', import.meta.url);
const names = endpoints.map(({ name }) => name).sort();
const all = [...functionNames].sort();

/** The code of a line, without comments and import paths. */
const codeOf = (line: string): string =>
	line.replace(/^\s*(?:\/\/|\/?\*).*|\s\/\/ .*|\b(?:from |import\()'[^']*'/g, '').replaceAll('\\/', '/');

/** Where a source file repeats a fixed part of an endpoint's path, as FILE:LINE TEXT. */
const repeatedPathsIn = (file: string, text: string): readonly string[] => {
	// InfluxDB's paths have these two as well.
	const ofOthers = ['api', 'v1'];
	const parts = endpoints.flatMap(({ path }) => path.split('/').filter((part) => part !== '' && !part.startsWith('{')));
	const segments = new Set(parts.filter((part) => !ofOthers.includes(part)));
	const patterns = [...segments].map((segment) => new RegExp(`/${segment.replaceAll('.', '\\.')}(?![\\w.-])`));
	return text.split('\n').flatMap((line, index) => {
		const code = codeOf(line);
		return patterns.some((pattern) => pattern.test(code)) ? [`${file}:${index + 1} ${code.trim()}`] : [];
	});
};

describe('the route table', () => {
	test('has a row for each folder under functions/, and the tasks have the others', () => {
		const local = localEndpoints.map(({ name }) => name);
		const folders = readdirSync(new URL('functions/', root), { withFileTypes: true }).filter((entry) => entry.isDirectory());
		expect(folders.map(({ name }) => name).sort()).toEqual([...all, ...local].sort());
		for (const name of [...all, ...local]) expect(existsSync(new URL(`functions/${name}/handler.ts`, root))).toBe(true);
	});

	test.each(all)('has an entry point for Lambda for each row: %s', (name) => {
		const entry = readFileSync(new URL(`functions/${name}/index.ts`, root), 'utf8');
		expect(entry).toMatch(/^import .* from '#wiring\/[a-z-]+\.ts';$/m);
		expect(entry).toMatch(/^import \{ createHandler \} from '\.\/handler\.ts';$/m);
		expect(entry).toMatch(/^export const handler = /m);
		expect(entry).toMatch(/ = (withLambdaDeadline\()?createHandler\(/);
		expect(entry.match(/^export /gm)).toHaveLength(1);
	});

	test.each(localEndpoints)('has nothing for Lambda for an endpoint of one machine: $name', ({ name, setting, uses }) => {
		expect(existsSync(new URL(`functions/${name}/index.ts`, root))).toBe(false);
		expect([setting, uses]).toEqual(['accounts', {}]);
		expect(all).not.toContain(name);
	});

	test('has a row for each event under events/', () => {
		expect(readdirSync(new URL('events/', root)).sort()).toEqual(all.map((name) => `${name}.json`));
	});

	test.each(tasks)('has an event of EventBridge for each task, as its schedule sends it: $name', ({ name, clock }) => {
		const event = JSON.parse(readFileSync(new URL(`events/${name}.json`, root), 'utf8'));
		if (clock?.by !== 'rule') {
			expect(event).toEqual(clock === null ? { schemas: ['plant_a'] } : {});
			return;
		}
		expect(event).toMatchObject({ 'detail-type': 'Scheduled Event', source: 'aws.events', detail: {} });
		expect(event.resources).toEqual([expect.stringMatching(`rule/${resourceNames('dev').function(name)}$`)]);
	});

	test.each(endpoints)('has an event with the method and path of its row: $name', ({ name, method, path, auth }) => {
		const event = JSON.parse(readFileSync(new URL(`events/${name}.json`, root), 'utf8'));
		expect(event.version).toBe('2.0');
		expect(event.routeKey).toBe(`${method} ${path}`);
		expect(event.requestContext.routeKey).toBe(event.routeKey);
		expect(event.requestContext.http.method).toBe(method);
		const claims = event.requestContext.authorizer?.jwt?.claims;
		expect(claims === undefined).toBe(auth !== 'bearer');
		for (const value of Object.values(claims ?? {})) expect(typeof value).toBe('string');
	});

	test.each(endpoints)('gives the path of an endpoint by its name: $name', ({ name, path }) => {
		expect(pathOf(name)).toBe(path);
	});

	test('is the only source file that holds a path of an endpoint', () => {
		const files = ['shared', 'functions', 'infra'].flatMap((folder) =>
			readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' })
				.filter((name) => name.endsWith('.ts'))
				// Clients' calls are typed by the contract: the console's, and those of the tool for plants as files.
				.filter((name) => !name.startsWith('console/page/') && name !== 'tools/plant/plant-api.ts')
				// The documents of other issuers are at the same path as the service's own.
				.filter((name) => name !== 'adapters/openid/provider-documents.ts')
				.map((name) => `${folder}/${name}`),
		);
		expect(files).toContain('shared/contract.ts');
		const places = files.flatMap((file) => repeatedPathsIn(file, readFileSync(new URL(file, root), 'utf8')));
		expect(places.filter((place) => !place.startsWith('shared/contract.ts:'))).toEqual([]);
		expect(places.length).toBeGreaterThanOrEqual(names.length);
	});

	test('repeatedPathsIn finds paths in strings and patterns, and ignores comments, imports and names', () => {
		const text = [
			"import { usagesOf } from './usages.ts';",
			"const { usagesOf } = await import('./usages/usages.ts');",
			'// POST /bombs',
			' * POST /bombs',
			"const name = 'saveVariable'; // POST /saveVariable",
			"const path = '/bombs';",
			"const url = [base, '/deleteVar/', id];",
			'const pattern = /^\\/usages\\/\\d+$/;',
			"const keys = 'https://issuer.example/.well-known/jwks.json';",
			"const other = '/bombsight';",
		].join('\n');
		expect(repeatedPathsIn('file.ts', text)).toEqual([
			"file.ts:6 const path = '/bombs';",
			"file.ts:7 const url = [base, '/deleteVar/', id];",
			'file.ts:8 const pattern = /^/usages/\\d+$/;',
			"file.ts:9 const keys = 'https://issuer.example/.well-known/jwks.json';",
		]);
	});

	test('names each endpoint and each route once', () => {
		expect(new Set(names).size).toBe(names.length);
		const routes = [...endpoints, ...localEndpoints].flatMap((endpoint) =>
			routePathsOf(endpoint).map((path) => `${endpoint.method} ${path}`),
		);
		expect(new Set(routes).size).toBe(routes.length);
		expect(routes.length).toBeGreaterThan(names.length);
	});

	test('has the files of a page one level below it', () => {
		for (const { path, filesPath = `${path}/{file}` } of endpoints as readonly Endpoint[])
			expect(filesPath).toBe(`${path}/{file}`);
	});

	test('redirects the path of the root to the console, and nothing else', () => {
		const redirects = (endpoints as readonly Endpoint[]).filter(({ redirectPath }) => redirectPath !== undefined);
		expect(redirects.map(({ method, redirectPath, path }) => [method, redirectPath, path])).toEqual([['GET', '/', '/console']]);
	});
});

describe('the access of functions to tables', () => {
	const rows = [...endpoints, ...tasks].flatMap(({ name, uses }) =>
		tableNames.flatMap((table) => {
			const access: readonly Access[] | undefined = (uses as Endpoint['uses'])[table];
			return access === undefined ? [] : [{ name, table, access }];
		}),
	);

	test('is listed once for each table, in the order of `actions`, and needs no action twice', () => {
		const kinds = Object.keys(actions);
		for (const { name, table, access } of rows) {
			const ordered = kinds.filter((kind) => access.some((each) => each === kind));
			expect(access, `${name} ${table}`).toEqual(ordered);
			expect(access, `${name} ${table}`).not.toEqual([]);
			const needed = access.flatMap((each): readonly string[] => actions[each]);
			expect(new Set(needed).size, `${name} ${table}`).toBe(needed.length);
		}
	});

	test('uses every kind of access and every table', () => {
		expect(new Set(rows.flatMap(({ access }) => access))).toEqual(new Set(Object.keys(actions)));
		expect(new Set(rows.map(({ table }) => table))).toEqual(new Set(tableNames));
	});

	test('is a claim for the table of idempotency keys, and for no other table', () => {
		for (const { name, table, access } of rows)
			expect(access.includes('claim'), `${name} ${table}`).toBe(table === 'idempotency');
	});

	test('stores and deletes only what the endpoint is for', () => {
		const endpointsWith = (table: TableName, kind: Access): readonly string[] =>
			rows.flatMap((row) => (row.table === table && row.access.includes(kind) ? [row.name] : []));
		expect(endpointsWith('variables', 'delete')).toEqual(['deleteVar']);
		expect(endpointsWith('panels', 'put')).toEqual(['saveBombs']);
		expect(endpointsWith('panels', 'delete')).toEqual([]);
		expect(endpointsWith('boards', 'put')).toEqual([
			'deleteVar',
			'saveCorrection',
			'saveReport',
			'saveEntry',
			'saveChart',
			'saveDiagram',
			'saveAlarm',
			'restoreItem',
		]);
		expect(endpointsWith('boards', 'delete')).toEqual([
			'deleteVar',
			'deleteCorrection',
			'deleteReport',
			'deleteEntry',
			'deleteChart',
			'deleteDiagram',
			'deleteAlarm',
		]);
		expect(endpointsWith('users', 'put')).toEqual([]);
		expect(endpointsWith('signInFailures', 'delete')).toEqual([]);
		expect(endpointsWith('owners', 'put')).toEqual(['loginSso']);
		expect(endpointsWith('signInFailures', 'count')).toEqual(['loginSso', 'signInOpenId']);
		expect(endpointsWith('grants', 'list')).toEqual(['signInOpenId', 'renewOpenId', 'token']);
		expect(endpointsWith('grants', 'update')).toEqual([]);
		// Only these four can use what providers gave: with the secret in the token of the session.
		expect(rows.filter(({ table }) => table === 'sessionTokens').map(({ name, access }) => [name, access])).toEqual([
			['signInOpenId', ['put']],
			['renewOpenId', ['get', 'put', 'delete']],
			['signOut', ['get', 'delete']],
			['backchannelLogout', ['delete']],
		]);
	});
});

describe('resource names', () => {
	const longest = 'production123456';
	/** The longest name of a signing key that settings allow. */
	const key = 'k'.repeat(30);
	const all = (environment: string) => {
		const of = resourceNames(environment);
		return {
			stack: (['issuer', 'data', 'service'] as const).map(of.stack),
			function: functionNames.map(of.function),
			table: tableNames.map(of.table),
			parameter: [of.keyRing],
			alias: [of.signingKey(key), of.signingKey('k')],
			secret: Object.values(of.secrets),
		};
	};

	test('belong to an environment with a short name', () => {
		for (const name of ['a', 'dev', longest]) expect(name).toMatch(environmentName);
		for (const name of [`${longest}7`, '', '1st', 'Dev', 'dev-2', 'dev_2', 'dev/2', 'dev\n'])
			expect(name).not.toMatch(environmentName);
	});

	test.each(['a', longest])('match the rules of each AWS service: %s', (environment) => {
		const names = all(environment);
		// Patterns and lengths from the API reference of each service.
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
			// Secrets Manager adds a hyphen and six characters. A name with such an end could match another secret's ARN.
			expect(name).not.toMatch(/-.{6}$/);
		}
	});

	test('are unique to one resource and one environment', () => {
		const names = ['a', 'aa', 'dev', longest].flatMap((environment) => Object.values(all(environment)).flat());
		expect(new Set(names).size).toBe(names.length);
	});
});
