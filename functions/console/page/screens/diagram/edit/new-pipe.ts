import { type DiagramDraft, type DraftSymbol, pipeIn, symbolIn } from '../diagram-draft.ts';
import { formerRatio, type Point } from '../symbols/symbol-geometry.ts';
import { diagramText } from '../texts.ts';
import { drawingActions } from './drawing-actions.ts';
import type { EditSteps, NewPipe } from './drawing-edits.ts';
import { nearestPort, type PipePort, placeOfPort, portsOf, symbolAt, withPipe, withPipeEnd } from './pipe-edits.ts';
import { editText } from './texts.ts';

/** Returns the acts that draw a pipe. */
export function pipeActsOf({ editor, selected, newPipe, announcement, choose, take, apply }: EditSteps) {
	const beginAt = (port: PipePort, via: NewPipe['via']): void => {
		newPipe.value = { from: port, via };
		announcement.value = editText().pipeStarts(diagramText().sides[port.side]);
	};
	const pipeAt = (port: PipePort): void => {
		const { from, via } = newPipe.peek();
		if (from === null) {
			take('pipe');
			choose([]);
			beginAt(port, []);
			return;
		}
		if (!apply('add', (draft) => withPipe(draft, from, port, via))) return;
		take('pipe');
		const drawn = editor.content.peek().pipes.at(-1);
		choose(drawn === undefined ? [] : [drawn.id]);
		announcement.value = editText().added(drawingActions.pipe.label());
	};
	const pipeFrom = (symbol: DraftSymbol): void => {
		const port = portsOf(symbol).find(({ side }) => side === 'out' || side === 'right');
		take('pipe');
		if (port !== undefined) pipeAt(port);
	};
	const pipeByKey = (symbol: DraftSymbol): void => {
		const draft = editor.content.peek();
		const { from, via } = newPipe.peek();
		/** The pipe that was drawn last, which is still chosen. */
		const drawn = pipeIn(draft, selected.peek().at(-1));
		if (from === null && drawn !== null && symbolAt(draft, drawn.to)?.id === symbol.id) {
			const [, side] = drawn.to;
			const next = portAfter(symbol, side);
			if (next !== null) apply('port', (before) => withPipeEnd(before, drawn.id, 'to', next));
		} else if (from === null) pipeFrom(symbol);
		else if (from.symbol === symbol.id) {
			const next = portAfter(symbol, from.side);
			if (next !== null) beginAt(next, via);
		} else {
			const port = nearestMainPort(draft, symbol, lastPlace(draft, newPipe.peek()));
			if (port !== null) pipeAt(port);
		}
	};
	const dropLastBend = (): void => {
		const { from, via } = newPipe.peek();
		newPipe.value = via.length === 0 ? { from: null, via } : { from, via: via.slice(0, -1) };
	};
	return { pipeAt, pipeFrom, pipeByKey, dropLastBend };
}

/** Returns the last place of the pipe so far, from which the next bend is drawn; null before it has begun. */
export function lastPlace(draft: DiagramDraft, { from, via }: NewPipe): Point | null {
	return via.at(-1) ?? (from === null ? null : placeOfPort(draft, from));
}

/** Returns the port that follows that of a side; after the last one the first. */
function portAfter(symbol: DraftSymbol, side: PipePort['side']): PipePort | null {
	const ports = portsOf(symbol);
	return ports[(ports.findIndex((port) => port.side === side) + 1) % ports.length] ?? null;
}

/** Returns the port of a symbol that is nearest to a place: one of its openings, or the middle of a side. */
function nearestMainPort(draft: DiagramDraft, symbol: DraftSymbol, place: Point | null): PipePort | null {
	// A pipe without a last place comes from the left.
	const nearest = nearestPort(symbol, place ?? [0, symbol.y], draft.ratio ?? formerRatio);
	return nearest === null || symbolIn(draft, nearest.symbol) === null ? null : { ...nearest, at: null };
}
