import { schemaStoreContract } from '../../../contract/schema-store.ts';
import { describeDynamo, openAdapters } from '../../../support/dynamo.ts';

describeDynamo('on DynamoDB Local', () => {
	schemaStoreContract('DynamoDB', () => openAdapters());
});
