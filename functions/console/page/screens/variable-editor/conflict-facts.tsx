import { decimalsOf } from '#page/core/decimals.ts';
import type { Versioned } from '#page/core/draft-editor.ts';
import { readingOf } from '#page/core/readings.ts';
import { type Shown, shownOf } from '#page/core/shown.ts';
import { commonText } from '#page/i18n/common.ts';
import { ShownQuality, ShownValue } from '#page/parts/shown-cells.tsx';
import type { Draft } from './draft.ts';
import type { VariableEditor } from './editor-state.ts';
import type { VariableTrial } from './variable-trial.ts';

/** The number and the present value of the version that somebody else saved. */
export function TheirFacts({ content, version }: Versioned<Draft>) {
	const reading = readingOf(content.id).value;
	// `version` is null only for what was never saved, so the 0 is never shown.
	return (
		<>
			{commonText().version(version ?? 0)} <Value shown={reading === undefined ? null : shownOf(reading)} draft={content} />
		</>
	);
}

/** The present value of the person's own draft, by its dry run. */
export function MyFacts({ editor, trial }: { readonly editor: VariableEditor; readonly trial: VariableTrial }) {
	const { phase, answer } = trial.state.value;
	return (
		<>
			{commonText().unsaved}{' '}
			<Value shown={phase === 'answered' && answer !== null ? shownOf(answer.reading) : null} draft={editor.content.value} />
		</>
	);
}

/** The present value of a version. */
function Value({ shown, draft }: { readonly shown: Shown | null; readonly draft: Draft }) {
	if (shown === null) return null;
	return (
		<>
			· <ShownValue shown={shown} kind={draft.kind} decimals={decimalsOf([shown.value])} />{' '}
			<ShownQuality shown={shown} ownName={draft.name} />
		</>
	);
}
