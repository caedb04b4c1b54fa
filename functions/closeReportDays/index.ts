import { createSnsNotifier } from '#adapters/aws/sns-notifier.ts';
import { createDynamoOwners } from '#adapters/dynamo/dynamo-owners.ts';
import { closeReportDaysSchema, readConfig } from '#shared/config.ts';
import { openUnguardedReportDeps } from '#wiring/report-deps.ts';
import { withRequestTime } from '#wiring/request-time.ts';
import { createHandler } from './handler.ts';

/** A run reads the definitions of as many schemas as an environment has. */
const maxSchemas = 1000;

const config = readConfig(closeReportDaysSchema);

const deps = openUnguardedReportDeps(maxSchemas);

const closing = {
	...deps,
	owners: createDynamoOwners(deps.dynamo, config.TABLE_OWNERS),
	notifier: createSnsNotifier({ topicArn: config.ALARM_TOPIC_ARN }),
};

export const handler = withRequestTime(createHandler(closing));
