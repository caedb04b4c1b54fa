import { useSignal } from '@preact/signals';
import { type Diagram, variables } from '#page/core/definitions.ts';
import { canWrite } from '#page/core/poll.ts';
import { useReadings } from '#page/core/readings.ts';
import { goTo, hrefOf } from '#page/core/route.ts';
import { useShortcuts } from '#page/core/shortcuts.ts';
import { formatNumber } from '#page/format/number.ts';
import { commonText } from '#page/i18n/common.ts';
import { Banner } from '#page/parts/banner.tsx';
import { EmptyState } from '#page/parts/empty-state.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { BackgroundButton, useBackground } from './background-button.tsx';
import { DeleteDiagramDialog, DiagramConflict } from './diagram-dialogs.tsx';
import { type DiagramDraft, type DraftItem, draftOf, emptyDraft, withItem, withoutItem, withVariable } from './diagram-draft.ts';
import { DiagramHead } from './diagram-head.tsx';
import { DiagramSide } from './diagram-side.tsx';
import { Drawing } from './drawing.tsx';
import { ItemList } from './item-list.tsx';
import { labelOf } from './item-reading.ts';
import { diagramText } from './texts.ts';
import { useDiagramDraft } from './use-diagram-draft.ts';

/** Properties of OpenedDiagram. */
export interface OpenedDiagramProps {
	/** Null: it is new, or there is none. */
	readonly stored: Diagram | null;
	readonly rows: readonly Diagram[];
	readonly isNew: boolean;
}

/** One diagram, to be read and to be edited. */
export function OpenedDiagram({ stored, rows, isNew }: OpenedDiagramProps) {
	const text = diagramText();
	const state = useDiagramDraft(stored);
	const isEditing = useSignal(isNew);
	/** The selected item as it was when it was selected. */
	const selection = useSignal<DraftItem | null>(null);
	const titleError = useSignal<string | null>(null);
	const announced = useSignal('');
	const isDeleting = useSignal(false);
	const known = variables.rows.value ?? new Map();
	const shown = state.draft.value ?? (stored === null ? emptyDraft : draftOf(stored));
	const background = useBackground(shown.id);
	useReadings([...new Set(shown.items.map(({ varId }) => varId))]);
	const selected = shown.items.find(({ key }) => key === selection.value?.key) ?? null;

	const change = (next: DiagramDraft): void => {
		state.draft.value = next;
	};
	const select = (key: number): void => {
		if (selection.value?.key !== key) selection.value = shown.items.find((each) => each.key === key) ?? null;
	};
	const move = (key: number, x: number, y: number): void => {
		const moved = shown.items.find((each) => each.key === key);
		if (moved === undefined) return;
		change(withItem(shown, key, { x, y }));
		announced.value = text.moved(labelOf(moved, known.get(moved.varId)), formatNumber(x, 2), formatNumber(y, 2));
	};
	const add = (varId: number): void => {
		const next = withVariable(shown, varId);
		change(next);
		selection.value = next.items.at(-1) ?? null;
	};
	const remove = (key: number): void => {
		change(withoutItem(shown, key));
		selection.value = null;
		focusContent();
	};
	const save = async (): Promise<void> => {
		titleError.value = shown.title.trim() === '' ? commonText().titleMissing : null;
		if (titleError.value !== null) return;
		const saved = await state.save();
		if (saved === null) return;
		announced.value = text.saved(saved.title);
		background.moveTo(saved.id);
		if (stored !== null || state.draft.value !== null) return;
		goTo(hrefOf('diagram', saved.id), { replace: true });
		focusContent();
	};
	const canSave = state.isChanged && !state.isBusy && canWrite.value.ok;
	useShortcuts([{ key: 'Ctrl+s', label: text.saveDiagram, run: () => canSave && void save() }]);
	const open = (value: string): void => {
		goTo(hrefOf('diagram', value));
		focusContent();
	};
	const deleteNow = async (): Promise<void> => {
		const isGone = await state.remove();
		isDeleting.value = false;
		if (!isGone) return;
		goTo(hrefOf('diagram'), { replace: true });
		focusContent();
	};

	return (
		<>
			<DiagramHead
				stored={stored}
				rows={rows}
				isNew={isNew}
				isEditing={isEditing.value}
				isChanged={state.isChanged}
				isBusy={state.isBusy}
				canSave={canSave}
				background={<BackgroundButton diagram={shown.id} state={background} />}
				onOpen={open}
				onMode={(editing) => {
					isEditing.value = editing;
				}}
				onDelete={() => {
					isDeleting.value = true;
				}}
				onDiscard={state.discard}
				onSave={() => void save()}
			/>
			<div class="sr" role="status">
				{announced.value}
			</div>
			{background.fault.value !== null && <Banner look="error">{background.fault.value}</Banner>}
			{state.failure !== null && state.theirs === null && (
				<Problems
					failure={state.failure}
					fallback={state.failure.status === 412 || state.failure.status === 404 ? text.gone : commonText().notSavedButKept}
				/>
			)}
			{stored === null && !isNew ? (
				<EmptyState icon="i-diagram" title={rows.length === 0 ? text.noDiagrams : text.notFound}>
					{rows.length === 0 && <p>{text.noDiagramsText}</p>}
				</EmptyState>
			) : (
				<div class={isEditing.value ? 'diagram' : 'diagram viewing'}>
					<Drawing
						draft={shown}
						variables={known}
						background={background.svg.value}
						editing={
							isEditing.value
								? {
										selected: selected?.key ?? null,
										onSelect: select,
										onMove: move,
										onPutBack: (key) => {
											const origin = selection.value;
											if (origin?.key === key) move(key, origin.x, origin.y);
										},
									}
								: null
						}
					/>
					<ItemList items={shown.items} variables={known} />
					{isEditing.value && (
						<DiagramSide
							draft={shown}
							variables={known}
							selected={selected}
							titleError={titleError.value}
							onTitle={(title) => change({ ...shown, title })}
							onSelect={select}
							onChange={(key, part) => change(withItem(shown, key, part))}
							onAdd={add}
							onRemove={remove}
						/>
					)}
				</div>
			)}
			{state.theirs !== null && (
				<DiagramConflict
					theirs={state.theirs}
					mine={shown}
					variables={known}
					onTakeTheirs={state.discard}
					onKeepMine={state.keepMine}
				/>
			)}
			{isDeleting.value && (
				<DeleteDiagramDialog
					title={shown.title}
					isBusy={state.isBusy}
					onDelete={() => void deleteNow()}
					onClose={() => {
						isDeleting.value = false;
					}}
				/>
			)}
		</>
	);
}

/** Takes the focus when the button that had it is gone. */
function focusContent(): void {
	document.getElementById('content')?.focus();
}
