import { useRef } from 'preact/hooks';
import type { Variable } from '#page/core/definitions.ts';
import { hrefOf } from '#page/core/route.ts';
import { Outdated } from '#page/parts/live.tsx';
import { BackgroundImage } from './background-image.tsx';
import { DrawingFoot } from './drawing-foot.tsx';
import type { DrawnDiagram, DrawnSymbol } from './symbols/drawn-diagram.ts';
import { nameOf, Scene } from './symbols/scene.tsx';
import { SymbolContent, symbolLook, symbolStyle } from './symbols/symbol.tsx';
import { useSymbolState } from './symbols/use-symbol-state.ts';
import { diagramText } from './texts.ts';

interface ProcessDrawingProps {
	readonly diagram: DrawnDiagram;
	readonly variables: ReadonlyMap<number, Variable>;
	readonly background: string | null;
}

/** A diagram with its values of now. Each symbol that is bound leads to its trend. */
export function ProcessDrawing({ diagram, variables, background }: ProcessDrawingProps) {
	const { ratio, title } = diagram;
	const area = useRef<HTMLElement>(null);
	return (
		<>
			<div class="drawing-scroll">
				<section
					ref={area}
					class="drawing process"
					style={{ '--ratio': String(ratio) }}
					aria-label={diagramText().drawing(title)}
				>
					{background !== null && <BackgroundImage svg={background} />}
					<Scene
						diagram={diagram}
						variables={variables}
						drawSymbol={(symbol) => <LinkedSymbol key={symbol.id} symbol={symbol} ratio={ratio} variables={variables} />}
					/>
				</section>
			</div>
			<DrawingFoot title={title} drawing={() => area.current} />
		</>
	);
}

interface LinkedSymbolProps {
	readonly symbol: DrawnSymbol;
	readonly ratio: number;
	readonly variables: ReadonlyMap<number, Variable>;
}

function LinkedSymbol({ symbol, ratio, variables }: LinkedSymbolProps) {
	const state = useSymbolState(symbol.varId, symbol.bit, symbol.kind);
	const place = { class: symbolLook(symbol, state), style: symbolStyle(symbol, ratio) };
	const content = <SymbolContent symbol={symbol} name={nameOf(symbol, variables)} state={state} />;
	if (symbol.varId === null) return <div {...place}>{content}</div>;
	return (
		<a {...place} href={hrefOf('trend', null, { ids: String(symbol.varId) })}>
			{content}
			<Outdated />
		</a>
	);
}
