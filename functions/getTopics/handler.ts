import { listTopics } from '#domain/use-cases/list-topics.ts';
import { createRoleHandler } from '#http/admission.ts';
import { callerOf } from '#http/caller.ts';
import type { ApiHandler } from '#http/event.ts';
import type { TopicHandlerDeps } from '#http/handler-deps.ts';
import { topicPageResponse, topicQuestionOf } from '#http/topic-page.ts';

/** GET /topics: lists the topics of the caller's database with their fields, a page at a time. */
export function createHandler(deps: TopicHandlerDeps): ApiHandler {
	return createRoleHandler(deps, async (event) =>
		topicPageResponse(await listTopics(deps, callerOf(event), topicQuestionOf(event), deps.now())),
	);
}
