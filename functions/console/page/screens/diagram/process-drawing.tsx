import { useRef } from 'preact/hooks';
import { now } from '#page/core/clock.ts';
import type { Variable } from '#page/core/definitions.ts';
import { readingOf } from '#page/core/readings.ts';
import { trendHrefOf } from '#page/core/route.ts';
import { shownOf } from '#page/core/shown.ts';
import { formatAge, formatUtc } from '#page/format/time.ts';
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

/** A diagram with its present values. Each bound symbol is a link to its trend. */
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
			<DrawingFoot title={title} drawingElement={() => area.current} />
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
	const look = { class: symbolLook(symbol, state), style: symbolStyle(symbol, ratio) };
	const content = <SymbolContent symbol={symbol} name={nameOf(symbol, variables)} state={state} />;
	const { varId } = symbol;
	if (varId === null) return <div {...look}>{content}</div>;
	// The age changes all the time, so it is written only when the pointer or the focus reaches the symbol.
	const sayAge = ({ currentTarget }: { readonly currentTarget: HTMLElement }): void => {
		currentTarget.title = ageOf(varId);
	};
	return (
		<a {...look} href={trendHrefOf(varId)} onPointerEnter={sayAge} onFocus={sayAge}>
			{content}
			<Outdated />
		</a>
	);
}

/** Returns the age and the time of a variable's newest sample in words; empty without a sample. */
function ageOf(varId: number): string {
	const reading = readingOf(varId).peek();
	const at = reading === undefined ? null : shownOf(reading).at;
	return at === null ? '' : `${formatAge(now.peek() - at)} · ${formatUtc(at)}`;
}
