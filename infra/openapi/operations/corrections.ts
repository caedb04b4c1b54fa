import type { ApiOperation } from '../operation.ts';
import { writeHeaders } from '../parameters.ts';

/** Half an hour that does not count. */
const exclusion = {
	id: 0,
	varId: 13,
	type: 'exclude',
	from: '2026-11-20T09:00:00+01:00',
	to: '2026-11-20T09:30:00+01:00',
	reason: 'Sensor cleaned',
} as const;

/** A meter that was replaced. */
const exchange = {
	id: 0,
	varId: 42,
	type: 'exchange',
	at: '2026-11-20T11:12:00Z',
	oldFinal: 99_871,
	newInitial: 0,
	reason: 'Meter replaced, protocol 118',
} as const;

/** The first of them as stored. */
const savedExclusion = {
	...exclusion,
	id: 41,
	from: 1_795_161_600_000,
	to: 1_795_163_400_000,
	author: 'engineer@plant-a.example',
	actors: { author: { kind: 'person', id: 'engineer@plant-a.example', name: 'engineer@plant-a.example' } },
	time: 1_795_171_200_000,
	version: 1,
} as const;

/** The mean flow of the day without the correction, and with it. The bounds of a mean are not known. */
const dayBefore = { value: 118.4, known: 1, low: null, high: null } as const;
const dayAfter = { value: 121.9, known: 0.979, low: null, high: null } as const;

/** The operations on corrections. */
export const correctionOperations = {
	getCorrections: {
		id: 'listCorrections',
		tag: 'Corrections',
		summary: 'List the corrections',
		description:
			'Lists the corrections: all of them by ascending id, a page in the order of the ids as text (10 before 9), or those of `ids`. With `varId` only those of this variable are listed, and with `start` or `end` only those that are about some of that time. Pages hold such corrections only, and `next` is null on the last of them.',
		parameters: ['CorrectionVariable', 'CorrectionStart', 'CorrectionEnd', 'Limit', 'After', 'Ids'],
		answer: {
			description: 'The corrections.',
			schema: 'CorrectionListing',
			examples: { all: { summary: 'All corrections', value: { data: [savedExclusion] } } },
		},
	},
	saveCorrection: {
		id: 'saveCorrection',
		tag: 'Corrections',
		summary: 'Create or replace a correction',
		description:
			'Id 0 creates a correction, any other id replaces that one. Totals then count the variable as corrected; samples never change, and deleting the correction brings back the numbers of before. `varId` must be an existing variable. With `dryRun=1` nothing is stored, and the answer has the days that the correction is about, without and with it.',
		parameters: [
			'DryRun',
			'TriedFunction',
			'TriedPer',
			'TriedHoldSeconds',
			'TriedSize',
			'TriedDip',
			'TriedTimeZone',
			'TriedDayStart',
			...writeHeaders,
		],
		request: {
			schema: 'CorrectionInput',
			required: true,
			examples: {
				exclude: { summary: 'Half an hour that is not valid', value: exclusion },
				exchange: { summary: 'A meter that was replaced', value: exchange },
			},
		},
		answer: {
			description: 'The correction as stored. With `dryRun=1`: as it would be stored, with its days.',
			schema: 'SavedOrPreviewedCorrection',
			headers: ['ETag'],
			links: ['DeleteCorrection'],
			examples: {
				saved: { summary: 'A saved correction', value: { data: savedExclusion } },
				preview: {
					summary: 'A dry run',
					value: {
						data: {
							correction: { ...savedExclusion, id: 0 },
							function: 'mean',
							days: [{ start: 1_795_129_200_000, end: 1_795_215_600_000, before: dayBefore, after: dayAfter }],
						},
					},
				},
			},
		},
		others: { 404: 'NotFound' },
	},
	deleteCorrection: {
		id: 'deleteCorrection',
		tag: 'Corrections',
		summary: 'Delete a correction',
		description: 'Deletes a correction: totals are again what they were without it.',
		parameters: writeHeaders,
		answer: {
			description: 'Whether there was such a correction.',
			schema: 'CorrectionDeletion',
			examples: { deleted: { summary: 'It was deleted', value: { data: { correction: true } } } },
		},
	},
} as const satisfies Readonly<Record<string, ApiOperation>>;
