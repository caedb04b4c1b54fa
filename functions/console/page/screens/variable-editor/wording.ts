import type { FieldError } from '#page/core/api.ts';
import { problemText } from '#page/i18n/i18n.ts';
import type { QueryDraft } from './draft.ts';
import { editorText } from './editor-texts.ts';

/** Says how a query is read: `mean of 12 h`, `newest of 1 h, expected every 1 min`. */
export function readAsText({ aggregate, lookback, lookbackUnit, period, periodUnit }: QueryDraft): string {
	const { units, readAs } = editorText();
	const [back, length] = [`${lookback} ${units[lookbackUnit]}`, `${period} ${units[periodUnit]}`];
	return readAs[aggregate](length, back);
}

/** Says all of a query: the topic, the field and how it is read. */
export function queryText(query: QueryDraft): string {
	return `${query.topic} · ${query.field} · ${readAsText(query)}`;
}

/** Says what is wrong with a field; undefined where nothing is. */
export function fieldErrorText(error: FieldError | undefined): string | undefined {
	return error === undefined ? undefined : problemText(error).text;
}
