import type { ShapeKind } from '#page/parts/state-shape.tsx';
import { shapeOf } from '#page/parts/tile-kind.ts';

/**
 * Returns how a state of the panel is shown. The panel knows pumps and states only, so a state is a valve where its name says so, in
 * any language of the page. Everybody who looks at the panel sees the same then, which a choice kept in one browser could not give.
 */
export function stateKindOf(name: string): ShapeKind {
	return shapeOf(name) === 'valve' ? 'valve' : 'state';
}
