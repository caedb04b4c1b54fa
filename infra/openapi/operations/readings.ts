import { historyAnswer, historyRequest } from '../examples/histories.ts';
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
				day: { summary: 'One day in Madrid by quarters', value: historyRequest },
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
