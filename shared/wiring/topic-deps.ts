import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import type { TopicHandlerDeps } from '#http/handler-deps.ts';
import { openAdmission } from './admission.ts';
import { openTopics, timeForSeriesMs } from './series.ts';
import { openTables } from './store-deps.ts';

/** Opens the dependencies of a handler that lists topics. The names and the definitions live as long as the function's process. */
export function openTopicDeps(): TopicHandlerDeps {
	const { deps, dynamo } = openTables(timeForSeriesMs());
	return {
		log: deps.log,
		now: Date.now,
		admit: openAdmission(dynamo).admit,
		definitions: createDefinitionCache(deps.store),
		catalog: openTopics(deps.metrics),
	};
}
