import type { Variable } from '#page/core/definitions.ts';
import type { ShapeKind } from '#page/parts/state-shape.tsx';
import { shapeOf, tileKindOf } from '#page/parts/tile-kind.ts';

/**
 * Returns how a state of the panel is drawn. The panel stores pumps and states only, so a state is drawn as a valve where its name says so,
 * in any language of the page. By the name, everybody sees the same. A measurement, such as a level before a valve, is no valve: it is
 * neither open nor closed.
 * @param variable the variable of the state; undefined where it is not known
 */
export function stateKindOf(name: string, variable: Variable | undefined): ShapeKind {
	const isMeasured = variable !== undefined && tileKindOf(variable) === 'number';
	return shapeOf(name) === 'valve' && !isMeasured ? 'valve' : 'state';
}
