import { signal, useSignal } from '@preact/signals';
import type { Variable } from '#page/core/definitions.ts';
import { Button } from '#page/parts/button.tsx';
import { ProcessDrawing } from './process-drawing.tsx';
import { ProcessList } from './process-list.tsx';
import type { DrawnDiagram, DrawnSymbol } from './symbols/drawn-diagram.ts';
import { Scene } from './symbols/scene.tsx';
import { MapSymbol, symbolLook, symbolStyle } from './symbols/symbol.tsx';
import { useSymbolState } from './symbols/use-symbol-state.ts';
import { diagramText } from './texts.ts';

interface ProcessViewProps {
	readonly diagram: DrawnDiagram;
	readonly variables: ReadonlyMap<number, Variable>;
	readonly background: string | null;
}

const narrowScreen = matchMedia('screen and (max-width: 900px)');

/** Whether the window is too narrow for a drawing. Paper always is wide enough. */
const isNarrow = signal(narrowScreen.matches);
narrowScreen.addEventListener('change', ({ matches }) => {
	isNarrow.value = matches;
});

/**
 * Shows a diagram as a drawing. A narrow window shows a map above a list by frames instead; the map opens the drawing in a box that
 * scrolls.
 */
export function ProcessView(props: ProcessViewProps) {
	const text = diagramText();
	const showsDrawing = useSignal(false);
	if (!isNarrow.value) return <ProcessDrawing {...props} />;
	return (
		<div class="process-narrow">
			{showsDrawing.value ? (
				<ProcessDrawing {...props} />
			) : (
				<div class="drawing process d-map" style={{ '--ratio': String(props.diagram.ratio) }} aria-hidden="true">
					<Scene
						diagram={props.diagram}
						variables={props.variables}
						drawSymbol={(symbol) => <SymbolOnMap key={symbol.id} symbol={symbol} ratio={props.diagram.ratio} />}
						hasWords={false}
					/>
				</div>
			)}
			<Button
				onClick={() => {
					showsDrawing.value = !showsDrawing.value;
				}}
			>
				{showsDrawing.value ? text.showMap : text.enlarge}
			</Button>
			<ProcessList diagram={props.diagram} variables={props.variables} />
		</div>
	);
}

function SymbolOnMap({ symbol, ratio }: { readonly symbol: DrawnSymbol; readonly ratio: number }) {
	const state = useSymbolState(symbol.varId, symbol.bit, symbol.kind);
	return (
		<div class={symbolLook(symbol, state)} style={symbolStyle(symbol, ratio)}>
			<MapSymbol symbol={symbol} state={state} />
		</div>
	);
}
