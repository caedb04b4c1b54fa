import { createSnsNotifier } from '#adapters/aws/sns-notifier.ts';
import { createDynamoOwners } from '#adapters/dynamo/dynamo-owners.ts';
import { closeReportDaysSchema, readConfig } from '#shared/config.ts';
import { openUnguardedReportDeps } from '#wiring/report-deps.ts';
import { withLambdaDeadline } from '#wiring/request-time.ts';
import { createHandler } from './handler.ts';

/** Most schemas in the cache of definitions: a run reads those of all schemas of an environment. */
const maxSchemas = 1000;

const config = readConfig(closeReportDaysSchema);

const deps = openUnguardedReportDeps(maxSchemas);

const closing = {
	...deps,
	owners: createDynamoOwners(deps.dynamo, config.TABLE_OWNERS),
	notifier: createSnsNotifier({ topicArn: config.ALARM_TOPIC_ARN }),
};

export const handler = withLambdaDeadline(createHandler(closing));
