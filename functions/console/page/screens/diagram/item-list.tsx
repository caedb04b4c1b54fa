import type { Variable } from '#page/core/definitions.ts';
import { trendHrefOf } from '#page/core/route.ts';
import { alarmLook } from '#page/parts/alarm-mark.tsx';
import { classNames } from '#page/parts/class-names.ts';
import { ItemContent, itemReading } from './item-content.tsx';
import { boundSymbolsOf, type DrawnDiagram } from './symbols/drawn-diagram.ts';
import { diagramText } from './texts.ts';

interface ItemListProps {
	readonly diagram: DrawnDiagram;
	readonly variables: ReadonlyMap<number, Variable>;
}

/** The values of a diagram as a list, for narrow windows in which a drawing would be too small to read. */
export function ItemList({ diagram, variables }: ItemListProps) {
	return (
		<ul class="only-narrow stack" aria-label={diagramText().values}>
			{boundSymbolsOf(diagram.groups).map((item) => {
				const reading = itemReading(item, variables.get(item.varId));
				return (
					<li key={item.id}>
						<a class={classNames('diagram-item listed', alarmLook(reading.alarm))} href={trendHrefOf(item.varId)}>
							<ItemContent item={item} variables={variables} reading={reading} />
						</a>
					</li>
				);
			})}
		</ul>
	);
}
