import { decimalsOf } from '#page/core/decimals.ts';
import type { Versioned } from '#page/core/draft-editor.ts';
import { readingOf } from '#page/core/readings.ts';
import { type Shown, shownOf } from '#page/core/shown.ts';
import { commonText } from '#page/i18n/common.ts';
import { ConflictDialog } from '#page/parts/conflict-dialog.tsx';
import { ShownQuality, ShownValue } from '#page/parts/shown-cells.tsx';
import { differencesOf, mergedDraft } from './conflict.ts';
import type { Draft } from './draft.ts';
import type { VariableEditor } from './editor-state.ts';
import { editorText } from './editor-texts.ts';
import type { TrialState } from './trial.ts';
import { queryText } from './wording.ts';

/** Properties of VariableConflict. */
export interface VariableConflictProps {
	readonly editor: VariableEditor;
	readonly theirs: Versioned<Draft>;
	/** What my draft shows now. */
	readonly mine: TrialState;
}

/** What somebody else saved meanwhile beside what is typed, each with its own value. */
export function VariableConflict({ editor, theirs: newest, mine }: VariableConflictProps) {
	const text = editorText();
	const draft = editor.content.value;
	const { content: theirs, version } = newest;
	const { fields, sameCount } = differencesOf(editor.base.value.content, theirs, draft, {
		query: queryText,
		bit: (name, bit) => `${text.bit(bit)}: ${name}`,
		kind: (kind) => text.kinds[kind],
		type: (type) => text.types[type],
	});
	const stored = readingOf(theirs.id).value;
	const myAnswer = mine.phase === 'answered' ? mine.answer : null;
	return (
		<ConflictDialog
			title={text.conflictTitle}
			text={text.conflictText(theirs.name, version ?? 0, editor.base.value.version ?? 0)}
			fields={fields.map((field) => ({ ...field, label: fieldLabel(field.key), isCode: field.key === 'formula' }))}
			sameCount={sameCount}
			ofTheirs={
				<>
					{commonText().version(version ?? 0)} <Values shown={stored === undefined ? null : shownOf(stored)} draft={theirs} />
				</>
			}
			ofMine={
				<>
					{text.unsaved} <Values shown={myAnswer === null ? null : shownOf(myAnswer.reading)} draft={draft} />
				</>
			}
			onGoOn={(keys) => editor.rebase(mergedDraft(theirs, draft, keys), newest)}
			onTakeTheirs={() => editor.rebase(theirs, newest)}
			onClose={editor.closeConflict}
		/>
	);
}

/** The value that a draft shows now. */
function Values({ shown, draft }: { readonly shown: Shown | null; readonly draft: Draft }) {
	if (shown === null) return null;
	return (
		<>
			· <ShownValue shown={shown} kind={draft.kind} decimals={decimalsOf([shown.value])} />{' '}
			<ShownQuality shown={shown} ownName={draft.name} />
		</>
	);
}

/** The words of a field: inputs and bits by their names. */
function fieldLabel(key: string): string {
	const text = editorText();
	if (key.startsWith('input ')) return `{${key.slice('input '.length)}}`;
	if (key.startsWith('bit ')) return `${text.bits} ${key.slice('bit '.length)}`;
	const labels: Readonly<Record<string, string>> = {
		name: commonText().name,
		unit: text.unit,
		process: commonText().process,
		kind: commonText().kind,
		type: text.type,
		formula: commonText().formula,
		query: text.query,
	};
	return labels[key] ?? key;
}
