import { commonText } from '#page/i18n/common.ts';
import { Banner } from '#page/parts/banner.tsx';
import { Button } from '#page/parts/button.tsx';
import { Problems } from '#page/parts/problems.tsx';
import type { VariableEditor } from './editor-state.ts';
import { editorText } from './editor-texts.ts';
import type { Trial } from './trial.ts';

/** Properties of EditorNotices. */
export interface EditorNoticesProps {
	readonly editor: VariableEditor;
	readonly trial: Trial;
}

/** What went wrong with a save, and that somebody else saved meanwhile. */
export function EditorNotices({ editor, trial }: EditorNoticesProps) {
	const text = editorText();
	const failure = editor.failure.value;
	const { version } = editor.base.value;
	const storedVersion = trial.state.value.answer?.storedVersion ?? 0;
	return (
		<>
			{failure !== null && <Problems failure={failure} fallback={commonText().notSavedButKept} />}
			{version !== null && storedVersion > version && editor.theirs.value === null && (
				<Banner look="doubt" icon="i-user" action={<Button onClick={() => void editor.compare()}>{text.compare}</Button>}>
					{text.conflictSoon(storedVersion)}
				</Banner>
			)}
		</>
	);
}
