import { useMemo } from 'preact/hooks';
import { type Panel, panel } from '#page/core/definitions.ts';
import { createDraftEditor, type DraftEditor } from '#page/core/draft-editor.ts';
import { canWrite } from '#page/core/poll.ts';
import { useReadings } from '#page/core/readings.ts';
import { goTo, hrefOf } from '#page/core/route.ts';
import { EditorFrame } from '#page/editing/editor-frame.tsx';
import { EditorHead } from '#page/editing/editor-head.tsx';
import { commonText } from '#page/i18n/common.ts';
import { problemText } from '#page/i18n/i18n.ts';
import { useEditing } from '#page/parts/use-editing.ts';
import { shellText } from '#page/shell/texts.ts';
import { ItemForm } from './item-form.tsx';
import { itemAt, type PanelDraft, panelDraftOf, withItem } from './panel-draft.ts';
import { PanelLists } from './panel-lists.tsx';
import { panelRequests } from './panel-requests.ts';
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
	const save = useEditing(editor, {
		onSaved: async () => {
			await panel.load();
			goTo(hrefOf('station'));
		},
		onFault: edits.showFirstProblem,
	});

	const place = edits.selected.value;
	const item = place === null ? undefined : itemAt(draft, place);
	return (
		<div ref={edits.root}>
			<EditorFrame
				kind="panel"
				editor={editor}
				head={
					<EditorHead
						editor={editor}
						announcement={edits.announcement.value}
						label={text.save}
						onLeave={() => goTo(hrefOf('station'))}
						onSave={() => void save()}
					>
						<PanelTitle editor={editor} />
					</EditorHead>
				}
				isFieldPath={isFieldPath}
				notSaved={commonText().notSaved}
			>
				<PanelProblem editor={editor} />
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
			</EditorFrame>
		</div>
	);
}

interface PanelPartProps {
	readonly editor: DraftEditor<PanelDraft>;
}

/** The title and version of the panel. */
function PanelTitle({ editor }: PanelPartProps) {
	const { title } = editor.content.value;
	const { version } = editor.base.value;
	return (
		<>
			<h1>{title.trim() === '' ? shellText().screens.station : title}</h1>
			<span class="sub">{version === null ? stationText().settingUp : commonText().editing(version)}</span>
		</>
	);
}

/** The problem of the panel as a whole, such as that it is empty. A failed save is said instead. */
function PanelProblem({ editor }: PanelPartProps) {
	const problem = editor.shownProblems.value.get('request');
	if (editor.failure.value !== null || problem === undefined) return null;
	const { lang, text } = problemText(problem);
	return (
		<p class="field-error" lang={lang}>
			{text}
		</p>
	);
}

/** Whether a problem belongs to a field of the form, where it is shown. Others are shown above the form. */
function isFieldPath(path: string): boolean {
	// Such as `pumps.2.varId`.
	return path === 'title' || /^(pumps|states)\.\d+\./.test(path);
}
