import {
	flowReading,
	inflowHistory,
	levelHistory,
	missingReading,
	skippedReading,
	statusHistory,
	statusReading,
	volumeReading,
} from '../examples/readings.ts';
import type { ApiOperation } from '../operation.ts';

/** A request for a history and its answer: one day in Madrid in four windows of 6 h. */
const historyRequest = {
	ids: [13, 24, 9999],
	start: '2026-11-20T00:00:00+01:00',
	end: '2026-11-21T00:00:00+01:00',
	period: { count: 6, unit: 'h' },
	aggregates: ['own', 'max', 'coverage'],
	timeZone: 'Europe/Madrid',
} as const;

const historyAnswer = {
	bounds: [1_795_129_200_000, 1_795_150_800_000, 1_795_172_400_000, 1_795_194_000_000, 1_795_215_600_000],
	period: { count: 6, unit: 'h' },
	timeZone: 'Europe/Madrid',
	dayStart: '00:00',
	variables: [
		{
			id: 13,
			name: 'Distribution flow',
			unit: 'm³/h',
			quality: 'good',
			period: { count: 5, unit: 's' },
			aggregate: 'last',
			values: { own: [182.1, 236.4, null, 201.9], max: [241.5, 302.8, null, 266], coverage: [1, 0.996, 0, 1] },
		},
		{
			id: 24,
			name: 'Stored volume',
			unit: 'm³',
			quality: 'good',
			period: { count: 5, unit: 's' },
			aggregate: null,
			values: { own: [1254.6, null, null, 1310.2] },
			faults: { several_series: [1] },
			unavailable: ['max', 'coverage'],
		},
		{
			id: 9999,
			name: null,
			unit: null,
			quality: 'missing_reference',
			reason: {
				code: 'missing_reference',
				message: 'There is no such variable: it was deleted, or never existed.',
				inputs: [],
			},
			period: null,
			aggregate: null,
			values: { own: [null, null, null, null], max: [null, null, null, null], coverage: [null, null, null, null] },
		},
	],
} as const;

/** The operations that read variables. */
export const readingOperations = {
	multipleDataTsdb: {
		id: 'readVariables',
		tag: 'Readings',
		summary: 'Read variables',
		description:
			'Reads the variables in `ids`, or every variable of the schema, at one moment. Without a body it reads all. A variable that cannot be read, or does not fit into the request, gets a reading that says why; the others are not affected.',
		parameters: ['CacheControl'],
		request: {
			schema: 'ReadRequest',
			required: false,
			examples: {
				some: { summary: 'A flow, a byte with its bits, and a formula', value: { ids: [13, 18, 24] } },
				all: { summary: 'Every variable', value: {} },
			},
		},
		answer: {
			description: 'The readings.',
			schema: 'ReadingsAnswer',
			examples: {
				newest: {
					summary: 'A flow, a byte with its bits, a formula, and an id without a variable',
					value: { data: [flowReading, statusReading, volumeReading, missingReading] },
				},
				histories: {
					summary: 'Histories of a level, a byte and a formula, and one that did not fit',
					value: { data: [levelHistory, statusHistory, inflowHistory, skippedReading] },
				},
			},
		},
	},
	history: {
		id: 'readHistories',
		tag: 'Readings',
		summary: 'Read histories over any range',
		description:
			'Reads aggregates of variables over windows that the client chooses, by the days of a time zone. Every window is answered: null where it is empty, so that a chart shows the gap. A variable that cannot be read has a quality that says why; the others are not affected.',
		request: {
			schema: 'HistoryRequest',
			required: true,
			examples: {
				day: { summary: 'One day in Madrid in windows of 6 h', value: historyRequest },
				points: { summary: 'The time since an instant in at most 500 windows', value: { ids: [13], start: 1_795_129_200_000 } },
			},
		},
		answer: {
			description: 'The histories.',
			schema: 'HistoryAnswer',
			examples: {
				day: { summary: 'A flow, a formula, and an id without a variable', value: { data: historyAnswer } },
			},
		},
	},
} as const satisfies Readonly<Record<string, ApiOperation>>;
