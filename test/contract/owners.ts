import { beforeEach, describe, expect, test } from 'vitest';
import type { OwnedName, Owners } from '#domain/ports/owners.ts';

const schema = { kind: 'schema', name: 'plant_a' } as const satisfies OwnedName;
const database = { kind: 'database', name: 'plant_a' } as const satisfies OwnedName;
const both: readonly OwnedName[] = [schema, database];

/** Tests of every `Owners`. `open` creates an empty one. */
export function ownersContract(name: string, open: () => Promise<Owners>): void {
	describe(`Owners: ${name}`, () => {
		let owners: Owners;
		beforeEach(async () => {
			owners = await open();
		});

		const ownersOf = (names: readonly OwnedName[]) => Promise.all(names.map((each) => owners.find(each)));

		test('is empty at first', async () => {
			expect(await ownersOf(both)).toEqual([null, null]);
			expect(await owners.list()).toEqual([]);
		});

		test('gives names to the client that claims them first, and again to the same client', async () => {
			expect(await owners.claim([schema], 3)).toBe(true);
			expect(await ownersOf(both)).toEqual([3, null]);
			expect(await owners.claim(both, 3)).toBe(true);
			expect(await owners.claim(both, 3)).toBe(true);
			expect(await ownersOf(both)).toEqual([3, 3]);
		});

		test.each([
			['schema', schema, database],
			['database', database, schema],
		])('gives nothing to a client when the %s belongs to another', async (_, taken, free) => {
			await owners.claim([taken], 3);
			expect(await owners.claim(both, 4)).toBe(false);
			expect(await ownersOf([taken, free])).toEqual([3, null]);
		});

		test('of many clients at once, one gets both names', async () => {
			const clients = Array.from({ length: 20 }, (_, index) => index + 1);
			const claimed = await Promise.all(clients.map((client) => owners.claim(client % 2 ? both : both.toReversed(), client)));
			const winners = clients.filter((_, index) => claimed[index]);
			expect(winners).toHaveLength(1);
			expect(await ownersOf(both)).toEqual([winners[0], winners[0]]);
		});

		test('sets the owner, whoever it was', async () => {
			await owners.set({ ...schema, clientId: 3 });
			await owners.set({ ...schema, clientId: 4 });
			expect(await ownersOf(both)).toEqual([4, null]);
			expect(await owners.claim(both, 3)).toBe(false);
		});

		test('lists by kind and name, whatever a name holds', async () => {
			const names = ['b', 'a#b', 'A', 'é', 'schema#a'];
			for (const [index, each] of names.entries()) await owners.set({ kind: 'schema', name: each, clientId: index });
			await owners.set({ ...database, clientId: 7 });
			expect(await owners.list()).toEqual([
				{ ...database, clientId: 7 },
				...['A', 'a#b', 'b', 'schema#a', 'é'].map((each) => ({ kind: 'schema', name: each, clientId: names.indexOf(each) })),
			]);
		});
	});
}
