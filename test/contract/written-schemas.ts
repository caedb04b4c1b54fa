import { describe, expect, test } from 'vitest';
import type { WrittenSchemas } from '#domain/ports/owners.ts';
import type { SchemaStore } from '#domain/ports/schema-store.ts';
import { deleteVariable } from '#domain/use-cases/delete-variable.ts';
import { saveVariable } from '#domain/use-cases/save-variable.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { makeBody } from '#test/support/builders/builders.ts';
import { testOrigin } from '#test/support/builders/origin.ts';

/** Both ports on one empty store. */
interface WrittenStore {
	readonly store: SchemaStore;
	readonly writtenSchemas: WrittenSchemas;
}

/** Tests of every `WrittenSchemas`. `open` creates an empty one, and the store that it tells about. */
export function writtenSchemasContract(name: string, open: () => Promise<WrittenStore>): void {
	describe(`WrittenSchemas: ${name}`, () => {
		test('are the schemas that were written to, also when nothing is left in them', async () => {
			const { store, writtenSchemas } = await open();
			const deps = { store, pause: async () => undefined, now: () => 1_000_000, origin: testOrigin };
			expect(await writtenSchemas.list()).toEqual([]);
			for (const schema of ['plant_b', 'plant_a', 'plant_a']) await saveVariable(deps, schema, parseVariable(makeBody()));
			await deleteVariable(deps, 'plant_b', 1);
			// An id alone is not data.
			await store.nextId('plant_c');
			expect(await writtenSchemas.list()).toEqual(['plant_a', 'plant_b']);
			expect(await Promise.all(['plant_a', 'plant_b', 'plant_c', 'plant'].map((each) => writtenSchemas.has(each)))).toEqual([
				true,
				true,
				false,
				false,
			]);
		});
	});
}
