import { createLambdaWorkers } from '#adapters/aws/lambda-workers.ts';
import { createSnsNotifier } from '#adapters/aws/sns-notifier.ts';
import { createDynamoOwners } from '#adapters/dynamo/dynamo-owners.ts';
import { createDynamoReportClosings } from '#adapters/dynamo/dynamo-report-closings.ts';
import { closeReportDaysSchema, readConfig } from '#shared/config.ts';
import { openUnguardedReportDeps } from '#wiring/report-deps.ts';
import { withLambdaDeadline } from '#wiring/request-time.ts';
import { createHandler } from './handler.ts';

/** Most schemas in the cache of definitions: when few workers run, one function closes all schemas of an environment. */
const maxSchemas = 1000;

const config = readConfig(closeReportDaysSchema);

const deps = openUnguardedReportDeps(maxSchemas);

const closing = {
	...deps,
	owners: createDynamoOwners(deps.dynamo, config.TABLE_OWNERS),
	closings: createDynamoReportClosings(deps.dynamo, config.TABLE_REPORT_DAYS),
	workers: createLambdaWorkers({ functionName: config.WORKER_FUNCTION }),
	notifier: createSnsNotifier({ topicArn: config.ALARM_TOPIC_ARN }),
};

export const handler = withLambdaDeadline(createHandler(closing));
