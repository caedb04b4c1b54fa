import { changeSuite } from '#test/support/alarms/change-suite.ts';
import { crashSuite } from '#test/support/alarms/crash-suite.ts';
import { casesOf } from '#test/support/cases.ts';
import { describeDynamo, openAdapters } from '#test/support/servers/dynamo.ts';

describeDynamo('ticks on DynamoDB Local', async () => {
	const adapters = await openAdapters();
	crashSuite(() => adapters, casesOf(60));
	changeSuite(() => adapters, casesOf(25));
});
