import { useId, useMemo } from 'preact/hooks';
import type { Variable } from '#page/core/definitions.ts';
import { faults } from '#page/core/rank.ts';
import { readingOf } from '#page/core/readings.ts';
import { severityNumbers } from '#page/core/severity.ts';
import { worstOf } from '#page/core/tile-alarm.ts';
import { useStable } from '#page/core/use-stable.ts';
import { alarmMarkLabel } from '#page/i18n/alarm-states.ts';
import { qualityWords } from '#page/i18n/reasons.ts';
import { AlarmMark } from '#page/parts/alarm-mark.tsx';
import { Icon } from '#page/parts/icon.tsx';
import { Tile } from '#page/parts/tile.tsx';
import type { Process } from './model.ts';
import { useOrder } from './use-order.ts';
import { ValueRow } from './value-row.tsx';

interface LaneProps {
	readonly process: Process;
	readonly variables: ReadonlyMap<number, Variable>;
	readonly view: 'tiles' | 'rows';
}

/** A process with its variables, worst first. Nothing moves while the pointer or the focus is in it. */
export function Lane({ process, variables, view }: LaneProps) {
	const heading = useId();
	const alone = useMemo(() => [process], [process]);
	const { ordered, hold } = useOrder(alone);
	const Item = view === 'tiles' ? Tile : ValueRow;
	return (
		<section class="lane" aria-labelledby={heading} {...hold}>
			<LaneHeading process={process} id={heading} />
			<ul>
				{ordered[0]?.ids.map((id) => {
					const variable = variables.get(id);
					return variable === undefined ? null : (
						<li key={id}>
							<Item variable={variable} />
						</li>
					);
				})}
			</ul>
		</section>
	);
}

/** The name of a process, with the numbers of its alarms, of its faults, and of its variables. */
export function LaneHeading({ process, id }: { readonly process: Process; readonly id?: string }) {
	const marks = useStable(
		() => ({
			alarms: (['critical', 'warning', 'info'] as const)
				.map((severity) => {
					const found = process.ids.map(worstOf).filter((alarm) => alarm?.severity === severity);
					const isNew = found.some((alarm) => alarm?.state.endsWith('_unacknowledged') === true);
					return { severity, isNew, count: found.length };
				})
				.filter(({ count }) => count > 0),
			faults: faults
				.map((quality) => ({ quality, count: process.ids.filter((each) => readingOf(each).value?.quality === quality).length }))
				.filter(({ count }) => count > 0),
		}),
		[process],
	).value;
	return (
		<h2 id={id}>
			<span class="lane-name">{process.name}</span>
			<span class="lane-counts">
				{marks.alarms.map(({ severity, isNew, count }) => {
					const state = isNew ? 'active_unacknowledged' : 'active_acknowledged';
					return (
						<span key={severityNumbers[severity]}>
							<AlarmMark severity={severity} state={state} label={alarmMarkLabel(severity, state)} small /> {count}
						</span>
					);
				})}
				{marks.faults.map(({ quality, count }) => (
					<span key={quality} class="quality">
						<Icon name={`q-${quality}`} label={qualityWords()[quality]} /> {count}
					</span>
				))}
				<span>{process.ids.length}</span>
			</span>
		</h2>
	);
}
