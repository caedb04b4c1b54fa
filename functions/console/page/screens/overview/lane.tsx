import { useSignal } from '@preact/signals';
import { useId, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Variable } from '#page/core/definitions.ts';
import { faults, rankOf } from '#page/core/rank.ts';
import { readingOf } from '#page/core/readings.ts';
import { worstAlarmOf } from '#page/core/tile-alarm.ts';
import { useStable } from '#page/core/use-stable.ts';
import { alarmMarkLabel } from '#page/i18n/alarm-states.ts';
import { qualityWords } from '#page/i18n/reasons.ts';
import { AlarmMark } from '#page/parts/alarm-mark.tsx';
import { Icon } from '#page/parts/icon.tsx';
import { Tile } from '#page/parts/tile.tsx';
import { useHold } from '#page/parts/use-hold.ts';
import { VirtualList } from '#page/parts/virtual-list.tsx';
import { countedAlarms, linesOf, orderOf, type Process } from './model.ts';
import { overviewText } from './texts.ts';
import { ValueRow } from './value-row.tsx';

interface LaneProps {
	readonly process: Process;
	readonly variables: ReadonlyMap<number, Variable>;
	readonly view: 'tiles' | 'rows';
}

/** A process with its variables, worst first. Nothing moves while the pointer or the focus is in it. */
export function Lane({ process, variables, view }: LaneProps) {
	const heading = useId();
	const processes = useMemo(() => [process], [process]);
	const { ordered, hold } = useOrder(processes);
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
function LaneHeading({ process, id }: { readonly process: Process; readonly id?: string }) {
	const marks = useStable(
		() => ({
			alarms: countedAlarms(process.ids.map(worstAlarmOf)),
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
				{marks.alarms.map(({ severity, state, count }) => (
					<span key={severity}>
						<AlarmMark severity={severity} state={state} label={alarmMarkLabel(severity, state)} small /> {count}
					</span>
				))}
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

interface PlantListProps {
	readonly processes: readonly Process[];
	readonly variables: ReadonlyMap<number, Variable>;
}

/** The least width of a column, in pixels. */
const columnWidth = 304;

/** The rows of a large plant, in as many columns as fit. Only those near the view are in the page. */
export function PlantList({ processes, variables }: PlantListProps) {
	const box = useRef<HTMLDivElement>(null);
	const columns = useSignal(1);
	useLayoutEffect(() => {
		const { current } = box;
		if (current === null) return;
		const observer = new ResizeObserver(([entry]) => {
			columns.value = Math.max(1, Math.floor((entry?.contentRect.width ?? 0) / columnWidth));
		});
		observer.observe(current);
		return () => observer.disconnect();
	}, []);
	const { ordered, hold } = useOrder(processes);
	return (
		<div ref={box} class="overview-rows plant-list" {...hold}>
			<VirtualList
				label={overviewText().list}
				items={linesOf(ordered, columns.value)}
				keyOf={(line) => (line.kind === 'process' ? `process ${line.process.name}` : line.ids.join())}
				isStop={(line) => line.kind !== 'process'}
			>
				{(line) =>
					line.kind === 'process' ? (
						<LaneHeading process={line.process} />
					) : (
						<div class="plant-line" style={{ '--columns': columns.value }}>
							{line.ids.map((id) => {
								const variable = variables.get(id);
								return variable === undefined ? null : <ValueRow key={id} variable={variable} />;
							})}
						</div>
					)
				}
			</VirtualList>
		</div>
	);
}

/**
 * Follows the order of the variables in processes: worst first. It stays while the pointer or the focus is in the element that gets
 * the properties `hold`.
 */
function useOrder(processes: readonly Process[]) {
	const { isHeld, hold } = useHold();
	const previous = useRef<readonly Process[]>([]);
	const ordered = useStable(
		() =>
			processes.map(({ name, ids }) => ({
				name,
				ids: orderOf(ids, (id) => rankOf(readingOf(id).value?.quality, worstAlarmOf(id)), {
					previous: previous.current.find((each) => each.name === name)?.ids ?? [],
					isHeld: isHeld.value,
				}),
			})),
		[processes],
	).value;
	useLayoutEffect(() => {
		previous.current = ordered;
	}, [ordered]);
	return { ordered, hold };
}
