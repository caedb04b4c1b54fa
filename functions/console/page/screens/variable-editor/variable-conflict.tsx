import { decimalsOf } from '#page/core/decimals.ts';
import { readingOf } from '#page/core/readings.ts';
import { goTo, hrefOf } from '#page/core/route.ts';
import { type Shown, shownOf } from '#page/core/shown.ts';
import { commonText } from '#page/i18n/common.ts';
import { ConflictDialog } from '#page/parts/conflict-dialog.tsx';
import { ShownQuality, ShownValue } from '#page/parts/shown-cells.tsx';
import { variableFields } from './conflict.ts';
import type { Draft } from './draft.ts';
import type { VariableEditor } from './editor-state.ts';
import { editorText } from './editor-texts.ts';
import type { Trial } from './trial.ts';
import { queryText } from './wording.ts';

/** Properties of VariableConflict. */
export interface VariableConflictProps {
	readonly editor: VariableEditor;
	/** What my draft shows now. */
	readonly trial: Trial;
}

/** What somebody else did to the variable meanwhile, each side with its own value. Nothing is shown without that. */
export function VariableConflict({ editor, trial }: VariableConflictProps) {
	const text = editorText();
	const { phase, answer } = trial.state.value;
	return (
		<ConflictDialog
			kind="variable"
			editor={editor}
			fieldsOf={(versions) =>
				variableFields(versions, {
					labels: {
						name: commonText().name,
						unit: text.unit,
						process: commonText().process,
						kind: commonText().kind,
						type: text.type,
						query: text.source,
						formula: commonText().formula,
						bit: text.bits,
					},
					query: queryText,
					bit: (name, bit) => `${text.bit(bit)}: ${name}`,
					kind: (kind) => text.kinds[kind],
					type: (type) => text.types[type],
				})
			}
			ofTheirs={({ content, version }) => {
				const reading = readingOf(content.id).value;
				return (
					<>
						{commonText().version(version ?? 0)}{' '}
						<Values shown={reading === undefined ? null : shownOf(reading)} draft={content} />
					</>
				);
			}}
			ofMine={
				<>
					{commonText().unsaved}{' '}
					<Values shown={phase === 'answered' && answer !== null ? shownOf(answer.reading) : null} draft={editor.content.value} />
				</>
			}
			onDrop={() => goTo(hrefOf('variables'), { replace: true })}
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
