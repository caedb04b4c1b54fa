import { useMemo } from 'preact/hooks';
import { type Panel, panel } from '#page/core/definitions.ts';
import { createDraftEditor, type DraftEditor } from '#page/core/draft-editor.ts';
import { canWrite } from '#page/core/poll.ts';
import { useReadings } from '#page/core/readings.ts';
import { goTo, hrefOf } from '#page/core/route.ts';
import { commonText } from '#page/i18n/common.ts';
import { problemText } from '#page/i18n/i18n.ts';
import { Button } from '#page/parts/button.tsx';
import { ConflictDialog } from '#page/parts/conflict-dialog.tsx';
import { areAtFields } from '#page/parts/problem-paths.ts';
import { Problems } from '#page/parts/problems.tsx';
import { mayDiscard, useEditing } from '#page/parts/use-editing.ts';
import { WriteButton } from '#page/parts/write-button.tsx';
import { shellText } from '#page/shell/texts.ts';
import { ItemForm } from './item-form.tsx';
import { itemAt, type PanelDraft, panelDraftOf, withItem } from './panel-draft.ts';
import { PanelLists } from './panel-lists.tsx';
import { panelRequests } from './panel-requests.ts';
import { panelVersionFields } from './panel-version-fields.ts';
import { stationText } from './texts.ts';
import { usePanelEdits } from './use-panel-edits.ts';

/** The editor of the panel: its lists on the left, and the form of the chosen item on the right. */
export function PanelEditor({ stored }: { readonly stored: Panel | null }) {
	const text = stationText();
	const editor = useMemo(
		() => createDraftEditor({ content: panelDraftOf(stored), version: stored?.version ?? null }, panelRequests),
		[],
	);
	const edits = usePanelEdits(editor);
	const draft = editor.content.value;
	useReadings([...new Set([...draft.pumps, ...draft.states].flatMap(({ varId }) => varId ?? []))]);
	const isDisabled = !canWrite.value.ok;
	const problems = editor.shownProblems.value;
	// A panel that is not stored yet can be saved as it is. The check then says what it lacks.
	const canSave = (): boolean => editor.isChanged.value || editor.base.value.version === null;
	const save = useEditing(editor, {
		canSave,
		onSaved: async () => {
			await panel.load();
			goTo(hrefOf('station'));
		},
		onFault: edits.showFirstProblem,
	});
	const discard = (): void => {
		if (!mayDiscard(editor)) return;
		editor.discard();
		goTo(hrefOf('station'));
	};

	const place = edits.selected.value;
	const item = place === null ? undefined : itemAt(draft, place);
	return (
		<div ref={edits.root}>
			<PanelHead
				editor={editor}
				canSave={canSave()}
				announcement={edits.announcement.value}
				onDiscard={discard}
				onSave={() => void save()}
			/>
			<PanelProblems editor={editor} />
			<div class="split">
				<PanelLists
					draft={draft}
					edits={edits}
					problems={problems}
					disabled={isDisabled}
					onTitle={(title) => editor.change({ ...editor.content.value, title })}
				/>
				{place === null || item === undefined ? (
					<p class="panel muted">{text.choose}</p>
				) : (
					<ItemForm
						key={`${place.list} ${place.id}`}
						place={place}
						item={item}
						disabled={isDisabled}
						problemOf={(field) => problems.get(`${place.list}.${draft[place.list].indexOf(item)}.${field}`)}
						onChange={(part) => editor.change(withItem(editor.content.value, place, part))}
						onList={(list) => edits.moveToList(place, list)}
					/>
				)}
			</div>
			<ConflictDialog kind="panel" editor={editor} fieldsOf={panelVersionFields} />
		</div>
	);
}

interface PanelHeadProps {
	readonly editor: DraftEditor<PanelDraft>;
	readonly canSave: boolean;
	/** A sentence about the last act. */
	readonly announcement: string;
	readonly onDiscard: () => void;
	readonly onSave: () => void;
}

/** The title and version of the panel, a sentence about the last act, and the buttons for the whole panel. */
function PanelHead({ editor, canSave, announcement, onDiscard, onSave }: PanelHeadProps) {
	const text = stationText();
	const { title } = editor.content.value;
	const { version } = editor.base.value;
	const isSaving = editor.isSaving.value;
	const wrongCount = editor.shownProblems.value.size;
	return (
		<div class="head">
			<h1>{title.trim() === '' ? shellText().screens.station : title}</h1>
			<span class="sub">{version === null ? text.settingUp : commonText().editing(version)}</span>
			<div class="actions">
				<span class={wrongCount === 0 && announcement === '' && !isSaving ? 'sr' : 'muted'} role="status">
					{isSaving ? commonText().saving : announcement}
					{editor.hasTried.value && wrongCount > 0 && <span class="fault"> {commonText().fieldsWrong(wrongCount)}</span>}
				</span>
				<Button onClick={onDiscard}>{commonText().discard}</Button>
				<WriteButton look="primary" aria-disabled={wrongCount > 0 || isSaving || !canSave} onClick={onSave}>
					{text.save}
				</WriteButton>
			</div>
		</div>
	);
}

/** Why the panel was not saved, and the problem of the panel as a whole, such as that it is empty. */
function PanelProblems({ editor }: Pick<PanelHeadProps, 'editor'>) {
	const failure = editor.failure.value;
	if (failure !== null)
		return areAtFields(failure, isFieldPath) ? null : <Problems failure={failure} fallback={commonText().notSaved} />;
	const problem = editor.shownProblems.value.get('request');
	return problem === undefined ? null : (
		<p class="field-error" lang={problemText(problem).lang}>
			{problemText(problem).text}
		</p>
	);
}

/** Whether a problem belongs to a field of the form, where it is shown. Others are shown above the form. */
function isFieldPath(path: string): boolean {
	// Such as `pumps.2.varId`.
	return path === 'title' || /^(pumps|states)\.\d+\./.test(path);
}
