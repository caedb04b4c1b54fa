import { describe, expect, test } from 'vitest';
import type { SchemaImports } from '#domain/ports/schema-imports.ts';
import type { SchemaStore } from '#domain/ports/schema-store.ts';
import { saveVariable } from '#domain/use-cases/save-variable.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { makeBody } from '#test/support/builders/builders.ts';
import { testOrigin } from '#test/support/builders/origin.ts';

/** Both ports on one empty store. */
interface ImportingStore {
	readonly store: SchemaStore;
	readonly imports: SchemaImports;
}

/** Tests of every `SchemaImports`. `open` creates an empty one, and the store that it marks. */
export function schemaImportsContract(name: string, open: () => Promise<ImportingStore>): void {
	describe(`SchemaImports: ${name}`, () => {
		const start = { importId: 'a', revision: 40, lastId: 7 };
		const depsOf = (store: SchemaStore) => ({ store, pause: async () => undefined, now: () => 1_000_000, origin: testOrigin });

		test('begins in a schema that holds nothing, and gives it the revision and the last id', async () => {
			const { store, imports } = await open();
			expect(await imports.current('s')).toBeNull();
			expect(await imports.begin('s', start)).toBe(true);
			expect(await imports.current('s')).toBe('a');
			expect(await store.schemaMetadata('s')).toEqual({
				revision: 40,
				lastId: 7,
				variables: 0,
				boards: { chart: 0, diagram: 0, alarm: 0, correction: 0, report: 0, entry: 0 },
				listed: 0,
				changes: [],
				marks: [],
			});
			expect(await imports.current('S')).toBeNull();
			expect(await store.revision('S')).toMatchObject({ revision: 0 });
		});

		test('counts commits and ids from there, and keeps its mark', async () => {
			const { store, imports } = await open();
			await imports.begin('s', start);
			expect((await saveVariable(depsOf(store), 's', parseVariable(makeBody()))).variable.id).toBe(8);
			expect(await store.schemaMetadata('s')).toMatchObject({ revision: 41, lastId: 8, variables: 1, listed: 1, changes: [[8]] });
			expect(await imports.current('s')).toBe('a');
		});

		test('does not begin a second time, after a commit, or after an id was assigned', async () => {
			const { store, imports } = await open();
			await imports.begin('s', start);
			expect(await imports.begin('s', { ...start, importId: 'b' })).toBe(false);
			expect(await imports.begin('s', start)).toBe(false);
			expect(await imports.current('s')).toBe('a');
			await saveVariable(depsOf(store), 'saved', parseVariable(makeBody()));
			await store.nextId('assigned');
			for (const schema of ['saved', 'assigned']) {
				const before = await store.schemaMetadata(schema);
				expect(await imports.begin(schema, start)).toBe(false);
				expect(await store.schemaMetadata(schema)).toEqual(before);
				expect(await imports.current(schema)).toBeNull();
			}
		});

		test('ends by its own id only, and may be ended again', async () => {
			const { store, imports } = await open();
			await imports.begin('s', start);
			await imports.end('s', 'b');
			await imports.end('S', 'a');
			expect(await imports.current('s')).toBe('a');
			await imports.end('s', 'a');
			await imports.end('s', 'a');
			expect(await imports.current('s')).toBeNull();
			expect(await imports.begin('s', start)).toBe(false);
			expect(await store.schemaMetadata('s')).toMatchObject({ revision: 40, lastId: 7 });
		});

		test('lets one of several begin at once', async () => {
			const { imports } = await open();
			const ids = ['a', 'b', 'c', 'd'];
			const began = await Promise.all(ids.map((importId) => imports.begin('s', { ...start, importId })));
			expect(began.filter((each) => each)).toHaveLength(1);
			expect(await imports.current('s')).toBe(ids[began.indexOf(true)]);
		});
	});
}
