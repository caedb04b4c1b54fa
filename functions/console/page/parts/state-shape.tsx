import { Icon, type IconName } from './icon.tsx';

/** The kinds of shapes: a pump, a valve, or a plain state that is on or off. */
export type ShapeKind = 'pump' | 'valve' | 'state';

/** `on` is null when the state is unknown. */
interface StateShapeProps {
	readonly kind: ShapeKind;
	readonly on: boolean | null;
}

/** Returns the symbol of a state. Running and stopped, open and closed, on and off differ by their shapes. */
export function shapeIcon(kind: ShapeKind, on: boolean | null): IconName {
	if (on === null) return `${kind}-unknown`;
	if (kind === 'valve') return on ? 'valve-open' : 'valve-closed';
	return on ? `${kind}-on` : `${kind}-off`;
}

/** Draws the shape of a state. A word must stand beside it. */
export function StateShape({ kind, on }: StateShapeProps) {
	return <Icon name={shapeIcon(kind, on)} />;
}

/** The shape of a pump: filled with an arrow when it runs, an outline with a square when it stands still, dashed when its state is unknown. */
export function PumpShape({ on }: Pick<StateShapeProps, 'on'>) {
	return <StateShape kind="pump" on={on} />;
}
