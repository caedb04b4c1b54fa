import { dayWords } from '#domain/calendar/day-range.ts';
import { itemKinds } from '#domain/changes/change-entry.ts';
import { historyAggregates } from '#domain/history/history-aggregates.ts';
import { maxCatalogTopics } from '#domain/ports/topic-catalog.ts';
import { reportPeriods } from '#domain/report/report-period.ts';
import { maxTextLength } from '#domain/validation/input-limits.ts';
import { defaultChangeRangeDays, defaultChanges, maxChanges } from '#http/change-page.ts';
import { defaultEvents, maxEventDays, maxEvents } from '#http/event-page.ts';
import { maxListedIds, maxPageRows } from '#http/listing.ts';
import { tableFunctions } from '#http/table/totals-lines.ts';
import { defaultTopics } from '#http/topic-page.ts';

/** The schema of an id, and of a row version, which counts from 1 too. */
const id = { type: 'integer', format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } as const;

/** An id, or 0, which no row has: a page after 0 is the first one, and `ids` with 0 finds nothing for it. */
const idOrZero = { ...id, minimum: 0 } as const;

/** The schema of a kind of item in the journal of changes. */
const itemKind = { type: 'string', enum: itemKinds } as const;

/**
 * The headers that a save or a deletion may have: the version that it replaces, and the key that makes a retry harmless
 * (shared/http/README.md).
 */
export const writeHeaders = ['IfMatch', 'IdempotencyKey'] as const;

/** The parameters of operations. Optional ones have no example: the page for trying the API would send it with every request. */
export const parameters = {
	Id: {
		name: 'id',
		in: 'path',
		required: true,
		description: 'The id.',
		schema: id,
		example: 13,
	},
	ProviderName: {
		name: 'name',
		in: 'query',
		required: true,
		description: 'The name of an OpenID provider.',
		schema: { type: 'string', minLength: 1, maxLength: 20 },
		example: 'entra',
	},
	ClientId: {
		name: 'clientId',
		in: 'path',
		required: true,
		description: 'The client id of a machine.',
		schema: { type: 'string', minLength: 1 },
		example: 'q3VbT0nYx7LrKd92HsWa',
	},
	Limit: {
		name: 'limit',
		in: 'query',
		description: `Asks for a page of at most this many rows, ${maxPageRows} where only \`after\` is given. A page ends early at 5.5 MB.`,
		schema: { type: 'integer', minimum: 1, maximum: maxPageRows },
	},
	After: {
		name: 'after',
		in: 'query',
		description:
			'Asks for the page of rows after this id: the value of `next` in the page before. Variables page by ascending id, boards in the order of their keys as text (10 before 9).',
		schema: idOrZero,
	},
	Ids: {
		name: 'ids',
		in: 'query',
		description: `Asks for the rows with these ids, all different, separated by commas: \`ids=7,8\`. They are answered in this order; an id that is not stored is absent. At most ${maxListedIds} (413 otherwise), and neither \`limit\` nor \`after\`.`,
		style: 'form',
		explode: false,
		schema: { type: 'array', items: idOrZero, minItems: 1, maxItems: maxListedIds, uniqueItems: true },
	},
	TopicPrefix: {
		name: 'prefix',
		in: 'query',
		description: 'Only topics that begin with this text.',
		schema: { type: 'string', maxLength: maxTextLength },
	},
	TopicSearch: {
		name: 'search',
		in: 'query',
		description: 'Only topics that contain this text, in any case.',
		schema: { type: 'string', maxLength: maxTextLength },
	},
	TopicLimit: {
		name: 'limit',
		in: 'query',
		description: 'Most topics of a page. A topic comes with all its fields.',
		schema: { type: 'integer', minimum: 1, maximum: maxCatalogTopics, default: defaultTopics },
	},
	TopicAfter: {
		name: 'after',
		in: 'query',
		description: 'The `next` of the page before.',
		schema: { type: 'string' },
	},
	DryRun: {
		name: 'dryRun',
		in: 'query',
		description: '1: answers what would happen, and stores nothing.',
		schema: { type: 'string', enum: ['0', '1'], default: '0' },
	},
	DraftStart: {
		name: 'start',
		in: 'query',
		description:
			'With `dryRun=1` and `period`: the start of the history of the variable as stored and as sent, ISO 8601 with `Z` or an offset, or epoch milliseconds. Before now, and at most 10 years before `end`.',
		schema: { type: 'string' },
	},
	DraftEnd: {
		name: 'end',
		in: 'query',
		description: 'With `start`: the end of that time, in the same forms. An end in the future is taken as now. Left out: now.',
		schema: { type: 'string' },
	},
	DraftPeriod: {
		name: 'period',
		in: 'query',
		description: 'With `start`: the length of a window, a number with its unit, such as `1h`. Units: `ms s m h d mo y`.',
		schema: { type: 'string', pattern: '^[0-9]+(\\.[0-9]+)?(ms|s|m|h|d|mo|y)$' },
	},
	BacktestStart: {
		name: 'start',
		in: 'query',
		description:
			'With `dryRun=1` and `end`: the start of the time that the alarm is tried on, ISO 8601 with `Z` or an offset, or epoch milliseconds. Before now, and at most 31 days before `end`.',
		schema: { type: 'string' },
	},
	BacktestEnd: {
		name: 'end',
		in: 'query',
		description: 'With `start`: the end of that time, in the same forms. An end in the future is taken as now.',
		schema: { type: 'string' },
	},
	BacktestTimeZone: {
		name: 'timeZone',
		in: 'query',
		description:
			'With `start` and `end`: the IANA name of the time zone in which days begin, such as `Europe/Madrid`. Default: UTC.',
		schema: { type: 'string' },
	},
	CorrectionVariable: {
		name: 'varId',
		in: 'query',
		description: 'Only corrections of this variable.',
		schema: { type: 'string' },
	},
	EntryReport: {
		name: 'reportId',
		in: 'query',
		description: 'Only entries of this report.',
		schema: { type: 'string' },
	},
	CorrectionStart: {
		name: 'start',
		in: 'query',
		description:
			'Only corrections that are about some time after this one, ISO 8601 with `Z` or an offset, or epoch milliseconds.',
		schema: { type: 'string' },
	},
	CorrectionEnd: {
		name: 'end',
		in: 'query',
		description: 'Only corrections that are about some time before this one, in the same forms.',
		schema: { type: 'string' },
	},
	TriedFunction: {
		name: 'function',
		in: 'query',
		description: 'With `dryRun=1`: what the days count. Default: `increase` for an exchange of a meter, otherwise `mean`.',
		// All functions of a line that count a variable: `formula` and `raised` count none.
		schema: { type: 'string', enum: ['total', 'mean', 'min', 'max', 'onTime', 'starts', 'increase'] },
	},
	TriedPer: {
		name: 'per',
		in: 'query',
		description: 'Of the function `total`: the time unit of the rate.',
		schema: { type: 'string', enum: ['s', 'min', 'h', 'd'] },
	},
	TriedHoldSeconds: {
		name: 'holdSeconds',
		in: 'query',
		description: 'With `dryRun=1`: how long a sample is known. Required where the variable reads windows.',
		schema: { type: 'string' },
	},
	TriedSize: {
		name: 'size',
		in: 'query',
		description: 'Of the function `increase`: the reading at which the counter begins again at 0.',
		schema: { type: 'string' },
	},
	TriedDip: {
		name: 'dip',
		in: 'query',
		description: 'Of the function `increase`: by how much noise may let a reading fall. Default: 0.',
		schema: { type: 'string' },
	},
	TriedTimeZone: {
		name: 'timeZone',
		in: 'query',
		description: 'With `dryRun=1`: the IANA name of the time zone in which days begin. Default: UTC.',
		schema: { type: 'string' },
	},
	TriedDayStart: {
		name: 'dayStart',
		in: 'query',
		description: 'With `dryRun=1`: the local time at which days begin, `HH:MM`. Default: 00:00.',
		schema: { type: 'string' },
	},
	ReportId: { name: 'id', in: 'query', required: true, description: 'The id of the report.', schema: id, example: 46 },
	ReportDate: {
		name: 'date',
		in: 'query',
		required: true,
		description: 'The local date on which the day begins, such as 2026-11-20; or `yesterday`.',
		schema: { type: 'string', pattern: '^([0-9]{4}-[0-9]{2}-[0-9]{2}|yesterday)$' },
		example: '2026-11-20',
	},
	TableReportPeriod: {
		name: 'period',
		in: 'query',
		description: 'The length of a window.',
		schema: { type: 'string', enum: reportPeriods, default: 'day' },
	},
	TablePeriod: {
		name: 'period',
		in: 'query',
		description: `The length of a window: ${reportPeriods.map((each) => `\`${each}\``).join(', ')}, or a number with its unit, such as \`15m\`. Left out: one window for totals, about 500 for histories.`,
		schema: { type: 'string' },
	},
	TableDate: {
		name: 'date',
		in: 'query',
		description: `A date, or a word for days: ${dayWords.map((each) => `\`${each}\``).join(', ')}, or \`last-7-days\` for any number of whole days that are over. Without it, \`from\` and \`to\`: yesterday.`,
		schema: { type: 'string', default: 'yesterday' },
	},
	TableFrom: {
		name: 'from',
		in: 'query',
		description: 'The first local date.',
		schema: { type: 'string', format: 'date' },
	},
	TableTo: {
		name: 'to',
		in: 'query',
		description: 'The last local date. Left out: today.',
		schema: { type: 'string', format: 'date' },
	},
	TableColumns: {
		name: 'columns',
		in: 'query',
		description:
			'`all`: beside each number the share of its time that is known, its bounds and its fault, of histories its quality, of readings their reasons; and the end of each window.',
		schema: { type: 'string', enum: ['value', 'all'], default: 'value' },
	},
	TableLocale: {
		name: 'locale',
		in: 'query',
		description:
			'Of CSV: the language tag, such as `es-ES`, whose decimal sign numbers have. With a comma, semicolons separate cells.',
		schema: { type: 'string', default: 'en' },
	},
	TableBom: {
		name: 'bom',
		in: 'query',
		description: 'Of CSV: `1` begins it with a byte order mark, by which Excel knows that it is UTF-8.',
		schema: { type: 'string', enum: ['0', '1'], default: '0' },
	},
	TableIds: {
		name: 'ids',
		in: 'query',
		required: true,
		description: 'The ids of variables, all different, separated by commas.',
		style: 'form',
		explode: false,
		schema: { type: 'array', items: id, minItems: 1, maxItems: 50, uniqueItems: true },
		example: [13],
	},
	TableReadingIds: {
		name: 'ids',
		in: 'query',
		description: 'The ids of variables, separated by commas. Left out: all.',
		style: 'form',
		explode: false,
		schema: { type: 'array', items: id, maxItems: 2000 },
	},
	TableAggregates: {
		name: 'aggregates',
		in: 'query',
		description: `The aggregates, separated by commas: ${historyAggregates.map((each) => `\`${each}\``).join(', ')}. Left out: \`own\`.`,
		schema: { type: 'string' },
	},
	TableFunction: {
		name: 'function',
		in: 'query',
		required: true,
		description: 'What is counted of each variable.',
		schema: { type: 'string', enum: tableFunctions },
		example: 'mean',
	},
	TablePer: {
		name: 'per',
		in: 'query',
		description: 'Of the function `total`, and required there: the time unit of the rate.',
		schema: { type: 'string', enum: ['s', 'min', 'h', 'd'] },
	},
	TableHoldSeconds: {
		name: 'holdSeconds',
		in: 'query',
		description: 'How long a sample is known. Required where a variable reads windows.',
		schema: { type: 'integer', minimum: 1, maximum: 2_592_000 },
	},
	TableTimeZone: {
		name: 'timeZone',
		in: 'query',
		description: 'The IANA name of the time zone of days and times.',
		schema: { type: 'string', default: 'UTC' },
	},
	TableDayStart: {
		name: 'dayStart',
		in: 'query',
		description: 'The local time at which days begin, `HH:MM`.',
		schema: { type: 'string', default: '00:00' },
	},
	EventStart: {
		name: 'start',
		in: 'query',
		description: `The start of the time to list, ISO 8601 with \`Z\` or an offset, or epoch milliseconds. At most ${maxEventDays} days before \`end\`. Default: 24 hours before \`end\`.`,
		schema: { type: 'string' },
	},
	EventEnd: {
		name: 'end',
		in: 'query',
		description: 'The end of that time, exclusive, in the same forms. Default: now.',
		schema: { type: 'string' },
	},
	EventAlarm: { name: 'alarmId', in: 'query', description: 'Only entries of the alarm with this id.', schema: id },
	EventLimit: {
		name: 'limit',
		in: 'query',
		description: 'Most entries of a page.',
		schema: { type: 'integer', minimum: 1, maximum: maxEvents, default: defaultEvents },
	},
	EventAfter: {
		name: 'after',
		in: 'query',
		description:
			'The `next` of the page before. Send it with the same `start`, `end` and `alarmId`, or without those times: the page has the range of the first one.',
		schema: { type: 'string' },
	},
	ChangeStart: {
		name: 'start',
		in: 'query',
		description: `The start of the time to list, ISO 8601 with \`Z\` or an offset, or epoch milliseconds. Default: ${defaultChangeRangeDays} days before \`end\`.`,
		schema: { type: 'string' },
	},
	ChangeKind: {
		name: 'kind',
		in: 'query',
		description: 'Only changes of items of this kind. Left out: of all but sessions.',
		schema: itemKind,
	},
	ChangeItem: {
		name: 'itemId',
		in: 'query',
		description: 'Only changes of the item with this id; with `kind`. Of people: the e-mail.',
		schema: { type: 'string' },
	},
	ChangedBy: {
		name: 'actor',
		in: 'query',
		description: 'Only changes by the person with this e-mail, or by the machine or the command with this id.',
		schema: { type: 'string' },
	},
	ChangeLimit: {
		name: 'limit',
		in: 'query',
		description: 'Most entries of a page.',
		schema: { type: 'integer', minimum: 1, maximum: maxChanges, default: defaultChanges },
	},
	ChangeAfter: {
		name: 'after',
		in: 'query',
		description:
			'The `next` of the page before. Send it with the same filters, and the same times or none: the page has the range of the first one.',
		schema: { type: 'string' },
	},
	EntryKind: { name: 'kind', in: 'query', required: true, description: 'The kind of the item.', schema: itemKind },
	EntryItem: {
		name: 'itemId',
		in: 'query',
		required: true,
		description: 'The id of the item; 0 for the panel, the e-mail of a person.',
		schema: { type: 'string' },
	},
	EntryRowVersion: {
		name: 'rowVersion',
		in: 'query',
		required: true,
		description: 'The `rowVersion` of the entry.',
		schema: id,
	},
	IfMatch: {
		name: 'If-Match',
		in: 'header',
		description:
			// The pattern is `*` or a list of entity tags, weak ones too (RFC 9110, sections 8.8.3 and 13.1.1).
			'The `version` of what was read, in double quotes, such as `"3"` (as its `ETag` has it), or `*` for any stored version. Where another version is stored, the change is refused with 412. Without this header the last writer wins.',
		schema: { type: 'string', pattern: '^(\\*|(W/)?"[!#-~]*"( *, *(W/)?"[!#-~]*")*)$' },
	},
	IdempotencyKey: {
		name: 'Idempotency-Key',
		in: 'header',
		description:
			'A new key for each change: visible ASCII characters. A retry with the same key within 24 hours gets the first answer and changes nothing.',
		schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
	},
	CacheControl: {
		name: 'Cache-Control',
		in: 'header',
		description:
			'`no-cache`: reads anew. An installation can let requests share what one of them has just read; a reading is then up to that much older, and its times say so.',
		schema: { type: 'string' },
	},
	IfNoneMatch: {
		name: 'If-None-Match',
		in: 'header',
		description: 'The `ETag` of the document that the client has. The answer is 304 where it has not changed.',
		schema: { type: 'string' },
	},
} as const;
