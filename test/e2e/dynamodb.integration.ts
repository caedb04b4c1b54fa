import { afterAll, beforeAll, inject } from 'vitest';
import { describeDynamo, newDatabase } from '#test/support/servers/dynamo.ts';
import { openLocalTarget } from '#test/support/servers/local.ts';
import { badInputSuite } from './bad-input.ts';
import { boardsSuite } from './boards.ts';
import { historySuite } from './history.ts';
import { isolationSuite } from './isolation.ts';
import { panelSuite } from './panel.ts';
import { readingsSuite } from './readings.ts';
import { retriesSuite } from './retries.ts';
import { sharedSchemaSuite } from './shared-schema.ts';
import { signInSuite } from './sign-in.ts';
import type { Target } from './target.ts';
import { variablesSuite } from './variables.ts';

const suites = [
	variablesSuite,
	readingsSuite,
	historySuite,
	panelSuite,
	boardsSuite,
	retriesSuite,
	isolationSuite,
	badInputSuite,
	signInSuite,
];

describeDynamo('end to end with DynamoDB Local', () => {
	let target: Target;
	beforeAll(async () => {
		target = await openLocalTarget({
			DYNAMODB_ENDPOINT: inject('dynamoDbEndpoint') ?? '',
			AWS_ACCESS_KEY_ID: newDatabase(),
		});
	});
	afterAll(() => target.close());

	for (const suite of suites) suite(() => target);

	const database = newDatabase();
	sharedSchemaSuite('DynamoDB', () => ({ DYNAMODB_ENDPOINT: inject('dynamoDbEndpoint') ?? '', AWS_ACCESS_KEY_ID: database }));
});
