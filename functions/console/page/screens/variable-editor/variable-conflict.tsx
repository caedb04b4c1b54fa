import { decimalsOf } from '#page/core/decimals.ts';
import { readingOf } from '#page/core/readings.ts';
import { goTo, hrefOf } from '#page/core/route.ts';
import { type Shown, shownOf } from '#page/core/shown.ts';
import { commonText } from '#page/i18n/common.ts';
import { ConflictDialog } from '#page/parts/conflict-dialog.tsx';
import { ShownQuality, ShownValue } from '#page/parts/shown-cells.tsx';
import type { Draft } from './draft.ts';
import type { VariableEditor } from './editor-state.ts';
import type { VariableTrial } from './variable-trial.ts';
import { variableVersionFields } from './variable-version-fields.ts';

/** Properties of VariableConflict. */
export interface VariableConflictProps {
	readonly editor: VariableEditor;
	/** The dry run of the person's own draft. */
	readonly trial: VariableTrial;
}

/** Says that somebody else saved or deleted the variable meanwhile. Each version is shown with its own value. Nothing is shown without a conflict. */
export function VariableConflict({ editor, trial }: VariableConflictProps) {
	const { phase, answer } = trial.state.value;
	return (
		<ConflictDialog
			kind="variable"
			editor={editor}
			fieldsOf={variableVersionFields}
			ofTheirs={({ content, version }) => {
				const reading = readingOf(content.id).value;
				// `version` is null only for what was never saved, so the 0 is never shown.
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

/** The present value of a version. */
function Values({ shown, draft }: { readonly shown: Shown | null; readonly draft: Draft }) {
	if (shown === null) return null;
	return (
		<>
			· <ShownValue shown={shown} kind={draft.kind} decimals={decimalsOf([shown.value])} />{' '}
			<ShownQuality shown={shown} ownName={draft.name} />
		</>
	);
}
