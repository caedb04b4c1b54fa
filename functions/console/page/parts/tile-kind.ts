import type { Variable } from '#page/core/definitions.ts';
import type { Language } from '#page/core/languages.ts';
import { isStateUnit } from '#page/core/shown.ts';
import type { ShapeKind } from './state-shape.tsx';

/** How a variable is shown: as a number, as a state that is on or off, or as a byte of named bits. */
export type TileKind = 'number' | 'state' | 'byte';

/** Returns how a variable is shown. */
export function tileKindOf(variable: Variable): TileKind {
	if (variable.binary_compressed) return 'byte';
	return isStateUnit(variable.unit) ? 'state' : 'number';
}

/** Returns the shape of a state, which the words of the variable's name decide. A name with both words is that of a pump. */
export function shapeOf(name: string): ShapeKind {
	return namedShapes.find(({ pattern }) => pattern.test(name))?.shape ?? 'state';
}

/**
 * The words in names of variables that decide the shape. The words of every language count, whichever language is chosen, so that
 * everybody sees the same shape. `end` is the pattern of what follows the word: a digit may stand right behind `valve`, not behind `pump`.
 * `Pump2` has always been a plain state.
 */
const shapeWords: readonly {
	readonly shape: ShapeKind;
	readonly words: Readonly<Record<Language, string>>;
	readonly end: string;
}[] = [
	{ shape: 'pump', words: { en: 'pump', es: 'bomba' }, end: '\\b' },
	{ shape: 'valve', words: { en: 'valve', es: 'válvula' }, end: '(?!\\p{L})' },
];

const namedShapes = shapeWords.map(({ shape, words, end }) => ({
	shape,
	pattern: new RegExp(`\\b(${Object.values(words).join('|')})${end}`, 'iu'),
}));
