import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDynamoSchemaStore } from '#adapters/dynamo/dynamo-schema-store.ts';
import { casesOf, firstSeed } from '#test/support/cases.ts';
import { describeDynamo, openAdapters } from '#test/support/servers/dynamo.ts';
import { scenario } from './commands.ts';
import { runScenario } from './run-scenario.ts';

const runs = casesOf(200);

describeDynamo(`integrity on DynamoDB Local under any interleaving (seed ${firstSeed})`, () => {
	test(`holds for ${runs} scenarios`, { timeout: 60_000 + runs * 1000 }, async () => {
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
			{ numRuns: runs, seed: firstSeed },
		);
		expect(schemas).toBeGreaterThanOrEqual(runs);
		backend.dynamo.close();
	});
});
