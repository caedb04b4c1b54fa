import { type Signal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import type { DraftEditor } from '#page/core/draft-editor.ts';
import { orderText } from '#page/parts/order-buttons.tsx';
import { useNextFocus } from '#page/parts/use-next-focus.ts';
import {
	type ItemPlace,
	itemAt,
	type ListName,
	listNames,
	type PanelDraft,
	withItemInList,
	withItemMoved,
	withNewItem,
	withoutItem,
} from './panel-draft.ts';

/** The edits of a panel's items. Each edit moves the focus to the place where the person probably continues. */
export interface PanelEdits {
	/** The element that contains all targets of the focus. */
	readonly root: RefObject<HTMLDivElement | null>;
	/** The item whose form is open. */
	readonly selected: Signal<ItemPlace | null>;
	/** A sentence about the last edit, for the status line. */
	readonly announcement: Signal<string>;
	select(place: ItemPlace): void;
	add(list: ListName): void;
	/** Moves an item by one place. `focus` is the selector of the element that then gets the focus. */
	move(place: ItemPlace, step: -1 | 1, focus: string): void;
	moveToList(place: ItemPlace, list: ListName): void;
	remove(place: ItemPlace): void;
	/** Opens the item of the first problem and moves the focus to its field; for an empty panel, to the button that adds a pump. */
	showFirstProblem(): void;
}

/** Creates the edits of the items of a panel's draft. */
export function usePanelEdits(editor: DraftEditor<PanelDraft>): PanelEdits {
	const selected = useSignal<ItemPlace | null>(null);
	const announcement = useSignal('');
	const { root, focusNext } = useNextFocus<HTMLDivElement>();
	const draft = editor.content.value;
	const select = (place: ItemPlace): void => {
		selected.value = place;
		focusNext.current = [`[data-form="${place.list} ${place.id}"] input`];
	};
	return {
		root,
		selected,
		announcement,
		select,
		add: (list) => {
			const [next, place] = withNewItem(draft, list, { name: '', varId: null, bit: null });
			editor.change(next);
			select(place);
		},
		move: (place, step, focus) => {
			const next = withItemMoved(draft, place, step);
			if (next === draft) return;
			editor.change(next);
			focusNext.current = [focus];
			const index = next[place.list].findIndex(({ id }) => id === place.id);
			announcement.value = orderText().moved(next[place.list][index]?.name ?? '', index + 1);
		},
		moveToList: (place, list) => {
			const [next, moved] = withItemInList(draft, place, list);
			editor.change(next);
			selected.value = moved;
			// The last field of the form is the choice of the list.
			focusNext.current = [`[data-form="${moved.list} ${moved.id}"] > .field:last-child select`];
		},
		remove: (place) => {
			const index = draft[place.list].findIndex(({ id }) => id === place.id);
			const next = withoutItem(draft, place);
			announcement.value = orderText().removed(itemAt(draft, place)?.name ?? '');
			editor.change(next);
			if (selected.value?.list === place.list && selected.value.id === place.id) selected.value = null;
			const neighbour = next[place.list][Math.min(index, next[place.list].length - 1)];
			focusNext.current = [
				neighbour === undefined ? `[data-add="${place.list}"]` : `[data-act="remove ${place.list} ${neighbour.id}"]`,
			];
		},
		showFirstProblem: () => {
			const [path = ''] = editor.problems.value.keys();
			const [list, index] = path.split('.');
			const name = listNames.find((each) => each === list);
			const item = name === undefined ? undefined : editor.content.value[name][Number(index)];
			if (name !== undefined && item !== undefined) selected.value = { list: name, id: item.id };
			focusNext.current = [path === 'request' ? '[data-add="pumps"]' : '[aria-invalid=true]'];
		},
	};
}
