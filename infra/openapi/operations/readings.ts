import {
	flowReading,
	inflowHistory,
	levelHistory,
	missingReading,
	statusHistory,
	statusReading,
	volumeReading,
} from '../examples/readings.ts';
import type { ApiOperation } from '../operation.ts';

/** The operation that reads variables. */
export const readingOperations = {
	multipleDataTsdb: {
		id: 'readVariables',
		tag: 'Readings',
		summary: 'Read variables',
		description:
			'Reads the variables in `ids`, or every variable of the schema, at one moment. Without a body it reads all. A variable that cannot be read gets a reading that says why; the others are not affected.',
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
					summary: 'Histories of a level, a byte and a formula',
					value: { data: [levelHistory, statusHistory, inflowHistory] },
				},
			},
		},
	},
} as const satisfies Readonly<Record<string, ApiOperation>>;
