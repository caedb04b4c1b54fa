import type { Schemas } from '#page/core/api.ts';
import type { Diagram } from '#page/core/definitions.ts';
import type { Versioned } from '#page/core/draft-editor.ts';

/** A diagram to save. */
export type DiagramInput = Schemas['DiagramInput'];

/** A value of a diagram that is being edited. */
export interface DraftItem {
	/** Tells the items of a draft apart. */
	readonly key: number;
	readonly varId: number;
	/** The position of a bit; null: the whole value. */
	readonly bit: number | null;
	/** The place as a share of width and height, from the top left. */
	readonly x: number;
	readonly y: number;
	/** Empty: the name of the variable or of its bit. */
	readonly label: string;
	/** How it is drawn, when it is more than a box with its value. */
	readonly symbol: SymbolFields;
}

/** The fields of an item beside its variable, its place and its label. */
type SymbolFields = Omit<DiagramInput['items'][number], 'varId' | 'bit' | 'x' | 'y' | 'label'>;

/** What is drawn beside the items; null: nothing. */
type DrawingFields = Required<Pick<DiagramInput, 'ratio' | 'shapes' | 'pipes' | 'background'>>;

/** A diagram that is being edited. */
export interface DiagramDraft {
	/** 0: it is not stored yet. */
	readonly id: number;
	readonly title: string;
	readonly items: readonly DraftItem[];
	readonly drawing: DrawingFields;
}

/** The most different variables of a diagram (shared/http/README.md#limits). */
export const maxDiagramVariables = 48;

/** The distance that an arrow key moves an item, and with Shift. */
export const smallStep = 0.01;
export const bigStep = 0.1;

/** The draft of a diagram that is not stored yet. */
export const emptyDraft: DiagramDraft = {
	id: 0,
	title: '',
	items: [],
	drawing: { ratio: null, shapes: null, pipes: null, background: null },
};

/** Returns the draft of a stored diagram, with its version. */
export function storedDraftOf({ id, version, title, items, ...drawing }: Diagram): Versioned<DiagramDraft> {
	const { ratio = null, shapes = null, pipes = null, background = null } = drawing;
	const drafts = items.map(({ varId, bit, x, y, label, ...symbol }, key) => ({
		key,
		varId,
		bit: bit ?? null,
		x,
		y,
		label: label ?? '',
		symbol,
	}));
	return { content: { id, title, items: drafts, drawing: { ratio, shapes, pipes, background } }, version };
}

/** Returns the body that saves a draft. Null removes what is stored. */
export function inputOf({ id, title, items, drawing }: DiagramDraft): DiagramInput {
	return {
		id,
		title: title.trim(),
		items: items.map(({ varId, bit, x, y, label, symbol }) => ({
			varId,
			...(bit === null ? {} : { bit }),
			x,
			y,
			...(label.trim() === '' ? {} : { label: label.trim() }),
			...symbol,
		})),
		...drawing,
	};
}

/** Changes one item. */
export function withItem(draft: DiagramDraft, key: number, change: Partial<Omit<DraftItem, 'key'>>): DiagramDraft {
	return { ...draft, items: draft.items.map((item) => (item.key === key ? { ...item, ...change } : item)) };
}

/** Removes one item. */
export function withoutItem(draft: DiagramDraft, key: number): DiagramDraft {
	return { ...draft, items: draft.items.filter((item) => item.key !== key) };
}

/** Adds a variable at the first free place. */
export function withVariable(draft: DiagramDraft, varId: number): DiagramDraft {
	const key = Math.max(-1, ...draft.items.map((item) => item.key)) + 1;
	return { ...draft, items: [...draft.items, { key, varId, bit: null, ...freePlace(draft.items), label: '', symbol: {} }] };
}

/** Returns a place on the diagram: from 0 to 1, in steps of the keyboard. */
export function onDiagram(place: number): number {
	return Math.round(Math.min(1, Math.max(0, place)) / smallStep) / Math.round(1 / smallStep);
}

/** Returns by how much of its own size an item is moved to the left or up, so that it stays within the drawing at its edges. */
export function shiftOf(place: number, edge: number): number {
	if (place < edge) return (place / edge) * 0.5;
	return place > 1 - edge ? 1 - ((1 - place) / edge) * 0.5 : 0.5;
}

/** Places are tried from the middle downwards, and then from the top. */
function freePlace(items: readonly DraftItem[]): Pick<DraftItem, 'x' | 'y'> {
	const columns = [0.5, 0.3, 0.7, 0.1, 0.9];
	const rows = [0.5, 0.6, 0.7, 0.8, 0.9, 0.1, 0.2, 0.3, 0.4];
	const places = columns.flatMap((x) => rows.map((y) => ({ x, y })));
	const isFree = ({ x, y }: Pick<DraftItem, 'x' | 'y'>): boolean =>
		items.every((item) => Math.abs(item.x - x) >= 0.15 || Math.abs(item.y - y) >= 0.08);
	return places.find(isFree) ?? { x: 0.5, y: 0.5 };
}
