import { useMemo } from 'preact/hooks';
import type { FieldError } from '#page/core/api.ts';
import { type Panel, panel, variables } from '#page/core/definitions.ts';
import { createDraftEditor } from '#page/core/draft-editor.ts';
import { canWrite } from '#page/core/poll.ts';
import { useReadings } from '#page/core/readings.ts';
import { goTo, hrefOf } from '#page/core/route.ts';
import { commonText } from '#page/i18n/common.ts';
import { problemText } from '#page/i18n/i18n.ts';
import { bindingWords } from '#page/parts/binding-fields.tsx';
import { Button } from '#page/parts/button.tsx';
import { ConflictDialog } from '#page/parts/conflict-dialog.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { useEditing } from '#page/parts/use-editing.ts';
import { WriteButton } from '#page/parts/write-button.tsx';
import { ItemForm } from './item-form.tsx';
import { panelFields } from './panel-conflict.ts';
import { itemAt, panelDraftOf, withItem } from './panel-draft.ts';
import { PanelLists } from './panel-lists.tsx';
import { panelRequests } from './panel-requests.ts';
import { stationText } from './texts.ts';
import { usePanelEdits } from './use-panel-edits.ts';

/** The panel while it is edited: its lists left, the chosen item right. */
export function PanelEditor({ stored }: { readonly stored: Panel | null }) {
	const text = stationText();
	const editor = useMemo(
		() => createDraftEditor({ content: panelDraftOf(stored), version: stored?.version ?? null }, panelRequests),
		[],
	);
	const edits = usePanelEdits(editor);
	const draft = editor.content.value;
	useReadings([...new Set([...draft.pumps, ...draft.states].flatMap(({ varId }) => varId ?? []))]);
	const isLost = !canWrite.value.ok;
	/** What is wrong, as far as it is said: empty fields count from the first save on. */
	const said: ReadonlyMap<string, FieldError> = editor.hasTried.value
		? editor.problems.value
		: new Map([...editor.problems.value].filter(([, { code }]) => !['empty', 'choose_variable', 'panel_empty'].includes(code)));
	const save = async (): Promise<void> => {
		if (isLost || (!editor.isChanged.value && editor.base.value.version !== null)) return;
		const outcome = await editor.save();
		if (outcome === 'wrong' || (outcome === 'failed' && editor.problems.value.size > 0)) edits.showFirstProblem();
		if (outcome !== 'saved') return;
		await panel.load();
		goTo(hrefOf('station'));
	};
	const discard = (): void => {
		if (editor.isChanged.value && !confirm(commonText().discardAsk)) return;
		editor.discard();
		goTo(hrefOf('station'));
	};
	useEditing(editor, save);

	const { version } = editor.base.value;
	const failure = editor.failure.value;
	const place = edits.selected.value;
	const item = place === null ? undefined : itemAt(draft, place);
	const request = said.get('request');
	return (
		<div ref={edits.root}>
			<div class="head">
				<h1>{draft.title === '' ? text.settingUp : draft.title}</h1>
				<span class="sub">{version === null ? text.settingUp : text.editing(version)}</span>
				<div class="actions">
					<span
						class={said.size === 0 && edits.announcement.value === '' && !editor.isSaving.value ? 'sr' : 'muted'}
						role="status"
					>
						{editor.isSaving.value ? commonText().saving : edits.announcement.value}
						{editor.hasTried.value && said.size > 0 && <span class="fault"> {commonText().fieldsWrong(said.size)}</span>}
					</span>
					<Button onClick={discard}>{commonText().discard}</Button>
					<WriteButton
						look="primary"
						aria-disabled={said.size > 0 || editor.isSaving.value || !editor.isChanged.value}
						onClick={() => void save()}
					>
						{text.save}
					</WriteButton>
				</div>
			</div>
			{failure !== null && Object.keys(failure.errors).every((path) => !isFieldPath(path)) && (
				<Problems failure={failure} fallback={commonText().notSaved} />
			)}
			{request !== undefined && failure === null && (
				<p class="field-error" lang={problemText(request).lang}>
					{problemText(request).text}
				</p>
			)}
			<div class="split">
				<PanelLists
					draft={draft}
					edits={edits}
					problems={said}
					disabled={isLost}
					onTitle={(title) => editor.change({ ...editor.content.value, title })}
				/>
				{place === null || item === undefined ? (
					<p class="panel muted">{text.choose}</p>
				) : (
					<ItemForm
						key={`${place.list} ${place.id}`}
						place={place}
						item={item}
						disabled={isLost}
						problemOf={(field) => said.get(`${place.list}.${draft[place.list].indexOf(item)}.${field}`)}
						onChange={(part) => editor.change(withItem(editor.content.value, place, part))}
						onList={(list) => edits.moveToList(place, list)}
					/>
				)}
			</div>
			<ConflictDialog
				kind="panel"
				editor={editor}
				fieldsOf={(versions) =>
					panelFields(versions, {
						title: commonText().title,
						lists: text.lists,
						order: text.order,
						binding: (each) => bindingWords(each, variables.rows.value),
					})
				}
			/>
		</div>
	);
}

function isFieldPath(path: string): boolean {
	return path === 'title' || /^(pumps|states)\.\d+\./.test(path);
}
