import type { Tags } from '#domain/variable/tags.ts';
import { api, type Result, resultOf } from '#page/core/api.ts';

/** Reads the tag sets that the database holds of a field of a topic; none for a topic that it does not hold. */
export async function readTagSets(topic: string, field: string): Promise<Result<readonly Tags[]>> {
	// Topics are listed in the order of their UTF-16 units, so a topic is the first of those that begin with it.
	const result = await resultOf(api.GET('/topics', { params: { query: { prefix: topic, limit: 1 } } }));
	if (!result.ok) return result;
	const series = result.data.data.filter((each) => each.topic === topic && each.field === field);
	return { ...result, data: series.map(({ tags }) => tags) };
}
