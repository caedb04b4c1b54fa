import type { ApiOperation } from '../operation.ts';

/** What every table has in common. */
const forms =
	'The address with `.json`, `.csv` or `.xlsx` at its end chooses the form, otherwise `Accept`; JSON by default. Sign in with a token, or as Basic with the client id and the secret of a machine.';

const days = ['TableDate', 'TableFrom', 'TableTo'] as const;
const options = ['TableColumns', 'TableLocale', 'TableBom', 'IfNoneMatch'] as const;
const zone = ['TableTimeZone', 'TableDayStart'] as const;

/** The columns of every table over days. */
const start = { key: 'start', name: 'Start', unit: '', type: 'date' } as const;

/** What the answers of all tables have in common. */
const tableAnswer = {
	description: 'The table.',
	schema: 'Table',
	isTable: true,
	headers: ['ETag', 'CacheControl'],
} as const;

/** The operations on tables. */
export const tableOperations = {
	tableReport: {
		id: 'getReportTable',
		tag: 'Tables',
		summary: 'Get the numbers of a report as a table',
		description: `Has a row for each hour, day, week, month or year, with the state of its days and the number of each line. ${forms}`,
		parameters: ['TableReportPeriod', ...days, ...options],
		answer: {
			...tableAnswer,
			examples: {
				yesterday: {
					summary: 'Yesterday',
					value: {
						timeZone: 'Europe/Madrid',
						columns: [
							start,
							{ key: 'state', name: 'State', unit: '', type: 'text' },
							{ key: 'volume', name: 'Volume pumped', unit: 'm³', type: 'number' },
						],
						data: [{ start: '2026-11-20', state: 'sealed', volume: 4968.2 }],
					},
				},
			},
		},
		others: { 304: 'NotModified', 404: 'NotFound' },
	},
	tableTotals: {
		id: 'getTotalsTable',
		tag: 'Tables',
		summary: 'Get totals of variables as a table',
		description: `Has a row for each window, and a number for each variable: what one function counts of it. For more than one function, or a formula, save a report. ${forms}`,
		parameters: [
			...(['TableIds', 'TableFunction', 'TablePer', 'TableHoldSeconds', 'TablePeriod'] as const),
			...days,
			...zone,
			...options,
		],
		answer: {
			...tableAnswer,
			examples: {
				yesterday: {
					summary: 'The volume of yesterday',
					value: {
						timeZone: 'UTC',
						columns: [start, { key: '13', name: 'Distribution flow', unit: 'm³', type: 'number' }],
						data: [{ start: '2026-11-20', 13: 4968.2 }],
					},
				},
			},
		},
		others: { 304: 'NotModified' },
	},
	tableHistory: {
		id: 'getHistoryTable',
		tag: 'Tables',
		summary: 'Get histories of variables as a table',
		description: `Has a row for each window, and a number for each aggregate of each variable. ${forms}`,
		parameters: [...(['TableIds', 'TableAggregates', 'TablePeriod'] as const), ...days, ...zone, ...options],
		answer: {
			...tableAnswer,
			examples: {
				yesterday: {
					summary: 'The mean of yesterday',
					value: {
						timeZone: 'UTC',
						columns: [start, { key: '13.mean', name: 'Distribution flow mean', unit: 'm³/h', type: 'number' }],
						data: [{ start: '2026-11-20', '13.mean': 207.1 }],
					},
				},
			},
		},
		others: { 304: 'NotModified' },
	},
	tableReadings: {
		id: 'getReadingsTable',
		tag: 'Tables',
		summary: 'Get readings as a table',
		description: `Has a row for each variable, in the order of \`ids\`, with its value, unit, time and quality now. ${forms}`,
		parameters: ['TableReadingIds', 'TableTimeZone', ...options, 'CacheControl'],
		answer: {
			...tableAnswer,
			examples: {
				one: {
					summary: 'One variable',
					value: {
						timeZone: 'UTC',
						columns: [
							{ key: 'id', name: 'Id', unit: '', type: 'number' },
							{ key: 'name', name: 'Name', unit: '', type: 'text' },
							{ key: 'value', name: 'Value', unit: '', type: 'number' },
							{ key: 'unit', name: 'Unit', unit: '', type: 'text' },
							{ key: 'time', name: 'Time', unit: '', type: 'time' },
							{ key: 'quality', name: 'Quality', unit: '', type: 'text' },
						],
						data: [
							{
								id: 13,
								name: 'Distribution flow',
								value: 212.4,
								unit: 'm³/h',
								time: '2026-11-21T10:00:00+00:00',
								quality: 'good',
							},
						],
					},
				},
			},
		},
		others: { 304: 'NotModified' },
	},
} as const satisfies Readonly<Record<string, ApiOperation>>;
