import type { ComponentChildren } from 'preact';
import { classNames } from '#page/parts/class-names.ts';
import { drawingUnits, linePoints, markOf, type PipeMark } from './pipe-geometry.ts';
import { HatchPattern } from './symbol-art.tsx';
import type { Point } from './symbol-geometry.ts';
import type { PipeFlow } from './symbol-state.ts';

/** The layer of all lines, below the symbols. Its content is in units of the drawing. */
export function PipeLayer({ ratio, children }: { readonly ratio: number; readonly children: ComponentChildren }) {
	return (
		<svg class="d-lines" viewBox={`0 0 ${drawingUnits} ${drawingUnits / ratio}`} preserveAspectRatio="none" aria-hidden="true">
			<defs>
				<HatchPattern />
			</defs>
			{children}
		</svg>
	);
}

interface PipeProps {
	readonly points: readonly Point[];
	readonly ratio: number;
	readonly flow: PipeFlow;
	/** Whether the pipe is a small one, such as for dosing. It is drawn thinner than others. */
	readonly isThin: boolean;
	/** The words that the pointer shows; empty for none. */
	readonly title: string;
}

/**
 * Draws a pipe. With flow it is thick with one arrow, and without flow it is thin with a bar. If the flow is not known, it has a violet
 * question mark. Nothing is animated.
 */
export function Pipe({ points, ratio, flow, isThin, title }: PipeProps) {
	const flows = flow === 'forward' || flow === 'backward';
	const mark = flow === 'bare' ? null : markOf(points, ratio);
	return (
		<g class={classNames('d-pipe', flows && 'flows', isThin && 'thin')} data-flow={flow}>
			{title !== '' && <title>{title}</title>}
			<polyline points={linePoints(points, ratio)} />
			{mark !== null && <FlowMark mark={mark} flow={flow} isThin={isThin} />}
		</g>
	);
}

/** Draws the leader of a value: a hairline to what the value measures, with a dot at the end. */
export function Leader({ points, ratio }: Pick<PipeProps, 'points' | 'ratio'>) {
	const end = points.at(-1);
	return (
		<g class="d-leader">
			<polyline points={linePoints(points, ratio)} />
			{end !== undefined && <circle cx={end[0] * drawingUnits} cy={(end[1] * drawingUnits) / ratio} r="2.2" />}
		</g>
	);
}

/** The mark of a flow in the middle of a pipe. Its paths are in units of the drawing, around the place of the mark. */
function FlowMark({ mark: { x, y, angle }, flow, isThin }: { readonly mark: PipeMark } & Pick<PipeProps, 'flow' | 'isThin'>) {
	switch (flow) {
		case 'forward':
		case 'backward': {
			const turn = flow === 'forward' ? angle : angle + 180;
			const smaller = isThin ? ' scale(0.75)' : '';
			return <path class="d-arrow" transform={`translate(${x} ${y}) rotate(${turn})${smaller}`} d="M-5-5.2L6 0-5 5.2z" />;
		}
		case 'still':
			return <path class="d-still" transform={`translate(${x} ${y}) rotate(${angle})`} d="M0-5V5" />;
		case 'unknown':
			return (
				<g class="d-unknown" transform={`translate(${x} ${y})`}>
					<circle r="8" />
					<use href="#q-uncertain" x="-7" y="-7" width="14" height="14" />
				</g>
			);
		case 'bare':
			return null;
	}
}
