import { describe } from 'vitest';
import { changeSuite } from '#test/support/alarms/change-suite.ts';
import { crashSuite } from '#test/support/alarms/crash-suite.ts';
import { sqliteStores } from '#test/support/alarms/tick-plant.ts';
import { describeDynamo, openAdapters } from '#test/support/servers/dynamo.ts';

describe('ticks on SQLite', () => {
	crashSuite(sqliteStores, 5000);
	changeSuite(sqliteStores, 100, 100);
});

describeDynamo('ticks on DynamoDB Local', async () => {
	const adapters = await openAdapters();
	crashSuite(() => adapters, 300);
	changeSuite(() => adapters, 100);
});
