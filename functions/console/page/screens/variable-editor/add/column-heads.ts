import { commonText } from '#page/i18n/common.ts';
import { editorText } from '../editor-texts.ts';
import { describeText } from './describe-texts.ts';
import type { GridColumn } from './described.ts';

/** Returns the heads of the editable columns, in the words of the editor. */
export function columnHeads(): Readonly<Record<GridColumn, string>> {
	const { name, unit, process, kind } = commonText();
	const { lookback, period } = editorText();
	return { name, unit, process, kind, aggregate: describeText().valueOf, period: period.last, lookback };
}
