import { useRef } from 'preact/hooks';
import { classNames } from '#page/parts/class-names.ts';
import { BackgroundImage } from '../background-image.tsx';
import { symbolIn } from '../diagram-draft.ts';
import type { DrawnSymbol } from '../symbols/drawn-diagram.ts';
import { nameOf, Scene } from '../symbols/scene.tsx';
import { SymbolContent, symbolLook, symbolStyle } from '../symbols/symbol.tsx';
import { unboundState } from '../symbols/symbol-state.ts';
import { useSymbolState } from '../symbols/use-symbol-state.ts';
import type { EditProps } from './drawing-edits.ts';
import { onDrawingKey } from './drawing-keys.ts';
import { type DrawnDraft, drawnDraftOf } from './drawn-draft.ts';
import { EditingMarks } from './editing-marks.tsx';
import { EmptyDrawing } from './empty-drawing.tsx';
import { symbolName } from './names.ts';
import { editText } from './texts.ts';
import { useDrawingPointer } from './use-drawing-pointer.ts';

/** The drawing while it is edited: by the pointer, and by keys while it has the focus. */
export function EditingArea({ edits, variables }: EditProps) {
	const text = editText();
	const area = useRef<HTMLElement>(null);
	const draft = edits.editor.content.value;
	const drawn = drawnDraftOf(draft);
	const latest = useRef<DrawnDraft>(drawn);
	latest.current = drawn;
	const { band, hover, isDown, ...pointer } = useDrawingPointer(area, edits, latest);
	const { diagram, ids } = drawn;
	const drawEdited = (symbol: DrawnSymbol) => (
		<EditedSymbol
			key={ids.get(symbol.id)}
			id={ids.get(symbol.id) ?? -1}
			symbol={symbol}
			ratio={diagram.ratio}
			edits={edits}
			variables={variables}
			isPointing={() => isDown.peek()}
		/>
	);
	return (
		<div class="drawing-scroll">
			<section
				ref={area}
				role="application"
				// biome-ignore lint/a11y/noNoninteractiveTabindex: an application handles the keys itself, so it takes the focus.
				tabIndex={0}
				class={classNames('drawing process editing', edits.tool.value !== 'choose' && 'placing')}
				style={{ '--ratio': String(diagram.ratio) }}
				aria-label={text.drawing(draft.title)}
				onKeyDown={(event) => onDrawingKey(event, edits)}
				{...pointer}
			>
				{draft.background !== null && <BackgroundImage svg={draft.background} />}
				<Scene diagram={diagram} variables={variables} drawSymbol={drawEdited} drawFrame={drawEdited} />
				<EditingMarks edits={edits} drawn={drawn} band={band} hover={hover} />
				{draft.symbols.length === 0 && <EmptyDrawing edits={edits} variables={variables} />}
			</section>
		</div>
	);
}

interface EditedSymbolProps extends EditProps {
	readonly id: number;
	readonly symbol: DrawnSymbol;
	readonly ratio: number;
	/** Whether the pointer has moved the focus. Then the pointer has already made the selection. */
	readonly isPointing: () => boolean;
}

/** A symbol as a button that chooses it. Of a frame only the title is a button, so that the pointer reaches what is in the frame. */
function EditedSymbol({ id, symbol, ratio, edits, variables, isPointing }: EditedSymbolProps) {
	const state = useSymbolState(symbol.varId, symbol.bit, symbol.kind);
	const draft = edits.editor.content.value;
	const inDraft = symbolIn(draft, id);
	const name = inDraft === null ? '' : symbolName(inDraft, draft, variables);
	const words = nameOf(symbol, variables);
	const isFrame = symbol.kind === 'frame';
	const isMissing = symbol.varId !== null && !variables.has(symbol.varId);
	const isChosen = edits.selected.value.includes(id);
	const look = symbolLook(symbol, isFrame ? unboundState : state);
	const button = (
		<button
			type="button"
			class={isFrame ? 'd-title' : classNames(look, isMissing && 'missing')}
			style={isFrame ? undefined : symbolStyle(symbol, ratio)}
			data-entry={id}
			aria-pressed={isChosen}
			// The words in a symbol are its accessible name. A symbol without words, such as a join, needs a label.
			aria-label={words === '' && !isFrame ? name : undefined}
			aria-description={editText().keys}
			onFocus={() => {
				if (!isPointing() && !edits.isHolding.peek() && edits.tool.peek() === 'choose') edits.choose([id]);
			}}
		>
			{isFrame ? symbol.label || name : <SymbolContent symbol={symbol} name={words} state={state} />}
		</button>
	);
	if (!isFrame) return button;
	return (
		<div class={classNames(look, isChosen && 'chosen')} style={symbolStyle(symbol, ratio)}>
			{button}
		</div>
	);
}
