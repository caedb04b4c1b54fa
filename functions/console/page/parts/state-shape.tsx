import { Icon, type IconName } from './icon.tsx';

/** What the plant shows: a pump, a valve, or a state that is on or off. */
export type ShapeKind = 'pump' | 'valve' | 'state';

/** Properties of StateShape. `on` is null when the state is unknown. */
export interface StateShapeProps {
	readonly kind: ShapeKind;
	readonly on: boolean | null;
	readonly label?: string | undefined;
	readonly class?: string | undefined;
}

/** The symbol of a state. Running and stopped, open and closed, on and off differ by their shapes. */
export function shapeIcon(kind: ShapeKind, on: boolean | null): IconName {
	if (on === null) return `${kind}-unknown`;
	if (kind === 'valve') return on ? 'valve-open' : 'valve-closed';
	return on ? `${kind}-on` : `${kind}-off`;
}

/** Draws the shape of a state; its word stands beside it. */
export function StateShape({ kind, on, label, class: extra }: StateShapeProps) {
	return <Icon name={shapeIcon(kind, on)} label={label} class={extra} />;
}

/** The shape of a pump: filled with an arrow runs, an outline with a square stands still, dashed is unknown. */
export function PumpShape(props: Omit<StateShapeProps, 'kind'>) {
	return <StateShape kind="pump" {...props} />;
}

/** The shape of a valve: an outline is open, filled is closed, dashed is unknown. */
export function ValveShape(props: Omit<StateShapeProps, 'kind'>) {
	return <StateShape kind="valve" {...props} />;
}
