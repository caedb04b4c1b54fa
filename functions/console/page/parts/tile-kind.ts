import type { Variable } from '#page/core/definitions.ts';
import { isStateUnit } from '#page/core/shown.ts';
import type { ShapeKind } from './state-shape.tsx';

/** How a variable is shown: as a number, as a state that is on or off, or as a byte of named bits. */
export type TileKind = 'number' | 'state' | 'byte';

/** Returns how a variable is shown. */
export function tileKindOf(variable: Variable): TileKind {
	if (variable.binary_compressed) return 'byte';
	return isStateUnit(variable.unit) ? 'state' : 'number';
}

/** Returns the shape of a state, by the words of its name. */
export function shapeOf(name: string): ShapeKind {
	if (/\b(pump|bomba)\b/i.test(name)) return 'pump';
	return /\b(valve|válvula)(?!\p{L})/iu.test(name) ? 'valve' : 'state';
}
