import { downloadFile } from '#page/core/download.ts';
import { fileName } from '#page/format/csv.ts';
import { elementSvg } from './element-svg.ts';
import { hatchId } from './graphic-svg.ts';
import { svgElement, svgText } from './svg-text.ts';

/** The note that the file of a drawing has beside the drawing. */
export interface DrawingNote {
	readonly title: string;
	/** The time of the values, in epoch milliseconds. */
	readonly time: number;
	/** The line below the drawing: the title, the time, and whether the values are out of date. */
	readonly line: string;
}

/** The line below the drawing: its height, its distance from the left and from the bottom, and the size of its font, in pixels. */
const noteLine = { height: 32, left: 8, bottom: 11, fontSize: 13 } as const;

/** The pixels of the file for one pixel of the screen. Two are sharp enough for printing. */
const pictureScale = 2;

/** Saves a drawing as an SVG file. The file contains all colours and sizes, so it needs no style sheet. */
export function saveSvg(drawing: HTMLElement, note: DrawingNote): void {
	const content = new Blob([drawingSvg(drawing, note).text], { type: 'image/svg+xml' });
	downloadFile(fileName([note.title], [note.time], 'svg'), content);
}

/** Saves a drawing as a PNG file. Throws if the browser cannot draw it. */
export async function savePng(drawing: HTMLElement, note: DrawingNote): Promise<void> {
	const { text, width, height } = drawingSvg(drawing, note);
	const picture = new Image(width, height);
	picture.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
	await picture.decode();
	const canvas = document.createElement('canvas');
	canvas.width = Math.round(width * pictureScale);
	canvas.height = Math.round(height * pictureScale);
	canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
	const content = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
	if (content === null) throw new Error('The browser made no picture of the drawing.');
	downloadFile(fileName([note.title], [note.time], 'png'), content);
}

/** Returns the drawing with the line below it as SVG, and the size of both in pixels. */
function drawingSvg(drawing: HTMLElement, { title, line }: DrawingNote) {
	const { left: x, top: y, width, height: ownHeight } = drawing.getBoundingClientRect();
	const height = ownHeight + noteLine.height;
	const { fontFamily } = getComputedStyle(drawing);
	// The drawing may have other colours than the page: those of the sheet of its background.
	const { color } = getComputedStyle(document.body);
	const { backgroundColor } = getComputedStyle(document.documentElement);
	// The file has one pattern for all hatches. A plain diagram draws none.
	const hatch = getComputedStyle(drawing.querySelector('.d-hatch') ?? drawing).stroke;
	const pattern = svgElement(
		'pattern',
		{ id: hatchId, width: 5, height: 5, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
		[svgElement('path', { d: 'M0 0V5', stroke: hatch, 'stroke-width': 2 })],
	);
	const text = svgElement('svg', { xmlns: 'http://www.w3.org/2000/svg', width, height, viewBox: `0 0 ${width} ${height}` }, [
		svgElement('title', {}, [svgText(title)]),
		svgElement('defs', {}, [pattern]),
		svgElement('rect', { width, height, fill: backgroundColor }),
		...elementSvg(drawing, { x, y }),
		svgElement(
			'text',
			{
				x: noteLine.left,
				y: height - noteLine.bottom,
				fill: color,
				'font-family': fontFamily,
				'font-size': noteLine.fontSize,
			},
			[svgText(line)],
		),
	]);
	return { text, width, height };
}
