import type { Variable } from '#page/core/definitions.ts';
import { isStateUnit } from '#page/core/shown.ts';
import type { Language } from '#page/i18n/languages.ts';
import type { ShapeKind } from './state-shape.tsx';

/** How a variable is shown: as a number, as a state that is on or off, or as a byte of named bits. */
export type TileKind = 'number' | 'state' | 'byte';

/** Returns how a variable is shown. */
export function tileKindOf(variable: Variable): TileKind {
	if (variable.binary_compressed) return 'byte';
	return isStateUnit(variable.unit) ? 'state' : 'number';
}

/**
 * Words in names of variables that decide the shape. The words of every language count, whichever language is chosen, so that everybody
 * sees the same shape.
 */
const shapeWords: Readonly<Record<Language, { readonly pump: string; readonly valve: string }>> = {
	en: { pump: 'pump', valve: 'valve' },
	es: { pump: 'bomba', valve: 'válvula' },
};

const wordsOf = (shape: 'pump' | 'valve'): string =>
	Object.values(shapeWords)
		.map((words) => words[shape])
		.join('|');

const pumpName = new RegExp(`\\b(${wordsOf('pump')})\\b`, 'i');

const valveName = new RegExp(`\\b(${wordsOf('valve')})(?!\\p{L})`, 'iu');

/** Returns the shape of a state, which the words of the variable's name decide. */
export function shapeOf(name: string): ShapeKind {
	if (pumpName.test(name)) return 'pump';
	return valveName.test(name) ? 'valve' : 'state';
}
