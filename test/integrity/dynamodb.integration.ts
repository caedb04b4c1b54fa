import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeDynamo, openAdapters } from '#test/support/servers/dynamo.ts';
import { scenario } from './commands.ts';
import { runScenario } from './run-scenario.ts';

const seed = Date.now() % 2 ** 31;
const runs = 1000;

describeDynamo(`integrity on DynamoDB Local under any interleaving (seed ${seed})`, () => {
	test(`holds for ${runs} scenarios`, { timeout: 600_000 }, async () => {
		const backend = await openAdapters();
		let schemas = 0;
		await fc.assert(
			fc.asyncProperty(scenario, async (each) => {
				schemas += 1;
				const schema = `s${schemas}`;
				await runScenario(each, async () => ({ schema, store: backend.store, idempotency: backend.idempotency }));
			}),
			{ numRuns: runs, seed },
		);
		expect(schemas).toBeGreaterThanOrEqual(runs);
		backend.dynamo.close();
	});
});
