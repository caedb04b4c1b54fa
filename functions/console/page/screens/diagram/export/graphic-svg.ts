import { type SvgAttributes, svgElement, svgText } from './svg-text.ts';

/** The upper left corner of the drawing on the screen, in pixels. */
export interface Origin {
	readonly x: number;
	readonly y: number;
}

/** The id, in the file, of the hatch pattern for values that are out of date. */
export const hatchId = 'hatch';

/** Converts the present look of an SVG element to SVG with explicit colours and sizes, so that the file needs no style sheet. */
export function graphicSvg(element: SVGElement, origin: Origin): readonly string[] {
	if (element instanceof SVGUseElement) return referenceSvg(element, origin);
	if (element instanceof SVGGeometryElement) return shapeSvg(element, origin);
	if (element instanceof SVGDefsElement || element instanceof SVGTitleElement) return [];
	if (getComputedStyle(element).display === 'none') return [];
	return [...element.children].flatMap((child) => (child instanceof SVGElement ? graphicSvg(child, origin) : []));
}

/** Returns the place of an SVG element in the file as a matrix, and its scale. The scale is null if it differs by direction. */
function placeOf(element: SVGGraphicsElement, { x, y }: Origin): { readonly transform: string; readonly scale: number | null } {
	// The letters of an SVG matrix: a to d scale and turn, e and f move.
	const { a, b, c, d, e, f } = element.getScreenCTM() ?? new DOMMatrix();
	const [across, down] = [Math.hypot(a, b), Math.hypot(c, d)];
	const numbers = [a, b, c, d, e - x, f - y].map((number) => Math.round(number * 10_000) / 10_000);
	return { transform: `matrix(${numbers.join(' ')})`, scale: Math.abs(across - down) < sameScale ? across : null };
}

/** Scales in two directions that differ by less than this are one. */
const sameScale = 0.01;

/** A shape with its computed look. Lines whose width does not scale on the screen keep that width in the file. */
function shapeSvg(shape: SVGGeometryElement, origin: Origin): readonly string[] {
	const style = getComputedStyle(shape);
	if (style.display === 'none') return [];
	const { transform, scale } = placeOf(shape, origin);
	const keepsWidth = style.getPropertyValue('vector-effect') === 'non-scaling-stroke';
	const divisor = keepsWidth && scale !== null ? scale : 1;
	const dashes = style.strokeDasharray.split(/[ ,]+/).map((length) => Number.parseFloat(length) / divisor);
	return [
		svgElement(shape.localName, {
			...sizesOf(shape),
			transform,
			fill: paintOf(style.fill),
			stroke: paintOf(style.stroke),
			'stroke-width': Number.parseFloat(style.strokeWidth) / divisor,
			'stroke-dasharray': style.strokeDasharray === 'none' ? null : dashes.join(' '),
			'stroke-linejoin': style.strokeLinejoin,
			opacity: style.opacity === '1' ? null : style.opacity,
			'vector-effect': keepsWidth && scale === null ? 'non-scaling-stroke' : null,
		}),
	];
}

/** Returns the place and size of a shape as numbers. Percentages would refer to a box that the file does not have. */
function sizesOf(shape: SVGGeometryElement): SvgAttributes {
	if (shape instanceof SVGRectElement) {
		const { x, y, width, height } = shape;
		return { x: x.baseVal.value, y: y.baseVal.value, width: width.baseVal.value, height: height.baseVal.value };
	}
	if (shape instanceof SVGLineElement) {
		const { x1, y1, x2, y2 } = shape;
		return { x1: x1.baseVal.value, y1: y1.baseVal.value, x2: x2.baseVal.value, y2: y2.baseVal.value };
	}
	return Object.fromEntries(['d', 'points', 'cx', 'cy', 'r'].map((name) => [name, shape.getAttribute(name)]));
}

/** Returns the paint of a shape in the file, whose only pattern is the hatch. */
function paintOf(paint: string): string {
	return paint.startsWith('url(') ? `url(#${hatchId})` : paint;
}

/** A symbol of the sprite, at the place and with the colours of the element that uses it. */
function referenceSvg(use: SVGUseElement, origin: Origin): readonly string[] {
	const symbol = document.getElementById(use.href.baseVal.slice(1));
	const host = use.ownerSVGElement;
	if (!(symbol instanceof SVGSymbolElement) || host === null) return [];
	const viewBox = host.viewBox.baseVal;
	const hostSize = viewBox !== null && viewBox.width > 0 ? viewBox : { width: host.clientWidth, height: host.clientHeight };
	const width = use.hasAttribute('width') ? use.width.baseVal.value : hostSize.width;
	const height = use.hasAttribute('height') ? use.height.baseVal.value : hostSize.height;
	// The symbol fills the element that uses it as far as its proportions allow, and is centred there.
	const { width: ownWidth, height: ownHeight } = symbol.viewBox.baseVal;
	const scale = Math.min(width / ownWidth, height / ownHeight);
	const x = use.x.baseVal.value + (width - ownWidth * scale) / 2;
	const y = use.y.baseVal.value + (height - ownHeight * scale) / 2;
	const { transform } = placeOf(use, origin);
	const resolve = colourResolver(host, use);
	const place = `${transform} translate(${x} ${y}) scale(${scale})`;
	return [svgElement('g', { ...attributesOf(symbol, resolve), transform: place }, childrenSvg(symbol, resolve))];
}

/** Returns the colour of a value such as `currentColor` or `var(--alarm)`. */
type ResolveColour = (value: string) => string;

function childrenSvg(parent: Element, resolve: ResolveColour): readonly string[] {
	return [...parent.childNodes].flatMap((node) => {
		if (node instanceof Text) return parent.localName === 'text' ? [svgText(node.data)] : [];
		return node instanceof Element ? [svgElement(node.localName, attributesOf(node, resolve), childrenSvg(node, resolve))] : [];
	});
}

function attributesOf(element: Element, resolve: ResolveColour): SvgAttributes {
	const kept = [...element.attributes].filter(({ name }) => !['id', 'class', 'viewBox'].includes(name));
	return Object.fromEntries(kept.map(({ name, value }) => [name, ['fill', 'stroke'].includes(name) ? resolve(value) : value]));
}

/** Returns a function that resolves the colours of a symbol where it is used. It reads the computed colour of a temporary element there. */
function colourResolver(host: SVGSVGElement, use: SVGUseElement): ResolveColour {
	const { color } = getComputedStyle(use);
	return (value) => {
		if (value === 'currentColor') return color;
		if (!value.startsWith('var(')) return value;
		const probe = document.createElementNS('http://www.w3.org/2000/svg', 'g');
		host.append(probe);
		probe.style.fill = value;
		const { fill } = getComputedStyle(probe);
		probe.remove();
		return fill;
	};
}
