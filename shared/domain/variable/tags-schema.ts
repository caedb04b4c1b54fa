import * as v from 'valibot';
import { text, textOrEmpty, tooManyItems } from '../validation/field.ts';
import { maxTextLength } from '../validation/input-limits.ts';
import { withKeywords } from '../validation/keywords.ts';
import { messageFor, plainObject, problemOf } from '../validation/parse.ts';
import { type Problem, problem } from '../validation/problem.ts';
import { maxQueryTags, measurementTag, sortedTags, type Tags } from './tags.ts';

const keySchema = text(maxTextLength);
const valueSchema = textOrEmpty(maxTextLength);

/**
 * Parses the tags by which a query chooses series (shared/domain/variable/README.md#tags). It is no `v.record`, which skips keys such as
 * `constructor`.
 */
export const tagsSchema = v.pipe(
	v.custom<Tags>((value) => v.is(plainObject, value), messageFor(problem('not_an_object', 'Expected an object.'))),
	withKeywords(
		v.rawCheck<Tags>(({ dataset: { value }, addIssue }) => {
			// It may hold anything: only its being an object was checked.
			const sent: readonly (readonly [string, unknown])[] = Object.entries(Object(value));
			if (sent.length > maxQueryTags) addIssue({ message: messageFor(tooManyItems('tags', maxQueryTags, sent.length)) });
			else
				for (const [key, tag] of sent) {
					const cause = problemOfTag(key, tag);
					// Valibot's type requires an input of a field, which nothing reads.
					const path = { type: 'object', origin: 'value', input: { key }, key, value: tag } as const;
					if (cause !== undefined) addIssue({ message: messageFor(cause), path: [path] });
				}
		}),
		{ maxProperties: maxQueryTags, values: valueSchema },
	),
	withKeywords(
		v.transform((tags: Tags) => sortedTags(Object.entries(tags))),
		{},
	),
);

/** Returns why a tag chooses nothing. */
function problemOfTag(key: string, value: unknown): Problem | undefined {
	if (key.startsWith('_') && key !== measurementTag)
		return problem('reserved_tag', `Keys that begin with _ are InfluxDB's own, but for ${measurementTag}.`);
	const parsedKey = v.safeParse(keySchema, key);
	if (!parsedKey.success) return problemOf(parsedKey.issues[0]);
	const parsed = v.safeParse(valueSchema, value);
	return parsed.success ? undefined : problemOf(parsed.issues[0]);
}
