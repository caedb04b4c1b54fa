import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { openDynamo } from '#adapters/dynamo/dynamo-client.ts';
import { defaultJournalDays } from '#adapters/stored-change.ts';
import { saveVariable } from '#domain/use-cases/save-variable.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { createTables } from '#infra/local/adapters/create-dynamo-tables.ts';
import type { LocalServer } from '#infra/local/server.ts';
import { dynamoStores, type Stores, tablesUnder } from '#infra/local/wiring/stores.ts';
import { resourceNames } from '#shared/resource-names.ts';
import type { TableName } from '#shared/tables.ts';
import { makeBody } from '#test/support/builders/builders.ts';
import { testOrigin } from '#test/support/builders/origin.ts';
import { runProgram } from '#test/support/process.ts';
import { describeDynamo, newDatabase } from '#test/support/servers/dynamo.ts';
import { startLocal } from '#test/support/servers/local.ts';

const region = 'us-east-1';

/** The names of an environment's tables. `restored` is the suffix of the restored ones. */
const namesOf = (environment: string, restored = ''): Record<TableName, string> => {
	const { table } = resourceNames(environment);
	return {
		variables: `${table('variables')}${restored}`,
		panels: `${table('panels')}${restored}`,
		boards: `${table('boards')}${restored}`,
		evaluations: `${table('evaluations')}${restored}`,
		alarmStates: `${table('alarmStates')}${restored}`,
		alarmEvents: `${table('alarmEvents')}${restored}`,
		changes: `${table('changes')}${restored}`,
		reportDays: table('reportDays'),
		users: table('users'),
		people: table('people'),
		machines: table('machines'),
		owners: table('owners'),
		grants: table('grants'),
		sessions: table('sessions'),
		sessionTokens: table('sessionTokens'),
		idempotency: table('idempotency'),
		signInFailures: table('signInFailures'),
	};
};

describeDynamo('npm run user and npm run schema, on the tables of an environment', () => {
	let environment: Record<string, string>;
	const storesOf = async (names: Record<TableName, string>): Promise<Stores> => {
		const { AWS_ENDPOINT_URL: endpoint = '', AWS_ACCESS_KEY_ID: accessKeyId = '' } = environment;
		const dynamo = openDynamo({ endpoint, region, credentials: { accessKeyId, secretAccessKey: 'local' } });
		await createTables(dynamo, tablesUnder(names));
		return dynamoStores(dynamo, names, defaultJournalDays);
	};
	const tool = async (file: 'user' | 'schema/schema', args: readonly string[], more: Readonly<Record<string, string>> = {}) => {
		const program = runProgram(`infra/tools/${file}.ts`, args, { ...environment, ...more });
		return { code: await program.ended, text: program.output() };
	};
	const save = async ({ store }: Stores, name: string): Promise<void> => {
		await saveVariable(
			{ store, pause: async () => undefined, now: Date.now, origin: testOrigin },
			's',
			parseVariable(makeBody({ name })),
		);
	};
	beforeEach(() => {
		environment = {
			AWS_ENDPOINT_URL: inject('dynamoDbEndpoint') ?? '',
			AWS_REGION: region,
			AWS_ACCESS_KEY_ID: newDatabase(),
			AWS_SECRET_ACCESS_KEY: 'local',
		};
	});

	let local: LocalServer;
	beforeAll(async () => {
		local = await startLocal();
	});
	afterAll(() => local.close());

	test('user adds a user whom the identity provider confirms, lists and removes users', async () => {
		const { users } = await storesOf(namesOf('dev'));
		const idp = { AUTH_URL: `${local.baseUrl}/idp`, IDP_TOKEN: 'demo-idp-token' };
		const who = ['--email', 'Operator@Plant-B.example', '--id', '2', '--first-name', 'A', '--last-name', 'B', '--client-id', '3'];
		const added = await tool('user', ['add', '--env', 'dev', ...who], idp);
		expect([added.code, added.text]).toEqual([0, 'added Operator@Plant-B.example: user 2, client 3\n']);
		expect(await users.find('operator@plant-b.example')).toMatchObject({ id: 2, clientId: 3 });
		const refused = await tool('user', ['add', '--env', 'dev', ...who, '--id', '1'], idp);
		expect([refused.code, refused.text]).toEqual([1, expect.stringContaining('has another e-mail for user 1')]);
		expect((await tool('user', ['list', '--env', 'dev'])).text).toBe('Operator@Plant-B.example  user 2, client 3, A B\n1 user\n');
		const removed = await tool('user', ['remove', 'operator@plant-b.example', '--env', 'dev']);
		expect([removed.code, await users.list()]).toEqual([0, []]);
		const again = await tool('user', ['remove', 'operator@plant-b.example', '--env', 'dev']);
		expect([again.code, again.text]).toEqual([1, expect.stringContaining('npm run user -- list --env dev shows them')]);
	});

	test('schema exports and checks the tables of the environment, or restored tables by their names', async () => {
		const own = await storesOf(namesOf('dev'));
		const restored = await storesOf(namesOf('dev', '-restored'));
		await save(own, 'own');
		await save(restored, 'restored');
		await save(restored, 'also restored');
		const names = namesOf('dev', '-restored');
		const where = ['--variables-table', names.variables, '--boards-table', names.boards, '--panels-table', names.panels];
		const checked = await tool('schema/schema', ['check', '--env', 'dev', '--schema', 's']);
		expect([checked.code, checked.text]).toEqual([0, expect.stringMatching(/^Checked 1 variable, .*\nNothing found\.\n$/)]);
		const { revision } = await restored.store.schemaMetadata('s');
		await restored.store.correctMetadata('s', { expectedRevision: revision, variables: 9, lastId: 2 });
		const found = await tool('schema/schema', ['check', '--env', 'dev', '--schema', 's', ...where]);
		expect([found.code, found.text]).toEqual([
			1,
			expect.stringMatching(
				/the metadata say 9 variables and last id 2 instead of 2 and 2\n(variable#2: .*\n)?Checked 2 variables/,
			),
		]);
		const repaired = await tool('schema/schema', ['check', '--env', 'dev', '--schema', 's', '--repair', ...where]);
		expect([repaired.code, (await restored.store.schemaMetadata('s')).variables]).toEqual([0, 2]);
		const exported = await tool('schema/schema', ['export', '--env', 'dev', '--schema', 's', ...where]);
		expect(exported.text).toContain('"also restored"');
	});

	test('schema imports an export into the tables of the environment, once', async () => {
		await save(await storesOf(namesOf('dev')), 'own');
		const folder = mkdtempSync(join(tmpdir(), 'caudal-'));
		try {
			const file = join(folder, 'export.json');
			const exported = await tool('schema/schema', ['export', '--env', 'dev', '--schema', 's', '--out', file]);
			expect([exported.code, exported.text]).toEqual([0, expect.stringMatching(/^Exported /)]);
			const imported = await tool('schema/schema', ['import', file, '--env', 'dev', '--schema', 'imported']);
			expect([imported.code, imported.text]).toEqual([0, expect.stringContaining('read back and is the same')]);
			const again = await tool('schema/schema', ['import', file, '--env', 'dev', '--schema', 'imported']);
			expect([again.code, again.text]).toEqual([1, expect.stringContaining('Schema imported is not empty')]);
		} finally {
			rmSync(folder, { recursive: true });
		}
	});

	test('schema shows and sets the owners in an environment', async () => {
		const stores = await storesOf(namesOf('dev'));
		await save(stores, 'own');
		const listed = await tool('schema/schema', ['owner', '--env', 'dev']);
		expect([listed.code, listed.text]).toEqual([0, expect.stringMatching(/^schema s: nobody\n0 owners; 1 schema with data/)]);
		const set = await tool('schema/schema', ['owner', '--env', 'dev', '--schema', 's', '--database', 'd', '--set', '3']);
		expect([set.code, set.text]).toEqual([0, expect.stringMatching(/^schema s: client 3\ndatabase d: client 3\n/)]);
		expect(await stores.owners.list()).toHaveLength(2);
	});

	test('schema rejects names of tables without an environment', async () => {
		const { code, text } = await tool('schema/schema', ['check', '--schema', 's', '--boards-table', 'restored']);
		expect([code, text]).toEqual([
			1,
			expect.stringMatching(/^schema: Only an environment on AWS has named tables: .*--env\.\n$/),
		]);
	});

	test.each([
		['user', ['list', '--env', 'none']],
		['schema/schema', ['check', '--env', 'none', '--schema', 's']],
	] as const)('%s explains that an environment has no tables', async (file, args) => {
		const { code, text } = await tool(file, args);
		expect([code, text]).toEqual([1, expect.stringMatching(/^\w+: There is no such table: check --env and AWS_REGION.*\n$/)]);
	});
});
