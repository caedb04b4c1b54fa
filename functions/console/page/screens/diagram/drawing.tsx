import { useSignal } from '@preact/signals';
import type { TargetedKeyboardEvent, TargetedPointerEvent } from 'preact';
import { useRef } from 'preact/hooks';
import type { Variable } from '#page/core/definitions.ts';
import { hrefOf } from '#page/core/route.ts';
import { severityClass } from '#page/parts/alarm-mark.tsx';
import { classNames } from '#page/parts/class-names.ts';
import { backgroundAddress } from './background.ts';
import { bigStep, type DiagramDraft, type DraftItem, onDiagram, shiftOf, smallStep } from './diagram-draft.ts';
import { ItemContent, itemReading } from './item-content.tsx';
import { diagramText } from './texts.ts';
import type { DiagramEdits } from './use-diagram-edits.ts';

interface DrawingProps {
	readonly draft: DiagramDraft;
	readonly variables: ReadonlyMap<number, Variable>;
	readonly background: string | null;
	/** How items are edited; null: they are links to their trends. */
	readonly edits: DiagramEdits | null;
}

/** How near to an edge an item is no longer centred on its place, as a share of width and height. */
const edges = { x: 0.1, y: 0.05 };

/** The items at their places over the background. */
export function Drawing({ draft, variables, background, edits }: DrawingProps) {
	const text = diagramText();
	const area = useRef<HTMLElement>(null);
	return (
		<section
			ref={area}
			class={classNames('drawing', 'only-wide', background === null && 'empty-ground')}
			aria-label={text.drawing(draft.title)}
		>
			{background !== null && <img src={backgroundAddress(background)} alt="" draggable={false} />}
			{draft.items.map((item) => (
				<DrawnItem key={item.key} item={item} variable={variables.get(item.varId)} area={area} edits={edits} />
			))}
			{edits !== null && (
				<p class="drawing-keys" aria-hidden="true">
					← ↑ → ↓ {text.move} <b>Shift</b> ×10 <b>Esc</b> {text.putBack}
				</p>
			)}
		</section>
	);
}

interface DrawnItemProps {
	readonly item: DraftItem;
	readonly variable: Variable | undefined;
	readonly area: { readonly current: HTMLElement | null };
	readonly edits: DiagramEdits | null;
}

function DrawnItem({ item, variable, area, edits }: DrawnItemProps) {
	const text = diagramText();
	const reading = itemReading(item, variable);
	/** From the pointer to the item's place, as shares, while it is dragged. */
	const grip = useSignal<{ readonly x: number; readonly y: number } | null>(null);
	const { alarm } = reading;
	const look = classNames(
		'diagram-item',
		alarm !== null && `alarm ${severityClass(alarm.severity)}`,
		alarm?.severity === 'critical' && 'severe',
	);
	const style = {
		left: `${item.x * 100}%`,
		top: `${item.y * 100}%`,
		translate: `${-100 * shiftOf(item.x, edges.x)}% ${-100 * shiftOf(item.y, edges.y)}%`,
	};
	const content = <ItemContent item={item} variable={variable} reading={reading} />;
	if (edits === null)
		return (
			<a class={look} style={style} href={hrefOf('trend', null, { ids: String(item.varId) })}>
				{content}
			</a>
		);
	const placeOf = (event: TargetedPointerEvent<HTMLElement>) => {
		const { left, top, width, height } = area.current?.getBoundingClientRect() ?? { left: 0, top: 0, width: 1, height: 1 };
		return { x: (event.clientX - left) / width, y: (event.clientY - top) / height };
	};
	const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>): void => {
		const step = event.shiftKey ? bigStep : smallStep;
		const steps: Readonly<Record<string, readonly [number, number]>> = {
			ArrowLeft: [-step, 0],
			ArrowRight: [step, 0],
			ArrowUp: [0, -step],
			ArrowDown: [0, step],
		};
		const [dx, dy] = (Object.hasOwn(steps, event.key) ? steps[event.key] : undefined) ?? [];
		if (event.key === 'Escape') edits.putBack(item.key);
		else if (dx === undefined || dy === undefined) return;
		else edits.move(item.key, onDiagram(item.x + dx), onDiagram(item.y + dy));
		event.preventDefault();
	};
	return (
		<button
			type="button"
			class={look}
			style={style}
			aria-pressed={edits.selected?.key === item.key}
			aria-description={text.chipKeys}
			onFocus={() => edits.select(item.key)}
			onClick={() => edits.select(item.key)}
			onKeyDown={onKeyDown}
			onPointerDown={(event) => {
				if (event.button !== 0) return;
				const { x, y } = placeOf(event);
				event.currentTarget.setPointerCapture(event.pointerId);
				event.currentTarget.focus();
				edits.select(item.key);
				grip.value = { x: item.x - x, y: item.y - y };
			}}
			onPointerMove={(event) => {
				if (grip.value === null) return;
				const { x, y } = placeOf(event);
				edits.move(item.key, onDiagram(x + grip.value.x), onDiagram(y + grip.value.y), true);
			}}
			onPointerUp={() => {
				grip.value = null;
				edits.drop();
			}}
			onPointerCancel={() => {
				grip.value = null;
				edits.putBack(item.key);
			}}
		>
			{content}
		</button>
	);
}
