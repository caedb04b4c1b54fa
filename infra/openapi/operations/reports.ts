import type { ApiOperation } from '../operation.ts';
import { writeHeaders } from '../parameters.ts';

/** A report to save. */
const report = {
	id: 0,
	title: 'Daily report',
	timeZone: 'Europe/Madrid',
	dayStart: '00:00',
	lines: [
		{
			key: 'volume',
			name: 'Volume pumped',
			unit: 'm³',
			decimals: 0,
			group: 'Water',
			function: 'total',
			varId: 13,
			per: 'h',
			range: [0, 500],
		},
		{ key: 'hours', name: 'Run time', unit: 'h', decimals: 1, group: 'Pumps', function: 'onTime', varId: 8 },
	],
	send: true,
} as const;

/** That report as stored. */
const savedReport = { ...report, id: 46, version: 1 } as const;

/** What answers repeat of the definition of its first line. */
const volumeLine = { key: 'volume', name: 'Volume pumped', unit: 'm³', decimals: 0, group: 'Water' } as const;

/** The numbers of that line on two days. */
const readVolumeLine = {
	...volumeLine,
	values: [4968.2, 5098.3],
	known: [0.979, 1],
	low: [4968.2, 5098.3],
	high: [5219.1, 5098.3],
	total: { value: 10_066.5, known: 0.99, low: 10_066.5, high: 10_317.4 },
} as const;

/** The numbers of two days of that report, of which the first is sealed. */
const reportAnswer = {
	id: 46,
	title: 'Daily report',
	timeZone: 'Europe/Madrid',
	dayStart: '00:00',
	period: 'day',
	bounds: [1_795_129_200_000, 1_795_215_600_000, 1_795_302_000_000],
	states: ['sealed', 'provisional'],
	partial: [false, false],
	lines: [readVolumeLine],
	changed: [
		{ date: '2026-11-20', start: 1_795_129_200_000, end: 1_795_215_600_000, causes: ['late_samples'], lines: ['volume'] },
	],
	unsealed: ['2026-11-21'],
} as const;

/** A number of October that somebody enters. */
const entry = {
	id: 0,
	reportId: 47,
	key: 'authorised',
	from: '2026-10-01',
	to: '2026-10-31',
	value: 1250,
	low: 1000,
	high: 1500,
	reason: 'Flushing and fire brigade, letter of the works',
} as const;

/** That entry as stored. */
const savedEntry = {
	...entry,
	id: 51,
	author: 'engineer@plant-a.example',
	actors: { author: { kind: 'person', id: 'engineer@plant-a.example', name: 'engineer@plant-a.example' } },
	time: 1_795_171_200_000,
	version: 1,
} as const;

/** How a day was sealed again. */
const seal = {
	date: '2026-11-20',
	revision: 2,
	sealedAt: 1_795_561_200_000,
	by: 'Laboratory export',
	actors: { by: { kind: 'machine', id: 'k3v9m2x7q4b8n6t1z5c0', name: 'Laboratory export' } },
	reason: 'Samples of the outage arrived',
} as const;

/** The operations on reports. */
export const reportOperations = {
	getReports: {
		id: 'listReports',
		tag: 'Reports',
		summary: 'List the reports',
		description:
			'Lists the reports: all of them by ascending id, a page in the order of the ids as text (10 before 9), or those of `ids`.',
		parameters: ['Limit', 'After', 'Ids'],
		answer: {
			description: 'The reports.',
			schema: 'ReportListing',
			examples: { all: { summary: 'All reports', value: { data: [savedReport] } } },
		},
	},
	saveReport: {
		id: 'saveReport',
		tag: 'Reports',
		summary: 'Create or replace a report',
		description:
			'Id 0 creates a report, any other id replaces that one. Its days are stored from the day of the save on. Every `varId` must be an existing variable that fits its line. Where the definition of a line changes, sealed days keep their numbers. With `dryRun=1` nothing is stored, and the answer has the numbers of yesterday.',
		parameters: ['DryRun', ...writeHeaders],
		request: {
			schema: 'ReportInput',
			required: true,
			examples: { daily: { summary: 'Volume and run time by day', value: report } },
		},
		answer: {
			description: 'The report as stored. With `dryRun=1`: as it would be stored, with its numbers of yesterday.',
			schema: 'SavedOrPreviewedReport',
			headers: ['ETag'],
			links: ['DeleteReport'],
			examples: {
				saved: { summary: 'A saved report', value: { data: savedReport } },
				preview: {
					summary: 'A dry run',
					value: {
						data: {
							report: { ...savedReport, id: 0 },
							bounds: [1_795_129_200_000, 1_795_215_600_000],
							lines: [
								{
									key: 'volume',
									values: [4968.2],
									known: [0.979],
									low: [4968.2],
									high: [5219.1],
									total: { value: 4968.2, known: 0.979, low: 4968.2, high: 5219.1 },
								},
							],
						},
					},
				},
			},
		},
		others: { 404: 'NotFound' },
	},
	deleteReport: {
		id: 'deleteReport',
		tag: 'Reports',
		summary: 'Delete a report',
		description:
			'Deletes a report. Nobody reads its stored days and its entries any more; they are there again when it is restored.',
		parameters: writeHeaders,
		answer: {
			description: 'Whether there was such a report.',
			schema: 'ReportDeletion',
			examples: { deleted: { summary: 'It was deleted', value: { data: { report: true } } } },
		},
	},
	getEntries: {
		id: 'listEntries',
		tag: 'Reports',
		summary: 'List the entries of reports',
		description:
			'Lists the entries: all of them by ascending id, a page in the order of the ids as text (10 before 9), or those of `ids`. With `reportId` only those of this report are listed. Pages hold such entries only, and `next` is null on the last of them. Entries of a deleted report are not listed.',
		parameters: ['EntryReport', 'Limit', 'After', 'Ids'],
		answer: {
			description: 'The entries.',
			schema: 'EntryListing',
			examples: { all: { summary: 'All entries', value: { data: [savedEntry] } } },
		},
	},
	saveEntry: {
		id: 'saveEntry',
		tag: 'Reports',
		summary: 'Create or replace an entry of a report',
		description:
			'Id 0 creates an entry, any other id replaces that one. It counts in windows that consist of whole entries, such as its months and the year of twelve of them; it is never divided. Where the days of a window were sealed with entries, those hold until the days are sealed anew.',
		parameters: writeHeaders,
		request: {
			schema: 'EntryInput',
			required: true,
			examples: { october: { summary: 'Authorised consumption of a month', value: entry } },
		},
		answer: {
			description: 'The entry as stored.',
			schema: 'EntryAnswer',
			headers: ['ETag'],
			links: ['DeleteEntry'],
			examples: { saved: { summary: 'A saved entry', value: { data: savedEntry } } },
		},
		others: { 404: 'NotFound' },
	},
	deleteEntry: {
		id: 'deleteEntry',
		tag: 'Reports',
		summary: 'Delete an entry of a report',
		description: 'Deletes an entry: its months have no number again, unless their days were sealed with it.',
		parameters: writeHeaders,
		answer: {
			description: 'Whether there was such an entry.',
			schema: 'EntryDeletion',
			examples: { deleted: { summary: 'It was deleted', value: { data: { entry: true } } } },
		},
	},
	readReport: {
		id: 'readReport',
		tag: 'Reports',
		summary: 'Read the numbers of a report',
		description:
			'Reads the lines of a report over the hours, days, weeks, months or years of a range. Sealed days have the numbers with which they were sealed; `changed` tells which of them would have others now, and why. Days whose stored rows cannot be read are `unreadable` and have no numbers. Other days are counted. At most 400 windows; days that are not stored count against the 1,000,000 samples of a request (413 otherwise).',
		request: {
			schema: 'ReportRequest',
			required: true,
			examples: {
				month: {
					summary: 'A month by day',
					value: { id: 46, start: '2026-11-01T00:00:00+01:00', end: '2026-12-01T00:00:00+01:00', period: 'day' },
				},
			},
		},
		answer: {
			description: 'The numbers.',
			schema: 'ReportAnswer',
			examples: { days: { summary: 'Two days', value: { data: reportAnswer } } },
		},
		others: { 404: 'NotFound' },
	},
	getReportDay: {
		id: 'readReportDay',
		tag: 'Reports',
		summary: 'Read the versions of a day',
		description:
			'Reads a day of a report as it is stored, in all its versions: those that were sealed and replaced, by ascending revision, then the one that holds. Empty where the day is not stored.',
		parameters: ['ReportId', 'ReportDate'],
		answer: {
			description: 'The versions of the day.',
			schema: 'ReportDayAnswer',
			examples: {
				day: {
					summary: 'A day that was sealed anew',
					value: {
						data: {
							date: '2026-11-20',
							versions: [
								{
									...seal,
									start: 1_795_129_200_000,
									end: 1_795_215_600_000,
									timeZone: 'Europe/Madrid',
									dayStart: '00:00',
									countedAt: 1_795_561_200_000,
									lines: [{ ...volumeLine, value: 4968.2, known: 0.979, low: 4968.2, high: 5219.1 }],
									corrections: [],
								},
							],
						},
					},
				},
			},
		},
		others: { 404: 'NotFound' },
	},
	sealReportDays: {
		id: 'sealReportDays',
		tag: 'Reports',
		summary: 'Seal days of a report',
		description:
			'Counts up to 31 days that are over, and seals them with a reason: days that have changed since they were sealed or were counted by an earlier release in another way, provisional ones, those that cannot be read, and those of before the report. Any other sealed day stays as it is. The versions of before stay readable. A retry is harmless, so there is no `Idempotency-Key`.',
		request: {
			schema: 'SealRequest',
			required: true,
			examples: {
				outage: {
					summary: 'Three days after an outage',
					value: { id: 46, from: '2026-11-18', to: '2026-11-20', reason: 'Samples of the outage arrived' },
				},
			},
		},
		answer: {
			description: 'The days as they are stored now.',
			schema: 'SealAnswer',
			examples: { days: { summary: 'A day', value: { data: { days: [seal] } } } },
		},
		others: { 404: 'NotFound' },
	},
} as const satisfies Readonly<Record<string, ApiOperation>>;
