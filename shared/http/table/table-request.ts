import * as v from 'valibot';
import type { AskedDays } from '#domain/calendar/day-range.ts';
import { dayRangeFields } from '#domain/calendar/day-range.ts';
import { DomainError } from '#domain/errors.ts';
import { idSchema } from '#domain/validation/field.ts';
import { parse, ValidationIssues } from '#domain/validation/parse.ts';
import type { ApiEvent } from '../event.ts';
import { queryIntegerSchema } from '../listing.ts';
import { headerOf } from '../request.ts';
import { queryOf } from '../sent-input.ts';

/** The forms of a table by the extension of their address, with their media types. */
export const mediaTypes = {
	json: 'application/json',
	csv: 'text/csv',
	xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

/** The form of a table. */
export type TableForm = keyof typeof mediaTypes;

/** A tag of a language and a region, by which the decimal sign of CSV is chosen: `es-ES`. */
const localeSchema = v.pipe(
	v.string(),
	v.regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/, 'Must be a language tag, such as es-ES.'),
);

/** The parameters that every table has: which columns, and how CSV is written. */
export const tableFields = {
	/** `all`: beside each number its known share, its bounds and its fault. */
	columns: v.optional(v.picklist(['value', 'all']), 'value'),
	locale: v.optional(localeSchema, 'en'),
	bom: v.optional(v.picklist(['0', '1']), '0'),
};

/** How a table is asked for. */
export type TableOptions = v.InferOutput<v.ObjectSchema<typeof tableFields, undefined>>;

/** The parameters of tables over the windows of some days. */
export const windowFields = { ...tableFields, ...dayRangeFields };

/** How a table over the windows of some days is asked for. */
export type WindowOptions = TableOptions & AskedDays;

/**
 * Parses the query of a table.
 * @throws DomainError `invalid` with all issues
 */
export function tableQueryOf<Entries extends typeof tableFields & v.ObjectEntries>(
	event: ApiEvent,
	schema: v.ObjectSchema<Entries, undefined>,
): v.InferOutput<v.ObjectSchema<Entries, undefined>> {
	return parse(schema, queryOf(event, Object.keys(schema.entries)));
}

/** Ids in a query, `13,18`. */
export const idsTextSchema = v.pipe(
	v.string(),
	v.transform((text) => text.split(',')),
	v.array(v.pipe(queryIntegerSchema, idSchema)),
);

/**
 * Names the fields of refusals as the query has them, because reports, totals and histories are asked for a start, and totals for lines.
 * @param read reads what the query asks for
 * @throws DomainError what `read` throws
 */
export async function namedAsSent<Result>(event: ApiEvent, read: () => Promise<Result>): Promise<Result> {
	try {
		return await read();
	} catch (error) {
		if (!(error instanceof DomainError) || error.code !== 'invalid') throw error;
		const issues = new ValidationIssues();
		for (const { path, ...cause } of error.payload.issues) issues.add(sentNameOf(path, event), cause);
		issues.throwIfAny();
		throw error;
	}
}

function sentNameOf(path: string, { queryStringParameters = {} }: ApiEvent): string {
	const name = path.replace(/^lines\.\d+\./, '');
	if (name === 'start') return queryStringParameters['from'] === undefined ? 'date' : 'from';
	return ['lines', 'key', 'varId'].includes(name) ? 'ids' : name;
}

/** An extension at the end of an address. */
const extension = /\.(json|csv|xlsx)$/;

/** Returns a text of the path without the extension of a table. */
export function withoutExtension(text: string): string {
	return text.replace(extension, '');
}

/** Returns the form of a table: by the extension of its address, otherwise by the header Accept (RFC 9110, section 12.5.1), otherwise JSON. */
export function formOf(event: ApiEvent): TableForm {
	const [, ending] = extension.exec(event.rawPath) ?? [];
	if (ending === 'json' || ending === 'csv' || ending === 'xlsx') return ending;
	const ranges = (headerOf(event, 'accept') ?? '').split(',').map((each, index) => {
		const [type = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase());
		const weight = parameters.find((parameter) => parameter.startsWith('q='));
		return { type, weight: weight === undefined ? 1 : Number(weight.slice(2)), index };
	});
	const forms: readonly TableForm[] = ['json', 'csv', 'xlsx'];
	const accepted = forms.flatMap((form) => {
		// The most specific range decides, which is the longest: `text/csv` before `text/*` and `*/*`.
		const [range] = ranges
			.filter(({ type }) => matches(type, mediaTypes[form]))
			.toSorted((a, b) => b.type.length - a.type.length);
		return range !== undefined && range.weight > 0 ? [{ ...range, form }] : [];
	});
	const [best] = accepted.toSorted((a, b) => b.weight - a.weight || a.index - b.index);
	return best?.form ?? 'json';
}

/** Whether a media range, such as `text/*`, includes a media type. */
const matches = (range: string, type: string): boolean =>
	range === type || range === '*/*' || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)));
