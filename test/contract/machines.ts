import { beforeEach, describe, expect, test } from 'vitest';
import { type KeyedMachine, refusalOf } from '#domain/access/machine.ts';
import { machineChange } from '#domain/access/machine-change.ts';
import type { ChangeJournal } from '#domain/ports/change-journal.ts';
import type { Machines } from '#domain/ports/machines.ts';
import { makeMachine } from '#test/support/builders/machines.ts';
import { testOrigin } from '#test/support/builders/origin.ts';

/** Machines, and the journal that their changes are told in. */
export interface MachineBackend {
	readonly machines: Machines;
	readonly changes: Pick<ChangeJournal, 'history'>;
}

/** In the future: DynamoDB deletes expired items by its own clock. */
const base = Date.UTC(2100, 0, 1);

/** Tests of every `Machines`. `open` creates an empty one; `races`: how many savers of one version there are at once. */
export function machinesContract(name: string, open: () => Promise<MachineBackend>, races: number): void {
	describe(`Machines: ${name}`, () => {
		let machines: Machines;
		let changes: Pick<ChangeJournal, 'history'>;
		beforeEach(async () => {
			({ machines, changes } = await open());
		});
		const created = async (machine: KeyedMachine) => {
			expect(await machines.save(machine, null, machineChange({ before: null, after: machine }, testOrigin, base))).toBe('saved');
			return machine;
		};
		const change = (before: KeyedMachine, after: KeyedMachine) =>
			machines.save(after, before.version, machineChange({ before, after }, testOrigin, base + 1000));
		const historyOf = ({ schema, clientId }: KeyedMachine) =>
			changes.history(schema, { kind: 'machine', itemId: clientId }, 0, 99);

		test('is empty at first', async () => {
			expect([await machines.find('nobody'), await machines.list('s')]).toEqual([null, []]);
		});

		test('leaves out a machine that cannot be read, and no other; it may do nothing, and can be removed', async () => {
			await created(makeMachine({ clientId: 'newer', role: 'later' as never, version: 3 }));
			const { hashes: _, ...good } = await created(makeMachine());
			expect(await machines.list('s')).toEqual([good]);
			const unread = await machines.find('newer');
			expect(unread).toMatchObject({ clientId: 'newer', schema: 's', version: 3, role: 'viewer', hashes: {} });
			expect(refusalOf(unread, 0)).toBe('revoked');
			if (unread === null) return;
			const removal = machineChange({ before: unread, after: null }, testOrigin, base + 1000);
			expect(await machines.remove({ ...unread, version: 2 }, removal)).toBe('conflict');
			expect(await machines.remove(unread, removal)).toBe('removed');
			expect(await machines.find('newer')).toBeNull();
		});

		test('returns a machine as it was saved, with its hashes, and lists it without them', async () => {
			const machine = await created(makeMachine({ name: 'é "x"', secrets: [], hashes: {} }));
			expect(await machines.find(machine.clientId)).toEqual(machine);
			const { hashes: _, ...listed } = machine;
			expect(await machines.list('s')).toEqual([listed]);
		});

		test('lists the machines of one schema', async () => {
			for (const [clientId, schema] of [
				['a', 's'],
				['b', 't'],
				['c', 's'],
			] as const)
				await created(makeMachine({ clientId, schema }));
			expect((await machines.list('s')).map(({ clientId }) => clientId).sort()).toEqual(['a', 'c']);
			expect((await machines.list('t')).map(({ clientId }) => clientId)).toEqual(['b']);
		});

		test('changes only the version that was read, and creates a client id only once', async () => {
			const machine = await created(makeMachine());
			const next = makeMachine({ name: 'scada', version: 2, hashes: { one: 'hash of one', two: 'hash of two' } });
			expect(await change(machine, next)).toBe('saved');
			expect(await change(machine, { ...next, name: 'late' })).toBe('conflict');
			expect(await machines.save(machine, null, machineChange({ before: null, after: machine }, testOrigin, base))).toBe(
				'conflict',
			);
			expect(await machines.find(machine.clientId)).toEqual(next);
			expect(await historyOf(machine)).toHaveLength(2);
		});

		test('removes the version that was read, and nothing comes back', async () => {
			const machine = await created(makeMachine());
			const next = makeMachine({ version: 2 });
			await change(machine, next);
			expect(await machines.remove(machine, machineChange({ before: machine, after: null }, testOrigin, base))).toBe('conflict');
			expect(await machines.remove(next, machineChange({ before: next, after: null }, testOrigin, base + 2000))).toBe('removed');
			await machines.noteUse(machine.clientId, base);
			expect([await machines.find(machine.clientId), await machines.list('s')]).toEqual([null, []]);
			expect(await machines.remove(next, machineChange({ before: next, after: null }, testOrigin, base))).toBe('conflict');
		});

		test('notes a use beside every other change', async () => {
			const machine = await created(makeMachine());
			await machines.noteUse(machine.clientId, base + 5);
			const next = makeMachine({ version: 2, role: 'operator' });
			expect(await change(machine, next)).toBe('saved');
			expect(await machines.find(machine.clientId)).toEqual({ ...next, lastUsedAt: base + 5 });
			expect((await machines.list('s'))[0]?.lastUsedAt).toBe(base + 5);
			await machines.noteUse('nobody', base);
			expect(await machines.find('nobody')).toBeNull();
		});

		test('tells the journal of each change in its commit, without secrets and hashes', async () => {
			const machine = await created(makeMachine());
			const next = makeMachine({ version: 2, name: 'scada', role: 'operator' });
			await change(machine, next);
			await machines.noteUse(machine.clientId, base);
			await machines.remove(next, machineChange({ before: next, after: null }, testOrigin, base + 2000));
			const told = await historyOf(machine);
			expect(told.map(({ entry }) => [entry.action, entry.version, entry.replaced, entry.fields, entry.name])).toEqual([
				['created', 1, null, [], 'grafana'],
				['changed', 2, 1, ['name', 'role'], 'scada'],
				['deleted', 3, 2, [], 'scada'],
			]);
			expect(told[1]?.before).toEqual({
				version: 1,
				content: {
					clientId: machine.clientId,
					name: 'grafana',
					role: 'viewer',
					database: 'd',
					expiresAt: '2100-01-02T00:00:00.000Z',
					secrets: [{ id: 'one', createdAt: '2100-01-01T00:00:00.000Z' }],
				},
			});
			expect(JSON.stringify(told)).not.toContain('hash of');
		});

		test('of many who change one version at once, one does', async () => {
			const machine = await created(makeMachine());
			const outcomes = await Promise.all(
				Array.from({ length: races }, (_, index) => change(machine, makeMachine({ version: 2, name: `name ${index}` }))),
			);
			expect(outcomes.filter((outcome) => outcome === 'saved')).toHaveLength(1);
			expect(await historyOf(machine)).toHaveLength(2);
		});
	});
}
