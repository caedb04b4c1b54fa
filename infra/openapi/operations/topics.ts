import type { ApiOperation } from '../operation.ts';

/** A series of numbers, as it is listed. */
const flowSeries = {
	topic: 'plant/west/well/3/flow',
	field: 'value',
	tags: { host: 'gateway-2', slave_id: '3' },
	type: 'float',
	newest: { time: '2026-11-21T11:59:58.000Z', value: 23.4 },
	variables: [13],
} as const;

/** A series of text. */
const textSeries = {
	topic: 'plant/west/well/3/state',
	field: 'text',
	tags: { host: 'gateway-2' },
	type: 'text',
	newest: { time: '2026-11-21T11:59:41.000Z', value: null },
	variables: [],
} as const;

/** The operations on what the database holds. */
export const topicOperations = {
	getTopics: {
		id: 'listTopics',
		tag: 'Variables',
		summary: 'List the topics of the database',
		description:
			"Lists the topics of the tenant's database with their fields, the newest sample of each and the variables that read it; for engineers. Topics come in the order of their characters. New topics may be missing for a minute. Go on while there is a `next`.",
		parameters: ['TopicPrefix', 'TopicSearch', 'TopicLimit', 'TopicAfter'],
		answer: {
			description: 'A page of topics.',
			schema: 'TopicPage',
			examples: { first: { summary: 'Two series', value: { data: [flowSeries, textSeries], next: null } } },
		},
	},
	describeTopics: {
		id: 'readTopics',
		tag: 'Variables',
		summary: 'Read series of the database',
		description:
			'Reads the newest sample of up to 100 series that the request names, the variables that read them, and how far apart their samples are. A series without samples is answered, too. For engineers; stores nothing.',
		request: {
			schema: 'TopicsRequest',
			required: true,
			examples: { flow: { summary: 'One series', value: { topics: [{ topic: flowSeries.topic, field: flowSeries.field }] } } },
		},
		answer: {
			description: 'The series in the order of the request.',
			schema: 'TopicsAnswer',
			examples: { flow: { summary: 'A series with a sample every 5 s', value: { data: [{ ...flowSeries, interval: 5 }] } } },
		},
	},
} as const satisfies Readonly<Record<string, ApiOperation>>;
