import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDynamoSchemaStore } from '#adapters/dynamo/dynamo-schema-store.ts';
import { inParallel } from '#domain/alarm/in-parallel.ts';
import type { ChangeEntry } from '#domain/changes/change-entry.ts';
import { createSqliteChangeJournal } from '#infra/local/adapters/sqlite/sqlite-change-journal.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteIdempotency } from '#infra/local/adapters/sqlite/sqlite-idempotency.ts';
import { createSqliteSchemaStore } from '#infra/local/adapters/sqlite/sqlite-schema-store.ts';
import { firstSeed } from '#test/support/cases.ts';
import { describeDynamo, openAdapters } from '#test/support/servers/dynamo.ts';
import type { EndedRequest } from './check.ts';
import type { PreparedScenario } from './commands.ts';
import type { Backend } from './harness.ts';
import { runScenario } from './run-scenario.ts';

/** Scenarios at once, each in a schema of its own. */
const lanes = 8;
const forEver = { events: 0, changes: 0 };

/**
 * Runs each race many times on SQLite and on DynamoDB Local, and checks all invariants after each.
 * @param what what is saved and deleted at once
 * @param races how often
 * @param outcomesOf the names of what happened in a race: each of `outcomes` must happen in a tenth of them
 */
export function describeRaces(
	what: string,
	races: number,
	scenarios: fc.Arbitrary<PreparedScenario>,
	outcomes: readonly string[],
	outcomesOf: (done: readonly EndedRequest[]) => readonly string[],
): void {
	const race = async (backend: Backend & { readonly journal: (schema: string) => Promise<readonly ChangeEntry[]> }) => {
		const counts = new Map(outcomes.map((name) => [name, 0]));
		await inParallel(lanes, [...fc.sample(scenarios, { numRuns: races, seed: firstSeed }).entries()], async ([index, each]) => {
			const schema = `s${index}`;
			const done = await runScenario(each, async () => ({ ...backend, schema, journal: () => backend.journal(schema) }));
			for (const name of outcomesOf(done)) counts.set(name, (counts.get(name) ?? 0) + 1);
		});
		// Each request came first in many of the races.
		for (const [name, count] of counts) expect(count, name).toBeGreaterThan(races / 10);
	};
	const name = `${what}, ${races} times (seed ${firstSeed})`;

	describe('integrity on SQLite', () => {
		test(name, { timeout: 60_000 + races * 1000 }, async () => {
			const database = openDatabase(':memory:');
			const store = createSqliteSchemaStore(database, forEver);
			const changes = createSqliteChangeJournal(database);
			await race({ store, idempotency: createSqliteIdempotency(database), journal: changes.all });
		});
	});

	describeDynamo('integrity on DynamoDB Local', () => {
		test(name, { timeout: 60_000 + races * 1000 }, async () => {
			const { dynamo, names, idempotency, changes } = await openAdapters();
			const store = createDynamoSchemaStore(dynamo, names, forEver);
			await race({ store, idempotency, journal: changes.all });
			dynamo.close();
		});
	});
}
