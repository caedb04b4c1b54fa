import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Variable } from '#page/core/definitions.ts';
import { VirtualList } from '#page/parts/virtual-list.tsx';
import { LaneHeading } from './lane.tsx';
import { linesOf, type Process } from './model.ts';
import { overviewText } from './texts.ts';
import { useOrder } from './use-order.ts';
import { ValueRow } from './value-row.tsx';

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
			>
				{(line) =>
					line.kind === 'process' ? (
						<LaneHeading process={line.process} />
					) : (
						<div class="plant-line" style={{ gridTemplateColumns: `repeat(${columns.value}, minmax(0, 1fr))` }}>
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
