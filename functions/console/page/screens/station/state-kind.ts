import type { Variable } from '#page/core/definitions.ts';
import type { ShapeKind } from '#page/parts/state-shape.tsx';
import { shapeOf, tileKindOf } from '#page/parts/tile-kind.ts';

/**
 * Returns the shape with which a state of the panel is drawn. The panel stores only pumps and states, so a state is drawn as a valve if
 * its name says so, in any language of the page. So everybody sees the same shape. A measurement, such as a level before a valve, is
 * never drawn as a valve: it is neither open nor closed.
 * @param variable the variable of the state; undefined when it is not known
 */
export function stateKindOf(name: string, variable: Variable | undefined): ShapeKind {
	const isMeasured = variable !== undefined && tileKindOf(variable) === 'number';
	return shapeOf(name) === 'valve' && !isMeasured ? 'valve' : 'state';
}
