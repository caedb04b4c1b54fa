import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDynamoSchemaStore } from '#adapters/dynamo/dynamo-schema-store.ts';
import { describeDynamo, openAdapters } from '#test/support/servers/dynamo.ts';
import { scenario } from './commands.ts';
import { runScenario } from './run-scenario.ts';

const seed = Date.now() % 2 ** 31;
const runs = 1000;

describeDynamo(`integrity on DynamoDB Local under any interleaving (seed ${seed})`, () => {
	test(`holds for ${runs} scenarios`, { timeout: 600_000 }, async () => {
		const backend = await openAdapters();
		// For ever: the clients' clocks show 1970.
		const store = createDynamoSchemaStore(backend.dynamo, backend.names, { events: 400, changes: 0 });
		let schemas = 0;
		await fc.assert(
			fc.asyncProperty(scenario, async (each) => {
				schemas += 1;
				const schema = `s${schemas}`;
				await runScenario(each, async () => ({
					schema,
					store,
					idempotency: backend.idempotency,
					journal: () => backend.changes.all(schema),
				}));
			}),
			{ numRuns: runs, seed },
		);
		expect(schemas).toBeGreaterThanOrEqual(runs);
		backend.dynamo.close();
	});
});
