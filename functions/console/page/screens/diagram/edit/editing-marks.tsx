import type { Signal } from '@preact/signals';
import { type DiagramDraft, pipeIn, symbolIn } from '../diagram-draft.ts';
import { drawingUnits, linePoints } from '../symbols/pipe-geometry.ts';
import { boxOf, formerRatio, type Point, type SymbolBox } from '../symbols/symbol-geometry.ts';
import type { DrawingEdits } from './drawing-edits.ts';
import type { DrawnDraft } from './drawn-draft.ts';
import { placeOfPort, portsOf } from './pipe-edits.ts';
import { type Corner, cornerOf, placedOf, settableSizes } from './symbol-edits.ts';
import type { PointerBand } from './use-drawing-pointer.ts';

interface EditingMarksProps {
	readonly edits: DrawingEdits;
	readonly drawn: DrawnDraft;
	readonly band: Signal<PointerBand | null>;
	readonly hover: Signal<Point | null>;
}

const corners: readonly Corner[] = [
	['left', 'top'],
	['right', 'top'],
	['left', 'bottom'],
	['right', 'bottom'],
];

/** The layer over the drawing while it is edited: the outlines and handles of the selection, the ports, and the pipe that is being drawn. */
export function EditingMarks({ edits, drawn, band, hover }: EditingMarksProps) {
	const draft = edits.editor.content.value;
	const chosen = edits.selected.value;
	const isPiping = edits.tool.value === 'pipe';
	const last = symbolIn(draft, chosen.at(-1));
	const lastAlone = last === null ? [] : [last];
	/** The symbols whose ports are marked: all of them while a pipe is drawn, otherwise the one that was chosen last. */
	const withPorts = isPiping ? draft.symbols : lastAlone;
	return (
		<>
			<Lines edits={edits} drawn={drawn} hover={hover} />
			{chosen.map((id) => (
				<Outline key={id} draft={draft} id={id} />
			))}
			{withPorts.flatMap((symbol) =>
				portsOf(symbol).map((port, index) => {
					const place = placeOfPort(draft, port);
					return place !== null && <Mark key={`${symbol.id} ${port.side}`} of={symbol.id} mark={`port ${index}`} place={place} />;
				}),
			)}
			{!isPiping && last !== null && <SymbolHandles draft={draft} id={last.id} />}
			{chosen.flatMap((id) =>
				(pipeIn(draft, id)?.via ?? []).map((bend, index) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: a bend is told apart by its number.
					<Mark key={`${id} bend ${index}`} of={id} mark={`bend ${index}`} place={bend} />
				)),
			)}
			<BandBox band={band} />
		</>
	);
}

interface MarkProps {
	/** The id of the symbol or pipe. */
	readonly of: number;
	/** The part that the handle moves: `left top`, `port 0`, `bend 1`, `tap`. */
	readonly mark: string;
	readonly place: Point;
}

/** A handle for the pointer. Keys and the form can do everything that it does. */
function Mark({ of, mark, place: [x, y] }: MarkProps) {
	return (
		<span
			class={`edit-mark ${mark}`}
			data-mark={mark}
			data-of={of}
			style={{ left: `${x * 100}%`, top: `${y * 100}%` }}
			aria-hidden="true"
		/>
	);
}

/** The handles of the symbol that was chosen last: the corners of its box, and the end of its leader. */
function SymbolHandles({ draft, id }: { readonly draft: DiagramDraft; readonly id: number }) {
	const symbol = symbolIn(draft, id);
	if (symbol === null) return null;
	return (
		<>
			{settableSizes(symbol.kind).w &&
				corners.map((corner) => (
					<Mark
						key={corner.join()}
						of={id}
						mark={corner.join(' ')}
						place={cornerOf(symbol, corner, draft.ratio ?? formerRatio)}
					/>
				))}
			{symbol.tap !== null && <Mark of={id} mark="tap" place={symbol.tap} />}
		</>
	);
}

/** The box around a chosen symbol. A value, a text and a join have no size that can be set, and get their outline from the style sheet. */
function Outline({ draft, id }: { readonly draft: DiagramDraft; readonly id: number }) {
	const symbol = symbolIn(draft, id);
	if (symbol === null || !settableSizes(symbol.kind).w) return null;
	const { left, top, width, height } = boxOf(placedOf(symbol), draft.ratio ?? formerRatio);
	return <span class="edit-outline" style={boxStyle({ left, top, width, height })} />;
}

/** The chosen pipes, and the one that is being drawn. */
function Lines({ edits, drawn: { diagram, lines }, hover }: Omit<EditingMarksProps, 'band'>) {
	const { ratio } = diagram;
	const draft = edits.editor.content.value;
	const { from, via } = edits.newPipe.value;
	const start = from === null ? null : placeOfPort(draft, from);
	const pointer = hover.value;
	// From its beginning over its bends to the pointer, where that is over the drawing.
	const newLine = start === null ? [] : [start, ...via, ...(pointer === null ? [] : [pointer])];
	return (
		<svg
			class="d-lines edit-lines"
			viewBox={`0 0 ${drawingUnits} ${drawingUnits / ratio}`}
			preserveAspectRatio="none"
			aria-hidden="true"
		>
			{edits.selected.value.map((id) => {
				const points = lines.get(id);
				return points !== undefined && <polyline key={id} class="edit-chosen" points={linePoints(points, ratio)} />;
			})}
			{newLine.length > 0 && <polyline class="edit-new" points={linePoints(newLine, ratio)} />}
			{start !== null && <circle class="edit-start" cx={start[0] * drawingUnits} cy={(start[1] * drawingUnits) / ratio} r="6" />}
		</svg>
	);
}

/** The rectangle that the pointer draws. */
function BandBox({ band }: Pick<EditingMarksProps, 'band'>) {
	if (band.value === null) return null;
	const { from, to } = band.value;
	const [left, top] = [Math.min(from[0], to[0]), Math.min(from[1], to[1])];
	const [width, height] = [Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1])];
	return <span class="edit-band" style={boxStyle({ left, top, width, height })} />;
}

function boxStyle({ left, top, width, height }: SymbolBox) {
	return { left: `${left * 100}%`, top: `${top * 100}%`, width: `${width * 100}%`, height: `${height * 100}%` };
}
