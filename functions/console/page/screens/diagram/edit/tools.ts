import type { SymbolKind } from '#domain/board/symbol-kinds.ts';

/** The tool decides what a click in the drawing does: it selects, places a symbol of a kind, or draws a pipe. */
export type Tool = 'choose' | SymbolKind | 'pipe';

/** The tools in the order of the palette, each with its key. A test finds each key in the help. */
export const tools: readonly (readonly [tool: Tool, key: string])[] = [
	['choose', 'c'],
	['tank', 't'],
	['filter', 'f'],
	['pump', 'p'],
	['valve', 'v'],
	['source', 's'],
	['network', 'n'],
	['value', 'd'],
	['text', 'x'],
	['frame', 'r'],
	['join', 'j'],
	['pipe', 'l'],
];
