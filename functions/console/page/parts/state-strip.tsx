import { stripSegmentsOf } from './strip-segments.ts';

/** Properties of StateStrip: states of even length, oldest first, null where none is known. */
export interface StateStripProps {
	readonly states: readonly (boolean | null)[];
}

/** On and off over time as blocks; what is unknown is hatched. */
export function StateStrip({ states }: StateStripProps) {
	return (
		<span class="strip">
			{stripSegmentsOf(states).map(({ state, from, to }) => (
				<i key={from} class={state} style={{ left: `${from}%`, width: `${to - from}%` }} />
			))}
		</span>
	);
}
