import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { FieldError } from '#page/core/api.ts';
import { type Panel, panel, variables } from '#page/core/definitions.ts';
import { createDraftEditor } from '#page/core/draft-editor.ts';
import { connection } from '#page/core/poll.ts';
import { useReadings } from '#page/core/readings.ts';
import { goTo, hrefOf, leaveGuard } from '#page/core/route.ts';
import { useShortcuts } from '#page/core/shortcuts.ts';
import { problemText } from '#page/i18n/i18n.ts';
import { bindingWords } from '#page/parts/binding-fields.tsx';
import { Button } from '#page/parts/button.tsx';
import { ConflictDialog } from '#page/parts/conflict-dialog.tsx';
import { Field } from '#page/parts/field.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { TextInput } from '#page/parts/text-input.tsx';
import { ItemForm } from './item-form.tsx';
import { ItemTable } from './item-tables.tsx';
import { mergedPanel, panelDifferences } from './panel-conflict.ts';
import {
	type ItemPlace,
	itemAt,
	type ListName,
	listNames,
	type PanelDraft,
	panelDraftOf,
	withItem,
	withItemInList,
	withItemMoved,
	withNewItem,
	withoutItem,
} from './panel-draft.ts';
import { panelRequests } from './panel-requests.ts';
import { stationText } from './texts.ts';

/** The panel while it is edited: its lists left, the chosen item right. */
export function PanelEditor({ stored }: { readonly stored: Panel | null }) {
	const text = stationText();
	const editor = useRef(
		createDraftEditor({ content: panelDraftOf(stored), version: stored?.version ?? null }, panelRequests),
	).current;
	const selected = useSignal<ItemPlace | null>(null);
	const announcement = useSignal('');
	const root = useRef<HTMLDivElement>(null);
	/** Where the focus goes once the change is in the page. */
	const focusNext = useRef<string | null>(null);
	useLayoutEffect(() => {
		if (focusNext.current === null) return;
		const target = root.current?.querySelector<HTMLElement>(focusNext.current);
		if (target === null || target === undefined) return;
		focusNext.current = null;
		target.focus();
	});
	useSignalEffect(() => {
		leaveGuard.mayLeave = editor.isChanged.value ? () => confirm(stationText().leave) : null;
	});
	useEffect(
		() => () => {
			leaveGuard.mayLeave = null;
		},
		[],
	);

	const draft = editor.content.value;
	useReadings([...new Set([...draft.pumps, ...draft.states].flatMap(({ varId }) => varId ?? []))]);
	const isLost = connection.value === 'lost';
	const change = (next: PanelDraft): void => editor.change(next);
	const select = (place: ItemPlace): void => {
		selected.value = place;
		focusNext.current = `[data-form="${place.list} ${place.id}"] input`;
	};
	const add = (list: ListName): void => {
		const [next, place] = withNewItem(draft, list, { name: '', varId: null, bit: null });
		change(next);
		select(place);
	};
	const move = (place: ItemPlace, step: -1 | 1, focus: string): void => {
		const next = withItemMoved(draft, place, step);
		if (next === draft) return;
		change(next);
		focusNext.current = focus;
		const index = next[place.list].findIndex(({ id }) => id === place.id);
		announcement.value = text.moved(next[place.list][index]?.name ?? '', index + 1);
	};
	const remove = (place: ItemPlace): void => {
		const index = draft[place.list].findIndex(({ id }) => id === place.id);
		const next = withoutItem(draft, place);
		announcement.value = text.removed(itemAt(draft, place)?.name ?? '');
		change(next);
		if (selected.value?.list === place.list && selected.value.id === place.id) selected.value = null;
		const neighbour = next[place.list][Math.min(index, next[place.list].length - 1)];
		focusNext.current =
			neighbour === undefined ? `[data-add="${place.list}"]` : `[data-act="remove ${place.list} ${neighbour.id}"]`;
	};
	/** What is wrong, as far as it is said: empty fields count from the first save on. */
	const problems = (): ReadonlyMap<string, FieldError> =>
		editor.hasTried.value
			? editor.problems.value
			: new Map([...editor.problems.value].filter(([, { code }]) => !['empty', 'choose_variable', 'panel_empty'].includes(code)));
	const said = problems();
	const focusFirstProblem = (): void => {
		const [path = ''] = editor.problems.value.keys();
		const [list, index] = path.split('.');
		const name = listNames.find((each) => each === list);
		const item = name === undefined ? undefined : editor.content.value[name][Number(index)];
		if (name !== undefined && item !== undefined) selected.value = { list: name, id: item.id };
		focusNext.current = path === 'request' ? '[data-add="pumps"]' : '[aria-invalid=true]';
	};
	const save = async (): Promise<void> => {
		if (isLost || (!editor.isChanged.value && editor.base.value.version !== null)) return;
		const outcome = await editor.save();
		if (outcome === 'wrong' || (outcome === 'failed' && editor.problems.value.size > 0)) focusFirstProblem();
		if (outcome !== 'saved') return;
		leaveGuard.mayLeave = null;
		await panel.load();
		goTo(hrefOf('station'));
	};
	const discard = (): void => {
		if (editor.isChanged.value && !confirm(text.discardAsk)) return;
		editor.discard();
		leaveGuard.mayLeave = null;
		goTo(hrefOf('station'));
	};
	useShortcuts([{ key: 'Ctrl+s', label: text.saveKey, run: () => void save() }]);

	const { version } = editor.base.value;
	const failure = editor.failure.value;
	const theirs = editor.theirs.value;
	const place = selected.value;
	const item = place === null ? undefined : itemAt(draft, place);
	const titleProblem = said.get('title');
	const request = said.get('request');
	const isWrongAt = (list: ListName, index: number): boolean =>
		[...said.keys()].some((path) => path.startsWith(`${list}.${index}.`));
	return (
		<div ref={root}>
			<div class="head">
				<h1>{draft.title === '' ? text.settingUp : draft.title}</h1>
				<span class="sub">{version === null ? text.settingUp : text.editing(version)}</span>
				<div class="actions">
					<span class={said.size === 0 && announcement.value === '' && !editor.isSaving.value ? 'sr' : 'muted'} role="status">
						{editor.isSaving.value ? text.saving : announcement.value}
						{editor.hasTried.value && said.size > 0 && <span class="fault"> {text.wrong(said.size)}</span>}
					</span>
					<Button onClick={discard}>{text.discard}</Button>
					<Button
						look="primary"
						disabled={isLost}
						aria-disabled={said.size > 0 || editor.isSaving.value || !editor.isChanged.value}
						onClick={() => void save()}
					>
						{text.save}
					</Button>
				</div>
			</div>
			{failure !== null && Object.keys(failure.errors).every((path) => !isFieldPath(path)) && (
				<Problems failure={failure} fallback={text.notSaved} />
			)}
			{request !== undefined && failure === null && (
				<p class="field-error" lang={problemText(request).lang}>
					{problemText(request).text}
				</p>
			)}
			<div class="split">
				<div
					class="panel form"
					onKeyDownCapture={(event) => {
						if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') || isLost) return;
						const row = event.target instanceof Element ? event.target.closest('tr') : null;
						const named = row?.querySelector<HTMLElement>('[data-item]')?.dataset['item']?.split(' ');
						const list = listNames.find((each) => each === named?.[0]);
						if (list === undefined) return;
						event.preventDefault();
						event.stopPropagation();
						const id = Number(named?.[1]);
						move({ list, id }, event.key === 'ArrowUp' ? -1 : 1, `tr:has([data-item="${list} ${id}"])`);
					}}
				>
					<Field label={text.title} error={titleProblem === undefined ? null : problemText(titleProblem).text}>
						{(ties) => (
							<TextInput
								{...ties}
								value={draft.title}
								disabled={isLost}
								onText={(title) => change({ ...editor.content.value, title })}
							/>
						)}
					</Field>
					{listNames.map((list) => (
						<ItemTable
							key={list}
							list={list}
							draft={draft}
							selected={place}
							disabled={isLost}
							isWrong={(index) => isWrongAt(list, index)}
							onSelect={select}
							onAdd={add}
							onMove={(moved, step) => move(moved, step, `[data-act="${step < 0 ? 'up' : 'down'} ${moved.list} ${moved.id}"]`)}
							onRemove={remove}
						/>
					))}
				</div>
				{place === null || item === undefined ? (
					<p class="panel muted">{text.choose}</p>
				) : (
					<ItemForm
						key={`${place.list} ${place.id}`}
						place={place}
						item={item}
						disabled={isLost}
						problemOf={(field) => said.get(`${place.list}.${draft[place.list].indexOf(item)}.${field}`)}
						onChange={(part) => change(withItem(editor.content.value, place, part))}
						onList={(list) => {
							const [next, moved] = withItemInList(draft, place, list);
							change(next);
							selected.value = moved;
							focusNext.current = `[data-form="${moved.list} ${moved.id}"] > .field:last-child select`;
						}}
					/>
				)}
			</div>
			{theirs !== null && theirs.content !== null && (
				<ConflictDialog
					title={text.conflictTitle}
					text={text.conflictText(theirs.version ?? 0)}
					fields={panelDifferences(editor.base.value.content, theirs.content, draft, {
						title: text.title,
						lists: text.lists,
						order: text.order,
						binding: (each) => bindingWords(each, variables.rows.value),
					})}
					onGoOn={(keys) => editor.goOnWith(mergedPanel(theirs.content, draft, keys), theirs)}
					onTakeTheirs={() => editor.goOnWith(theirs.content, theirs)}
					onClose={editor.closeConflict}
				/>
			)}
		</div>
	);
}

function isFieldPath(path: string): boolean {
	return path === 'title' || /^(pumps|states)\.\d+\./.test(path);
}
