import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDynamoSchemaStore } from '#adapters/dynamo/dynamo-schema-store.ts';
import { inParallel } from '#domain/alarm/in-parallel.ts';
import type { ChangeEntry } from '#domain/changes/change-entry.ts';
import { createSqliteChangeJournal } from '#infra/local/adapters/sqlite/sqlite-change-journal.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteIdempotency } from '#infra/local/adapters/sqlite/sqlite-idempotency.ts';
import { createSqliteSchemaStore } from '#infra/local/adapters/sqlite/sqlite-schema-store.ts';
import { describeDynamo, openAdapters } from '#test/support/servers/dynamo.ts';
import { wasDeleted } from './check.ts';
import { corrected } from './commands.ts';
import type { Backend } from './harness.ts';
import { runScenario } from './run-scenario.ts';

const seed = Date.now() % 2 ** 31;
const races = 1000;
/** Scenarios at once, each in a schema of its own. */
const lanes = 8;
const forEver = { events: 0, changes: 0 };

/** Saves and deletes a correction and a report while their variable is deleted. Each time all invariants are checked. */
const race = async (backend: Backend & { readonly journal: (schema: string) => Promise<readonly ChangeEntry[]> }) => {
	const counts = { saved: 0, refused: 0, deleted: 0, left: 0 };
	const scenarios = fc.sample(corrected, { numRuns: races, seed });
	await inParallel(lanes, [...scenarios.entries()], async ([index, each]) => {
		const schema = `s${index}`;
		const done = await runScenario(each, async () => ({ ...backend, schema, journal: () => backend.journal(schema) }));
		const save = done.find(({ action, mark }) => action.do === 'save correction' && !mark.startsWith('first'));
		if (save?.outcome.kind === 'answered') counts.saved += 1;
		if (save?.outcome.kind === 'refused') counts.refused += 1;
		const deletion = done.find(({ action }) => action.do === 'delete board' && action.kind === 'correction');
		if (deletion !== undefined && wasDeleted(deletion.outcome)) counts.deleted += 1;
		else counts.left += 1;
	});
	expect(counts.deleted + counts.left).toBe(races);
	// Each request came first in many of the races.
	for (const [name, count] of Object.entries(counts)) expect(count, name).toBeGreaterThan(races / 10);
};

const name = `a correction, a report and their variable are saved and deleted at once, ${races} times (seed ${seed})`;

describe('integrity on SQLite', () => {
	test(name, { timeout: 300_000 }, async () => {
		const database = openDatabase(':memory:');
		const store = createSqliteSchemaStore(database, forEver);
		const changes = createSqliteChangeJournal(database);
		await race({ store, idempotency: createSqliteIdempotency(database), journal: changes.all });
	});
});

describeDynamo('integrity on DynamoDB Local', () => {
	test(name, { timeout: 300_000 }, async () => {
		const { dynamo, names, idempotency, changes } = await openAdapters();
		const store = createDynamoSchemaStore(dynamo, names, forEver);
		await race({ store, idempotency, journal: changes.all });
		dynamo.close();
	});
});
