// These rules are apart from the schemas, so that an editor can use them without loading the parsers.

/** The kinds of symbols that show a variable. */
export const diagramItemKinds = ['value', 'tank', 'pump', 'valve', 'filter'] as const;

/** The kinds of symbols that are drawn without a variable. */
export const shapeKinds = ['tank', 'pump', 'valve', 'filter', 'source', 'network', 'text', 'frame', 'join'] as const;

/** A kind of symbol. */
export type SymbolKind = (typeof diagramItemKinds)[number] | (typeof shapeKinds)[number];

/** The fields that only some kinds have. */
export const kindFields = ['label', 'key', 'w', 'h', 'turn', 'scale', 'words', 'tap'] as const;

/** A field that only some kinds have. */
export type KindField = (typeof kindFields)[number];

/** Where a pipe can begin or end at a symbol. */
export const sides = ['left', 'right', 'top', 'bottom', 'in', 'out'] as const;

/** A side of a symbol. */
export type Side = (typeof sides)[number];

/** The rules of a kind of symbol. */
export interface SymbolKindRules {
	readonly required: readonly KindField[];
	readonly optional: readonly KindField[];
	/** The sides at which pipes begin and end; none: a pipe cannot end there. */
	readonly sides: readonly Side[];
	/** Whether a pipe can end anywhere along a side. `in` and `out` are points. */
	readonly hasPlacesAlongSides: boolean;
}

const edges = ['left', 'right', 'top', 'bottom'] as const;

/** The fields and the ports of each kind (shared/domain/board/DIAGRAM.md#kinds). */
export const symbolKinds: Readonly<Record<SymbolKind, SymbolKindRules>> = {
	value: { required: [], optional: ['label', 'tap'], sides: [], hasPlacesAlongSides: false },
	tank: { required: ['w', 'h'], optional: ['label', 'key', 'scale', 'words'], sides: edges, hasPlacesAlongSides: true },
	pump: { required: ['w'], optional: ['label', 'key', 'turn', 'words'], sides, hasPlacesAlongSides: true },
	valve: { required: ['w'], optional: ['label', 'key', 'turn', 'words'], sides, hasPlacesAlongSides: true },
	filter: { required: ['w', 'h'], optional: ['label', 'key', 'words'], sides: edges, hasPlacesAlongSides: true },
	source: { required: ['w', 'h'], optional: ['label', 'key', 'words'], sides: edges, hasPlacesAlongSides: true },
	network: { required: ['w'], optional: ['label', 'key', 'words'], sides: edges, hasPlacesAlongSides: true },
	text: { required: ['label'], optional: [], sides: [], hasPlacesAlongSides: false },
	frame: { required: ['w', 'h'], optional: ['label'], sides: [], hasPlacesAlongSides: false },
	join: { required: [], optional: ['key'], sides: edges, hasPlacesAlongSides: false },
};

/** Most bends of a pipe. */
export const maxBends = 20;

/** The largest background of a diagram, in bytes of UTF-8. */
export const maxBackgroundBytes = 200_000;
