import type { ComponentChildren } from 'preact';
import type { Variable } from '#page/core/definitions.ts';
import { bitsOf } from '#page/core/variable-kind.ts';
import { diagramText } from '../texts.ts';
import type { DrawnDiagram, DrawnPipe, DrawnSymbol } from './drawn-diagram.ts';
import { Leader, Pipe, PipeLayer } from './pipe.tsx';
import { leaderPoints, pipePoints } from './pipe-geometry.ts';
import { symbolLook, symbolStyle } from './symbol.tsx';
import { unboundState } from './symbol-state.ts';
import { usePipeFlow } from './use-symbol-state.ts';

interface SceneProps {
	readonly diagram: DrawnDiagram;
	readonly variables: ReadonlyMap<number, Variable>;
	/** Draws one symbol, inside an element that makes it a link or that can be moved. */
	readonly drawSymbol: (symbol: DrawnSymbol) => ComponentChildren;
	/** Draws one frame. Without this function a frame is drawn as a plain background with its title. */
	readonly drawFrame?: (frame: DrawnSymbol) => ComponentChildren;
	/** Whether the titles of frames and the leaders of values are drawn. A small map has neither. */
	readonly hasWords?: boolean;
}

/** The layers of a diagram: frames, then pipes and leaders, then symbols in the order of the Tab key. */
export function Scene({ diagram, variables, drawSymbol, drawFrame, hasWords = true }: SceneProps) {
	const { ratio, frames, groups, pipes } = diagram;
	const symbols = groups.flatMap((group) => group.symbols);
	return (
		<>
			{frames.map(
				(frame) => drawFrame?.(frame) ?? <FrameGround key={frame.id} frame={frame} ratio={ratio} hasTitle={hasWords} />,
			)}
			<PipeLayer ratio={ratio}>
				{hasWords &&
					symbols.map(({ id, x, y, tap }) => tap !== null && <Leader key={id} points={leaderPoints(x, y, tap)} ratio={ratio} />)}
				{pipes.map((pipe) => (
					<BoundPipe key={pipe.id} pipe={pipe} diagram={diagram} variables={variables} />
				))}
			</PipeLayer>
			{symbols.map(drawSymbol)}
		</>
	);
}

/** Returns the name of a symbol or a pipe: its label, or the name of its bit or its variable if it has no label. A missing variable is named by its id. */
export function nameOf(
	{ varId, bit, label }: Pick<DrawnSymbol, 'varId' | 'bit' | 'label'>,
	variables: ReadonlyMap<number, Variable>,
): string {
	if (label.trim() !== '' || varId === null) return label;
	const variable = variables.get(varId);
	return bitsOf(variable).find((each) => each.bit === bit)?.name ?? variable?.name ?? `#${varId}`;
}

interface FrameProps {
	readonly frame: DrawnSymbol;
	readonly ratio: number;
	readonly hasTitle: boolean;
}

function FrameGround({ frame, ratio, hasTitle }: FrameProps) {
	return (
		<div class={symbolLook(frame, unboundState)} style={symbolStyle(frame, ratio)}>
			{hasTitle && <span class="d-title">{frame.label}</span>}
		</div>
	);
}

interface BoundPipeProps extends Pick<SceneProps, 'diagram' | 'variables'> {
	readonly pipe: DrawnPipe;
}

/** A pipe with its present flow. It is not drawn if a symbol at its end is missing. */
function BoundPipe({ pipe, diagram: { byKey, ratio }, variables }: BoundPipeProps) {
	const flow = usePipeFlow(pipe);
	const points = pipePoints(pipe, byKey, ratio);
	if (points === null) return null;
	// A pipe has no label of its own.
	const name = nameOf({ ...pipe, label: '' }, variables);
	return (
		<Pipe
			points={points}
			ratio={ratio}
			flow={flow}
			isThin={pipe.isThin}
			title={flow === 'bare' ? name : `${name}: ${diagramText().flows[flow]}`}
		/>
	);
}
