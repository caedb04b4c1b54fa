import type { Panel, Variable } from '#page/core/definitions.ts';
import { bareSymbol, type DraftSymbol } from '../diagram-draft.ts';
import { boxOf, formerRatio, type SymbolBox } from '../symbols/symbol-geometry.ts';
import { onDrawing } from './grid.ts';
import { type DrawingContent, placedOf, withSymbol } from './symbol-edits.ts';

/** The distance between two frames, as a share of the width. */
const gap = 0.006;

/** The least width of a column of symbols, as a share of the width of the drawing. */
const columnWidth = 0.12;

/** The part of a frame that its title takes, as a share of the height of the frame. */
const titleShare = 0.1;

/** Returns the names of the processes of variables, in the order in which they first occur. */
export function processNamesOf(variables: Iterable<Variable>): readonly string[] {
	return [...new Set([...variables].map(({ process }) => process.trim()))].filter((process) => process !== '');
}

/** Adds a frame for each process, side by side, from the top to the bottom. */
export function withFrames<Draft extends DrawingContent>(drawing: Draft, processes: readonly string[]): Draft {
	const width = (1 - gap * (processes.length - 1)) / processes.length;
	return processes.reduce(
		(drawn, label, index) =>
			withSymbol(drawn, {
				...bareSymbol,
				kind: 'frame',
				label,
				x: onDrawing(index * (width + gap) + width / 2),
				y: 0.5,
				w: onDrawing(width),
				h: 1,
			}),
		drawing,
	);
}

/**
 * Adds the pumps of the panel as pumps, and its states as values. Each is placed in the frame of its variable's process. Those without
 * such a frame are placed in rows over the whole drawing.
 */
export function withPanel<Draft extends DrawingContent>(
	drawing: Draft,
	{ pumps, states }: Pick<Panel, 'pumps' | 'states'>,
	variables: ReadonlyMap<number, Variable>,
): Draft {
	const frames = drawing.symbols.filter(({ kind }) => kind === 'frame');
	const frameOf = (varId: number): DraftSymbol | null => {
		const process = variables.get(varId)?.process.trim();
		return frames.find(({ label }) => label === process) ?? null;
	};
	const groups = Map.groupBy([...pumps, ...states], ({ varId }) => frameOf(varId));
	return [...groups].reduce(
		(drawn, [frame, members]) => withMembers(drawn, members, areaOf(frame, drawing.ratio ?? formerRatio)),
		drawing,
	);
}

/** Adds pumps and states of the panel in rows over an area. Each is in the middle of its cell. */
function withMembers<Draft extends DrawingContent>(
	drawing: Draft,
	members: readonly (Panel['pumps'] | Panel['states'])[number][],
	area: SymbolBox,
): Draft {
	const columns = Math.max(1, Math.floor(area.width / columnWidth));
	const rows = Math.ceil(members.length / columns);
	return members.reduce((drawn, { name, varId, bit, type }, index) => {
		const [column, row] = [index % columns, Math.floor(index / columns)];
		return withSymbol(drawn, {
			...bareSymbol,
			kind: type === 'pump' ? 'pump' : 'value',
			varId,
			bit: bit ?? null,
			label: name,
			x: onDrawing(area.left + (area.width * (column + 0.5)) / columns),
			y: onDrawing(area.top + (area.height * (row + 0.5)) / rows),
		});
	}, drawing);
}

/** Returns the part of a frame below its title; without a frame, that of the whole drawing. */
function areaOf(frame: DraftSymbol | null, ratio: number): SymbolBox {
	const { left, top, width, height } = frame === null ? { left: 0, top: 0, width: 1, height: 1 } : boxOf(placedOf(frame), ratio);
	return { left, top: top + height * titleShare, width, height: height * (1 - titleShare) };
}
