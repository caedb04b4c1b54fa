import type { FieldError } from '#page/core/api.ts';
import { problemText } from '#page/i18n/i18n.ts';
import type { QueryDraft } from './draft.ts';
import { editorText } from './editor-texts.ts';

/** Returns in words how a query is read: `mean of 12 h`, `newest of 1 h, expected every 1 min`. */
export function readAsText({ aggregate, lookback, lookbackUnit, period, periodUnit }: QueryDraft): string {
	const { units, readAs } = editorText();
	const [back, length] = [`${lookback} ${units[lookbackUnit]}`, `${period} ${units[periodUnit]}`];
	return readAs[aggregate](length, back);
}

/** Returns all of a query in words: the topic, the field, the tags and how it is read. */
export function queryText(query: QueryDraft): string {
	return [query.topic, query.field, ...tagWords(query), readAsText(query)].join(' · ');
}

/** Returns the tags of a query in words: `slave_id=1`. */
export function tagWords({ tags }: QueryDraft): readonly string[] {
	return tags.map(({ key, value }) => `${key}=${value}`);
}

/** Returns the words for the problem of a field; undefined without one. */
export function fieldErrorText(error: FieldError | undefined): string | undefined {
	return error === undefined ? undefined : problemText(error).text;
}
