import { diagramItemKinds, type SymbolKind } from '#domain/board/symbol-kinds.ts';
import type { Schemas } from '#page/core/api.ts';
import type { Diagram } from '#page/core/definitions.ts';
import type { Versioned } from '#page/core/draft-editor.ts';
import { type PipeEnd, pipeOf } from './symbols/pipe-geometry.ts';
import { newRatio, type Point, pointOf, type Turn, type WordsSide } from './symbols/symbol-geometry.ts';

/** A diagram to save. */
export type DiagramInput = Schemas['DiagramInput'];

/** A symbol of a diagram that is being edited. A missing property is null. */
export interface DraftSymbol {
	/** Identifies the symbol. It is unique among the symbols and pipes of a draft. */
	readonly id: number;
	readonly kind: SymbolKind;
	/** The variable; null if the symbol is not bound. */
	readonly varId: number | null;
	/** The position of a bit; null for the whole value. */
	readonly bit: number | null;
	/** The centre as a share of width and height, from the top left. */
	readonly x: number;
	readonly y: number;
	/** The size as shares of width and height; null for that of its kind. */
	readonly w: number | null;
	readonly h: number | null;
	readonly turn: Turn;
	/** The values at which a tank is empty and full. */
	readonly scale: readonly [empty: number, full: number] | null;
	/** The end of a value's leader, which is the line to what the value measures. */
	readonly tap: Point | null;
	/** The side of its words; null for the usual side of its kind. */
	readonly words: WordsSide | null;
	/** Empty if the symbol is labelled with the name of its variable or bit. */
	readonly label: string;
	/** The key by which the ends of pipes refer to the symbol; null if no pipe does. */
	readonly key: string | null;
}

/** A pipe of a diagram that is being edited. */
export interface DraftPipe {
	readonly id: number;
	readonly from: PipeEnd;
	readonly to: PipeEnd;
	/** Its bends, from the first end to the last. */
	readonly via: readonly Point[];
	/** The variable that says whether water flows; null if the pipe has none. */
	readonly varId: number | null;
	readonly bit: number | null;
	/** Water flows forward if the value is above this, and backward if it is below its negative. */
	readonly over: number;
	readonly isThin: boolean;
}

/** A diagram that is being edited. */
export interface DiagramDraft {
	/** 0 if the diagram is not stored yet. */
	readonly id: number;
	readonly title: string;
	/** Width divided by height. Null for a diagram of an earlier release, in which all diagrams had `formerRatio`. */
	readonly ratio: number | null;
	/** Symbols with a variable are stored as items, the others as shapes. */
	readonly symbols: readonly DraftSymbol[];
	readonly pipes: readonly DraftPipe[];
	/** An SVG below everything; null without one. */
	readonly background: string | null;
}

/** The angles by which a symbol can be turned, in degrees. */
export const turns = [0, 90, 180, 270] as const;

/** The properties of a symbol for which only its kind and place are known. */
export const bareSymbol: Omit<DraftSymbol, 'id' | 'kind' | 'x' | 'y'> = {
	varId: null,
	bit: null,
	w: null,
	h: null,
	turn: 0,
	scale: null,
	tap: null,
	words: null,
	label: '',
	key: null,
};

/** The draft of a diagram that is not stored yet. */
export const emptyDraft: DiagramDraft = { id: 0, title: '', ratio: newRatio, symbols: [], pipes: [], background: null };

/** Returns the draft of a stored diagram, with its version. */
export function storedDraftOf(diagram: Diagram): Versioned<DiagramDraft> {
	const { id, version, title, ratio, items, shapes, pipes, background } = diagram;
	const symbols = [
		...items.map(boundSymbolOf),
		...(shapes ?? []).map((shape, index) => unboundSymbolOf(shape, items.length + index)),
	];
	return {
		content: {
			id,
			title,
			ratio: ratio ?? null,
			symbols,
			pipes: (pipes ?? []).map((pipe, index) => pipeOf(pipe, symbols.length + index)).filter((pipe) => pipe !== null),
			background: background ?? null,
		},
		version,
	};
}

/**
 * Returns the body that saves a draft. Empty lists are null: an absent field would keep its stored value. A value without a variable and a
 * text without words are left out.
 */
export function inputOf({ id, title, ratio, symbols, pipes, background }: DiagramDraft): DiagramInput {
	const shapes = symbols.map(storedShapeOf).filter((shape) => shape !== null);
	return {
		id,
		title: title.trim(),
		ratio,
		items: symbols.map(storedItemOf).filter((item) => item !== null),
		shapes: shapes.length === 0 ? null : shapes,
		pipes: pipes.length === 0 ? null : pipes.map(storedPipeOf),
		background,
	};
}

/** Returns a draft's symbol by its id. */
export function symbolIn({ symbols }: Pick<DiagramDraft, 'symbols'>, id: number | undefined): DraftSymbol | null {
	return symbols.find((symbol) => symbol.id === id) ?? null;
}

/** Returns a draft's pipe by its id. */
export function pipeIn({ pipes }: Pick<DiagramDraft, 'pipes'>, id: number | undefined): DraftPipe | null {
	return pipes.find((pipe) => pipe.id === id) ?? null;
}

/** Returns a key that is not used: `t1`, `p2`. */
export function freshKey(kind: SymbolKind, used: ReadonlySet<string>): string {
	for (let number = 1; ; number += 1) {
		const key = `${kind.slice(0, 1)}${number}`;
		if (!used.has(key)) return key;
	}
}

/** Returns a pipe whose ends refer to the new keys of their symbols. A key that has no new one stays. */
export function atKeys(pipe: DraftPipe, newKeys: ReadonlyMap<string, string>): DraftPipe {
	const atKey = ([key, ...port]: PipeEnd): PipeEnd => [newKeys.get(key) ?? key, ...port];
	return { ...pipe, from: atKey(pipe.from), to: atKey(pipe.to) };
}

/** Returns the symbol of an item or a shape, without its variable. */
function unboundSymbolOf(stored: Diagram['items'][number] | NonNullable<Diagram['shapes']>[number], id: number): DraftSymbol {
	const { kind, x, y, w, h, turn, scale, words, label, key } = stored;
	return {
		id,
		kind: kind ?? 'value',
		varId: null,
		bit: null,
		x,
		y,
		w: w ?? null,
		h: h ?? null,
		turn: turns.find((each) => each === turn) ?? 0,
		scale: pointOf(scale),
		tap: null,
		words: words ?? null,
		label: label ?? '',
		key: key ?? null,
	};
}

/** Returns the symbol of an item, which has a variable. */
function boundSymbolOf(item: Diagram['items'][number], id: number): DraftSymbol {
	return { ...unboundSymbolOf(item, id), varId: item.varId, bit: item.bit ?? null, tap: pointOf(item.tap) };
}

/** Returns the item that stores a symbol; null where it is stored as a shape, or has nothing to show. */
function storedItemOf({ varId, bit, kind, tap, ...symbol }: DraftSymbol): DiagramInput['items'][number] | null {
	if (varId === null || !isItemKind(kind)) return null;
	return {
		...bindingOf(varId, bit),
		// An item without a kind is a value.
		...(kind === 'value' ? {} : { kind }),
		...storedFieldsOf(symbol),
		...(tap === null ? {} : { tap: [...tap] }),
	};
}

/** Returns the shape that stores a symbol; null where the symbol is stored as an item, or has nothing to show. */
function storedShapeOf({ varId, kind, ...symbol }: DraftSymbol): NonNullable<DiagramInput['shapes']>[number] | null {
	if (varId !== null || kind === 'value' || (kind === 'text' && symbol.label.trim() === '')) return null;
	return { kind, ...storedFieldsOf(symbol) };
}

/** Returns the fields that items and shapes have in common. Those that say nothing are left out. */
function storedFieldsOf({
	x,
	y,
	w,
	h,
	turn,
	scale,
	words,
	label,
	key,
}: Omit<DraftSymbol, 'id' | 'kind' | 'varId' | 'bit' | 'tap'>) {
	return {
		x,
		y,
		...(w === null ? {} : { w }),
		...(h === null ? {} : { h }),
		...(turn === 0 ? {} : { turn }),
		...(scale === null ? {} : { scale: [...scale] }),
		...(words === null ? {} : { words }),
		...(label.trim() === '' ? {} : { label: label.trim() }),
		...(key === null ? {} : { key }),
	};
}

function storedPipeOf({ from, to, via, varId, bit, over, isThin }: DraftPipe): NonNullable<DiagramInput['pipes']>[number] {
	return {
		from: storedEndOf(from),
		to: storedEndOf(to),
		...(via.length === 0 ? {} : { via: via.map((bend) => [...bend]) }),
		...(varId === null ? {} : { ...bindingOf(varId, bit), ...(over === 0 ? {} : { over }) }),
		...(isThin ? { thin: true } : {}),
	};
}

function storedEndOf([key, side, at]: PipeEnd): (string | number)[] {
	return at === undefined ? [key, side] : [key, side, at];
}

function bindingOf(varId: number, bit: number | null) {
	return { varId, ...(bit === null ? {} : { bit }) };
}

function isItemKind(kind: SymbolKind): kind is (typeof diagramItemKinds)[number] {
	return diagramItemKinds.some((each) => each === kind);
}
