import { reasonMessages } from '#domain/reading/quality.ts';
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

/** A request for totals: two days in Madrid. */
const totalsRequest = {
	lines: [
		{ key: 'volume', varId: 13, function: 'total', per: 'h', holdSeconds: 1800, range: [0, 400] },
		{ key: 'energy', varId: 43, function: 'increase', holdSeconds: 1800 },
		{
			key: 'perVolume',
			function: 'formula',
			equation: [
				{ value: 'energy', type: 'variable' },
				{ value: '/', type: 'operator' },
				{ value: 'volume', type: 'variable' },
			],
		},
	],
	start: '2026-11-20T00:00:00+01:00',
	end: '2026-11-22T00:00:00+01:00',
	period: { count: 1, unit: 'd' },
	timeZone: 'Europe/Madrid',
} as const;

/** Its answer: an hour of the flow is missing on the second day, and the counter of energy was exchanged. */
const totalsAnswer = {
	bounds: [1_795_129_200_000, 1_795_215_600_000, 1_795_302_000_000],
	period: { count: 1, unit: 'd' },
	timeZone: 'Europe/Madrid',
	dayStart: '00:00',
	lines: [
		{
			key: 'volume',
			values: [5760, 5512.5],
			known: [1, 0.958],
			low: [5760, 5512.5],
			high: [5760, 5912.5],
			total: { value: 11_272.5, known: 0.979, low: 11_272.5, high: 11_672.5 },
		},
		{
			key: 'energy',
			values: [1890, null],
			known: [1, 1],
			low: [1890, null],
			high: [1890, null],
			total: { value: null, known: 1, low: null, high: null },
			faults: [
				{
					code: 'counter_fell',
					window: 1,
					from: { at: 1_795_250_000_000, value: 61_204 },
					to: { at: 1_795_250_060_000, value: 3 },
				},
			],
		},
		{
			key: 'perVolume',
			values: [0.328125, null],
			known: [1, 0.958],
			low: [0.328125, null],
			high: [0.328125, null],
			total: { value: null, known: 0.979, low: null, high: null },
		},
	],
} as const;

/** A request for a history: one day in Madrid in four windows of 6 h. */
const historyRequest = {
	ids: [13, 24, 35, 9999],
	start: '2026-11-20T00:00:00+01:00',
	end: '2026-11-21T00:00:00+01:00',
	period: { count: 6, unit: 'h' },
	aggregates: ['own', 'max', 'coverage'],
	timeZone: 'Europe/Madrid',
} as const;

/** Its answer: a flow with a gap, a formula, a level of several sources, and an id without a variable. */
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
			faults: { division_by_zero: [1] },
			unavailable: ['max', 'coverage'],
		},
		{
			id: 35,
			name: 'Level',
			unit: 'm',
			quality: 'bad',
			reason: {
				code: 'several_series',
				message: reasonMessages.several_series,
				inputs: ['Level'],
				tags: [{ name: 'slave_id', values: ['1', '2'] }],
			},
			period: { count: 1, unit: 'm' },
			aggregate: 'last',
			values: { own: [null, null, null, null], max: [null, null, null, null], coverage: [1, 1, 1, 1] },
			faults: { several_series: [0, 1, 2, 3] },
		},
		{
			id: 9999,
			name: null,
			unit: null,
			quality: 'missing_reference',
			reason: {
				code: 'missing_reference',
				message: reasonMessages.missing_reference,
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
	totals: {
		id: 'readTotals',
		tag: 'Readings',
		summary: 'Count volumes, run hours, starts and counters',
		description:
			'Counts lines over the windows of a range: each with the share of the time that is known, bounds for the rest, and the reason where there is no number. The value of a variable holds from a sample to the next one, for two of its periods at most; nothing is interpolated, and no number is scaled up. A line that cannot be read has a fault; the others are not affected.',
		request: {
			schema: 'TotalsRequest',
			required: true,
			examples: {
				day: { summary: 'Two days in Madrid: a volume, the energy of a counter, and energy per volume', value: totalsRequest },
			},
		},
		answer: {
			description: 'The lines.',
			schema: 'TotalsAnswer',
			examples: {
				day: { summary: 'A day in which an hour is missing, and a counter that was exchanged', value: { data: totalsAnswer } },
			},
		},
	},
} as const satisfies Readonly<Record<string, ApiOperation>>;
