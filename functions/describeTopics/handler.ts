import { describeTopics, describeTopicsSchema } from '#domain/use-cases/describe-topics.ts';
import { createRoleHandler } from '#http/admission.ts';
import { ok } from '#http/api-response.ts';
import { callerOf } from '#http/caller.ts';
import type { ApiHandler } from '#http/event.ts';
import type { TopicHandlerDeps } from '#http/handler-deps.ts';
import { bodyOf } from '#http/request.ts';
import { parseSent } from '#http/sent-input.ts';
import { describedSeriesToJson } from '#http/topic-page.ts';

/** POST /topics: describes up to 100 series of the caller's database, with the interval of their samples. */
export function createHandler(deps: TopicHandlerDeps): ApiHandler {
	return createRoleHandler(deps, async (event) => {
		const { topics } = parseSent(describeTopicsSchema, bodyOf(event));
		const series = await describeTopics(deps, callerOf(event), topics, deps.now());
		return ok({ data: series.map(describedSeriesToJson) });
	});
}
