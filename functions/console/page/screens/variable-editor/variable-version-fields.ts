import type { DraftField, DraftVersions } from '#page/core/draft-fields.ts';
import { commonText } from '#page/i18n/common.ts';
import { variableFields } from './conflict.ts';
import type { Draft } from './draft.ts';
import { editorText } from './editor-texts.ts';
import { queryText } from './wording.ts';

/** Returns the fields by which two versions are compared, in the words of the editor. */
export function variableVersionFields(versions: DraftVersions<Draft>): readonly DraftField<Draft>[] {
	const text = editorText();
	return variableFields(versions, {
		labels: {
			name: commonText().name,
			unit: commonText().unit,
			process: commonText().process,
			kind: commonText().kind,
			type: text.type,
			query: text.source,
			formula: commonText().formula,
		},
		query: queryText,
		bit: text.bit,
		kind: (kind) => text.kinds[kind],
		type: (type) => text.types[type],
	});
}
