import { beforeEach, describe, expect, test } from 'vitest';
import { machineSecrets } from '#adapters/machine-secrets.ts';
import { machineChange } from '#domain/access/machine-change.ts';
import type { ChangeJournal } from '#domain/ports/change-journal.ts';
import type { Machines } from '#domain/ports/machines.ts';
import { deleteMachine, type SaveMachineDeps, saveMachine } from '#domain/use-cases/save-machine.ts';
import { createSqliteChangeJournal } from '#infra/local/adapters/sqlite/sqlite-change-journal.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteMachines } from '#infra/local/adapters/sqlite/sqlite-machines.ts';
import { makeMachine } from '#test/support/builders/machines.ts';
import { testOrigin } from '#test/support/builders/origin.ts';

const now = Date.UTC(2026, 10, 21, 12);
const dayMs = 86_400_000;
const tenant = { schema: 's', database: 'd', owner: 7 };
const grafana = { name: 'grafana', role: 'viewer', expiresAt: now + dayMs } as const;

describe('machines', () => {
	let deps: SaveMachineDeps & { readonly machines: Machines };
	let changes: ChangeJournal;
	beforeEach(() => {
		const database = openDatabase(':memory:');
		changes = createSqliteChangeJournal(database);
		deps = {
			machines: createSqliteMachines(database),
			secrets: machineSecrets,
			pause: async () => undefined,
			origin: testOrigin,
			now: () => now,
		};
	});
	const create = () => saveMachine(deps, tenant, grafana, null);
	const change = (
		clientId: string,
		fields: Partial<Parameters<typeof saveMachine>[2]>,
		match: Parameters<typeof saveMachine>[3] = null,
	) => saveMachine(deps, tenant, { ...grafana, clientId, ...fields }, match);
	const hashesOf = async (clientId: string) => Object.values((await deps.machines.find(clientId))?.hashes ?? {});

	test('are created with one secret, whose hash alone is stored, in the tenant of the administrator', async () => {
		const { machine, secret } = await create();
		expect(machine).toMatchObject({ ...tenant, ...grafana, version: 1, lastUsedAt: null, createdBy: testOrigin.actor.name });
		expect(machine.clientId).toMatch(/^[A-Za-z0-9]{20}$/);
		expect(await hashesOf(machine.clientId)).toEqual([machineSecrets.hash(secret ?? '')]);
		expect(JSON.stringify(await deps.machines.find(machine.clientId))).not.toContain(secret);
	});

	test('change by name, role and end, and show no secret again', async () => {
		const { machine } = await create();
		const renamed = await change(machine.clientId, { name: 'scada', role: 'operator' }, [1]);
		expect(renamed).toMatchObject({ secret: null, machine: { name: 'scada', role: 'operator', version: 2 } });
		await expect(change(machine.clientId, {}, [1])).rejects.toMatchObject({ code: 'version_mismatch', payload: { stored: 2 } });
	});

	test('that cannot be read can be deleted, and not changed: that would replace what is stored of them', async () => {
		const newer = makeMachine({ clientId: 'newer', role: 'later' as never, version: 3 });
		await deps.machines.save(newer, null, machineChange({ before: null, after: newer }, testOrigin, now));
		await expect(change('newer', { newSecret: true })).rejects.toMatchObject({ code: 'no_such_machine' });
		expect(await deps.machines.find('newer')).toMatchObject({ version: 3, hashes: {} });
		expect(await deleteMachine(deps, 's', 'newer', null)).toBe(true);
	});

	test('that are saved as they are store nothing and keep their version', async () => {
		const { machine } = await create();
		expect(await change(machine.clientId, {})).toMatchObject({ secret: null, machine: { version: 1 } });
		expect(await change(machine.clientId, { removeSecret: 'nothing' })).toMatchObject({ machine: { version: 1 } });
		expect(await changes.all('s')).toHaveLength(1);
	});

	test('have two secrets at most, and the one that goes makes room for the one that comes', async () => {
		const { machine, secret: first } = await create();
		const { clientId } = machine;
		const { machine: two, secret: second } = await change(clientId, { newSecret: true });
		expect(await hashesOf(clientId)).toEqual([first, second].map((each) => machineSecrets.hash(each ?? '')));
		await expect(change(clientId, { newSecret: true })).rejects.toMatchObject({ code: 'secrets_full', payload: { limit: 2 } });
		const { secret: third } = await change(clientId, { newSecret: true, removeSecret: two.secrets[0]?.id });
		expect(await hashesOf(clientId)).toEqual([second, third].map((each) => machineSecrets.hash(each ?? '')));
		for (const { id } of (await deps.machines.find(clientId))?.secrets ?? []) await change(clientId, { removeSecret: id });
		expect(await hashesOf(clientId)).toEqual([]);
	});

	test.each([
		[now, false],
		[now + 1, true],
		[now + 366 * dayMs, true],
		[now + 366 * dayMs + 1, false],
	])('may end at %d: %s', async (expiresAt, isAllowed) => {
		const saved = saveMachine(deps, tenant, { ...grafana, expiresAt }, null);
		if (isAllowed) expect((await saved).machine.expiresAt).toBe(expiresAt);
		else await expect(saved).rejects.toMatchObject({ payload: { issues: [{ path: 'expiresAt', code: 'expiry_out_of_range' }] } });
	});

	test('have no name with an @, in any width, when they are created or changed', async () => {
		const { machine } = await create();
		for (const name of ['ana@plant.example', 'ana\uff20plant.example', 'ana\ufe6bplant.example', '\u24d0'])
			for (const clientId of [undefined, machine.clientId]) {
				const saved = saveMachine(deps, tenant, { ...grafana, clientId, name, expiresAt: now }, null);
				await expect(saved).rejects.toMatchObject({
					payload: { issues: [{ path: 'name', code: 'at_sign_in_name' }, { path: 'expiresAt' }] },
				});
			}
		expect(await changes.all('s')).toHaveLength(1);
	});

	test('that have expired keep their end under another name', async () => {
		const { machine } = await create();
		const late = { ...deps, now: () => now + 2 * dayMs };
		const renamed = await saveMachine(late, tenant, { ...grafana, clientId: machine.clientId, name: 'old' }, null);
		expect(renamed.machine).toMatchObject({ name: 'old', expiresAt: grafana.expiresAt });
	});

	test('of another schema are as if they were not there', async () => {
		const { machine } = await create();
		const other = { ...tenant, schema: 't' };
		const refused = { code: 'no_such_machine', payload: { clientId: machine.clientId } };
		await expect(saveMachine(deps, other, { ...grafana, clientId: machine.clientId }, null)).rejects.toMatchObject(refused);
		expect(await deleteMachine(deps, 't', machine.clientId, null)).toBe(false);
		expect(await deps.machines.find(machine.clientId)).not.toBeNull();
	});

	test('keep their database when an administrator of another one changes them', async () => {
		const { machine } = await create();
		const other = await saveMachine(
			deps,
			{ ...tenant, database: 'd2' },
			{ ...grafana, clientId: machine.clientId, name: 'x' },
			null,
		);
		expect(other.machine.database).toBe('d');
	});

	test('are deleted once, at the version that was read', async () => {
		const { machine } = await create();
		await expect(deleteMachine(deps, 's', machine.clientId, [9])).rejects.toMatchObject({ code: 'version_mismatch' });
		expect(await deleteMachine(deps, 's', machine.clientId, [1])).toBe(true);
		expect(await deleteMachine(deps, 's', machine.clientId, null)).toBe(false);
		expect((await changes.all('s')).map(({ action }) => action)).toEqual(['created', 'deleted']);
	});

	test('take all changes of many at once', async () => {
		const { machine } = await create();
		const { clientId } = machine;
		await Promise.all(Array.from({ length: 8 }, (_, index) => change(clientId, { name: `name ${index}` })));
		expect((await deps.machines.find(clientId))?.version).toBe(9);
		expect((await changes.all('s')).map(({ rowVersion }) => rowVersion)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
	});
});
