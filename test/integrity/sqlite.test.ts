import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSqliteChangeJournal } from '#infra/local/adapters/sqlite/sqlite-change-journal.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteIdempotency } from '#infra/local/adapters/sqlite/sqlite-idempotency.ts';
import { createSqliteSchemaStore } from '#infra/local/adapters/sqlite/sqlite-schema-store.ts';
import { casesOf, firstSeed } from '#test/support/cases.ts';
import { scenario } from './commands.ts';
import { runScenario } from './run-scenario.ts';

const runs = casesOf(400);

test(`integrity holds on SQLite under any interleaving of requests (seed ${firstSeed})`, {
	timeout: 60_000 + runs * 100,
}, async () => {
	const database = openDatabase(':memory:');
	const backend = {
		store: createSqliteSchemaStore(database, { events: 400, changes: 0 }),
		idempotency: createSqliteIdempotency(database),
	};
	const changes = createSqliteChangeJournal(database);
	let schemas = 0;
	await fc.assert(
		fc.asyncProperty(scenario, async (each) => {
			schemas += 1;
			const schema = `s${schemas}`;
			await runScenario(each, async () => ({ schema, journal: () => changes.all(schema), ...backend }));
		}),
		{ numRuns: runs, seed: firstSeed },
	);
	expect(schemas).toBeGreaterThanOrEqual(runs);
});
