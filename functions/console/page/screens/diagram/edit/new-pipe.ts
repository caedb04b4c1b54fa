import { type DiagramDraft, type DraftSymbol, pipeIn, symbolIn } from '../diagram-draft.ts';
import { formerRatio, type Point } from '../symbols/symbol-geometry.ts';
import { diagramText } from '../texts.ts';
import { nearestPort, type PipePort, placeOf, portsOf, symbolAt, withPipe, withPipeEnd } from './pipe-edits.ts';
import { editText } from './texts.ts';
import type { DrawingEdits, NewPipe } from './use-drawing-edits.ts';

/** Begins a pipe at a port, or ends the pipe there if one was begun. */
export function pipeAt(edits: DrawingEdits, port: PipePort): void {
	const { from, via } = edits.newPipe.peek();
	if (from === null) {
		edits.take('pipe');
		edits.choose([]);
		edits.newPipe.value = { from: port, via: [] };
		edits.announcement.value = editText().pipeStarts(diagramText().sides[port.side]);
		return;
	}
	if (!edits.apply('add', (draft) => withPipe(draft, from, port, via))) return;
	edits.take('pipe');
	const drawn = edits.editor.content.peek().pipes.at(-1);
	edits.choose(drawn === undefined ? [] : [drawn.id]);
	edits.announcement.value = editText().added(editText().pipe);
}

/** Begins a pipe at the opening `out` or the right side of a symbol. */
export function pipeFrom(edits: DrawingEdits, symbol: DraftSymbol): void {
	const ports = portsOf(symbol);
	const port = ports.find(({ side }) => side === 'out' || side === 'right');
	edits.take('pipe');
	if (port !== undefined) pipeAt(edits, port);
}

/**
 * Handles Enter on a symbol while a pipe is drawn. It begins or ends the pipe at the symbol. Pressed again, it moves that end to the next
 * port of the symbol.
 */
export function pipeByKey(edits: DrawingEdits, symbol: DraftSymbol): void {
	const draft = edits.editor.content.peek();
	const { from, via } = edits.newPipe.peek();
	/** The pipe that was drawn last, which is still chosen. */
	const drawn = pipeIn(draft, edits.selected.peek().at(-1));
	if (from === null && drawn !== null && symbolAt(draft, drawn.to)?.id === symbol.id) {
		const [, side] = drawn.to;
		const next = portAfter(symbol, side);
		if (next !== null) edits.apply('port', (before) => withPipeEnd(before, drawn.id, 'to', next));
	} else if (from === null) pipeFrom(edits, symbol);
	else if (from.symbol === symbol.id) {
		const next = portAfter(symbol, from.side);
		if (next === null) return;
		edits.newPipe.value = { from: next, via };
		edits.announcement.value = editText().pipeStarts(diagramText().sides[next.side]);
	} else {
		const port = nearestOf(draft, symbol, lastPlace(draft, edits.newPipe.peek()));
		if (port !== null) pipeAt(edits, port);
	}
}

/** Removes the last bend; without bends, the beginning of the pipe. */
export function withoutLastBend({ from, via }: NewPipe): NewPipe {
	return via.length === 0 ? { from: null, via } : { from, via: via.slice(0, -1) };
}

/** Returns the last place of the pipe so far, from which the next bend is drawn; null before it has begun. */
export function lastPlace(draft: DiagramDraft, { from, via }: NewPipe): Point | null {
	return via.at(-1) ?? (from === null ? null : placeOf(draft, from));
}

/** Returns the port that follows that of a side; after the last one the first. */
function portAfter(symbol: DraftSymbol, side: PipePort['side']): PipePort | null {
	const ports = portsOf(symbol);
	return ports[(ports.findIndex((port) => port.side === side) + 1) % ports.length] ?? null;
}

/** Returns the port of a symbol that is nearest to a place: one of its openings, or the middle of a side. */
function nearestOf(draft: DiagramDraft, symbol: DraftSymbol, place: Point | null): PipePort | null {
	// A pipe without a last place comes from the left.
	const nearest = nearestPort(symbol, place ?? [0, symbol.y], draft.ratio ?? formerRatio);
	return nearest === null || symbolIn(draft, nearest.symbol) === null ? null : { ...nearest, at: null };
}
