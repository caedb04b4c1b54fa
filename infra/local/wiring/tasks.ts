import { staticSecret } from '#adapters/secret.ts';
import { createCanaryClient } from '#functions/canary/client.ts';
import { createHandler as canary } from '#functions/canary/handler.ts';
import type { Log } from '#http/log.ts';
import type { TaskDeps, TaskHandler } from '#http/task-handler.ts';
import type { TaskName } from '#shared/contract.ts';
import { plantA } from '../demo/idp.ts';

/** Creates the tasks for the service that runs at `baseUrl`. The canary signs in as the demo's operator. */
export function createTasks(baseUrl: string, log: Log): Readonly<Record<TaskName, TaskHandler>> {
	const deps: TaskDeps = { log, metrics: { count: () => undefined, time: () => undefined }, report: log.info };
	const { email, schema, database, tokenApps } = plantA;
	const token = staticSecret(tokenApps);
	const client = createCanaryClient({ url: baseUrl, email, schema, database, token, timeoutMs: 25_000 });
	return { canary: canary({ ...deps, client }) };
}
