import type { Variable } from '#page/core/definitions.ts';
import type { DraftSymbol } from '../diagram-draft.ts';

/** Changes the symbol. */
export type SymbolChange = (part: Partial<Omit<DraftSymbol, 'id' | 'key'>>) => void;

/** The properties of the parts of a symbol's form. */
export interface SymbolPartProps {
	readonly symbol: DraftSymbol;
	readonly change: SymbolChange;
	readonly variables: ReadonlyMap<number, Variable>;
}
