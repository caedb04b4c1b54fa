import type { Language } from '#page/core/languages.ts';
import { language } from '#page/core/preferences.ts';
import { commonText } from '#page/i18n/common.ts';
import { editorText } from '../editor-texts.ts';
import { describeText } from './describe-texts.ts';
import type { GridColumn } from './grid-row.ts';

/** Returns the heads of the editable columns, in the words of the editor. */
export function columnHeads(tag: Language = language.value): Readonly<Record<GridColumn, string>> {
	const { name, unit, process, kind } = commonText(tag);
	const { lookback, period } = editorText(tag);
	return { name, unit, process, kind, aggregate: describeText(tag).valueOf, period: period.last, lookback };
}
