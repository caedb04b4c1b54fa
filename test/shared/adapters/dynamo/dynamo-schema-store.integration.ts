import { schemaStoreContract } from '#test/contract/schema-store.ts';
import { describeDynamo, openAdapters } from '#test/support/servers/dynamo.ts';

describeDynamo('on DynamoDB Local', () => {
	schemaStoreContract('DynamoDB', () => openAdapters());
});
