import { stripSegmentsOf } from './strip-segments.ts';

/** Properties of StateStrip: states of even length, oldest first, null where none is known. `label` says it for screen readers. */
export interface StateStripProps {
	readonly states: readonly (boolean | null)[];
	readonly label?: string | undefined;
}

/** On and off over time as blocks; what is unknown is hatched. */
export function StateStrip({ states, label }: StateStripProps) {
	return (
		<span class="strip">
			{label !== undefined && <span class="sr">{label}</span>}
			{stripSegmentsOf(states).map(({ state, from, to }) => (
				<i key={from} class={state} style={{ left: `${from}%`, width: `${to - from}%` }} />
			))}
		</span>
	);
}
