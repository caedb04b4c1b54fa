import { describe, inject } from 'vitest';
import { casesOf } from '#test/support/cases.ts';
import { importSuite } from '#test/support/plant/import-suite.ts';
import { describeDynamo, newDatabase } from '#test/support/servers/dynamo.ts';

describeDynamo('an export and its import on DynamoDB Local', () => {
	importSuite(() => ({ DYNAMODB_ENDPOINT: inject('dynamoDbEndpoint') ?? '', AWS_ACCESS_KEY_ID: newDatabase() }), casesOf(5));
});

describe('many exports and their imports', () => {
	importSuite(() => ({}), casesOf(100));
});
