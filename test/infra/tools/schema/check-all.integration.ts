import { inject } from 'vitest';
import { checkAllSuite } from '#test/support/check-all-suite.ts';
import { describeDynamo, newDatabase } from '#test/support/servers/dynamo.ts';

describeDynamo('the check of all schemas on DynamoDB Local', () =>
	checkAllSuite(() => ({ DYNAMODB_ENDPOINT: inject('dynamoDbEndpoint') ?? '', AWS_ACCESS_KEY_ID: newDatabase() })),
);
