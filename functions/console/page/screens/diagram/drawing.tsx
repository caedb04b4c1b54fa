import { useRef } from 'preact/hooks';
import type { Variable } from '#page/core/definitions.ts';
import { trendHrefOf } from '#page/core/route.ts';
import { alarmLook } from '#page/parts/alarm-mark.tsx';
import { classNames } from '#page/parts/class-names.ts';
import { BackgroundImage } from './background-image.tsx';
import { DrawingFoot } from './drawing-foot.tsx';
import { ItemContent, itemReading } from './item-content.tsx';
import { type BoundSymbol, boundSymbolsOf, type DrawnDiagram } from './symbols/drawn-diagram.ts';
import { centredInside } from './symbols/symbol-geometry.ts';
import { diagramText } from './texts.ts';

interface DrawingProps {
	readonly diagram: DrawnDiagram;
	readonly variables: ReadonlyMap<number, Variable>;
	readonly background: string | null;
}

/** A diagram that has only values. They are at their places over the background, and each is a link to its trend. */
export function Drawing({ diagram, variables, background }: DrawingProps) {
	const area = useRef<HTMLElement>(null);
	return (
		<div class="only-wide">
			<section
				ref={area}
				class={classNames('drawing', background === null && 'empty-ground')}
				aria-label={diagramText().drawing(diagram.title)}
			>
				{background !== null && <BackgroundImage svg={background} />}
				{boundSymbolsOf(diagram.groups).map((item) => (
					<DrawnItem key={item.id} item={item} variables={variables} />
				))}
			</section>
			<DrawingFoot title={diagram.title} drawingElement={() => area.current} />
		</div>
	);
}

function DrawnItem({ item, variables }: Pick<DrawingProps, 'variables'> & { readonly item: BoundSymbol }) {
	const reading = itemReading(item, variables.get(item.varId));
	const style = { left: `${item.x * 100}%`, top: `${item.y * 100}%`, translate: centredInside(item) };
	return (
		<a class={classNames('diagram-item', alarmLook(reading.alarm))} style={style} href={trendHrefOf(item.varId)}>
			<ItemContent item={item} variables={variables} reading={reading} />
		</a>
	);
}
