import * as v from 'valibot';
import { seriesTypes } from '#domain/ports/topic-catalog.ts';
import { describeTopicsSchema, seriesNameSchema } from '#domain/use-cases/describe-topics.ts';
import { idSchema } from '#domain/validation/field.ts';
import { maxQueryTags } from '#domain/variable/tags.ts';
import { describedObject } from '../component.ts';
import { answer } from './answer.ts';
import { timestampSchema } from './reading.ts';

const newestSchema = v.object({ time: timestampSchema, value: v.nullable(v.number()) });

const tagSetSchema = v.record(v.string(), v.string());

const commonFields = {
	topic: v.string(),
	field: v.string(),
	variables: v.array(idSchema),
	tagSets: v.optional(v.pipe(v.number(), v.integer(), v.minValue(2))),
	tagSet: v.optional(v.string()),
};

const listedSchema = v.object({ ...commonFields, tags: tagSetSchema, type: v.picklist(seriesTypes), newest: newestSchema });

const describedSchema = v.object({
	...commonFields,
	tags: v.optional(tagSetSchema),
	type: v.nullable(v.picklist(seriesTypes)),
	newest: v.nullable(newestSchema),
	interval: v.nullable(v.number()),
});

const pageSchema = v.object({ data: v.array(listedSchema), next: v.nullable(v.string()) });

const texts = {
	topic: 'The source path of the samples: the `calc_topic` of a query.',
	field: 'The field of the topic: the `calc_field` of a query.',
	tags: 'The tags of the samples, such as those by which Telegraf tells devices apart: the `calc_tags` of a query. The tag with the topic is none of them, and a measurement that is not the topic is the tag `_measurement`.',
	type: 'The type of the newest sample. `mixed`, of a series that was asked for: its tag sets have several types. Variables read numbers and booleans of one type.',
	newest: 'The newest sample.',
	variables: 'The ids of the variables that read the series, ascending.',
	tagSets:
		'How many tag sets the topic and field have, where they have several. A variable without `calc_tags` has no value there.',
	tagSet: 'The tags as `key=value` pairs, where there are several tag sets.',
} as const;

/** The schemas of topics. */
export const topicComponents = {
	NewestSample: describedObject(newestSchema, 'The newest sample of a series.', {
		time: 'Its time.',
		value: 'Its number; booleans are 1 and 0. Null for text, and for a number beyond 2^53.',
	}),
	ListedTopic: describedObject(listedSchema, 'A series of the database: a tag set of a field of a topic.', texts),
	TopicPage: describedObject(pageSchema, 'A page of topics with their fields.', {
		data: 'The series of the page, by topic, field and tags. Topics without samples are left out, so a page may be empty.',
		next: 'The `after` of the next page; null on the last.',
	}),
	TopicName: describedObject(seriesNameSchema, 'A series by its topic and field.', {
		topic: texts.topic,
		field: texts.field,
		tags: `Tags that the series has, at most ${maxQueryTags}. Left out: all tag sets are told as one, by the newest sample.`,
	}),
	TopicsRequest: describedObject(describeTopicsSchema, 'The series to describe.', { topics: 'The series, at most 100.' }),
	DescribedTopic: describedObject(describedSchema, 'A series that was asked for.', {
		...texts,
		tags: 'The tags of the newest sample. Absent where the series has no samples.',
		type: `${texts.type} Null where the series has no samples.`,
		newest: `${texts.newest} Null where there is none.`,
		interval:
			'The median of the last 10 distances between samples, in seconds: within an hour, else within a day. Null with fewer than two samples in a day.',
	}),
	TopicsAnswer: answer(v.array(describedSchema), 'The series in the order of the request.'),
} as const;
