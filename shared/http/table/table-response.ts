import { type ApiResponse, notModified, ok } from '../api-response.ts';
import { contentEtagOf, isUnchanged } from '../etag.ts';
import type { ApiEvent } from '../event.ts';
import { type Table, tableToJson } from './table.ts';
import { tableCsv, tableWorkbook } from './table-files.ts';
import { formOf, mediaTypes, type TableOptions } from './table-request.ts';

/**
 * Returns the answer with a table in the form that the request asks for. Its tag follows from the cells, so an unchanged table is 304 in any
 * form (RFC 9110, section 13.1.2).
 * @param remedy what a client can do when it is too large: the end of a sentence
 */
export async function tableResponse(
	event: ApiEvent,
	table: Table,
	{ locale, bom }: TableOptions,
	remedy = 'ask for fewer days or longer windows',
): Promise<ApiResponse> {
	const form = formOf(event);
	const json = tableToJson(table);
	const decimal = decimalSignOf(locale);
	const etag = contentEtagOf(JSON.stringify([form, decimal, bom, json]));
	const headers = { 'cache-control': 'private, no-cache', vary: 'accept, accept-encoding', etag };
	if (isUnchanged(event, etag)) return notModified(headers);
	if (form === 'json') return { ...ok(json, headers), remedy };
	const file = {
		...headers,
		'content-type': form === 'csv' ? `${mediaTypes.csv}; charset=utf-8` : mediaTypes.xlsx,
		'content-disposition': `attachment; filename="${table.name}.${form}"`,
	};
	if (form === 'csv') {
		return { ...ok(undefined, file), text: tableCsv(table, { decimal, hasMark: bom === '1' }), remedy };
	}
	const body = (await tableWorkbook(table)).toString('base64');
	return { ...ok(undefined, file), encoded: { body, isBase64Encoded: true }, remedy };
}

/** Returns the decimal sign of a locale. One that no data is known of has that of the service, a point. */
function decimalSignOf(locale: string): '.' | ',' {
	const parts = new Intl.NumberFormat([locale, 'en'], { numberingSystem: 'latn' }).formatToParts(1.5);
	return parts.some(({ type, value }) => type === 'decimal' && value === ',') ? ',' : '.';
}
