import { createTaskHandler, type TaskDeps, type TaskHandler } from '#http/task-handler.ts';
import type { CanaryClient } from './client.ts';

/** Signs in and reads as a client does, so that an outage is seen before a client calls (infra/aws/README.md#tasks). */
export function createHandler(deps: TaskDeps & { readonly client: CanaryClient }): TaskHandler {
	const run = async () => ({ readings: await deps.client.signInAndRead() });
	return createTaskHandler(deps, run, { failures: 'CanaryFailures', latency: 'CanaryLatency' });
}
