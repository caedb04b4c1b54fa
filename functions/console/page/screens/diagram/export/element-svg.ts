import { graphicSvg, hatchId, type Origin } from './graphic-svg.ts';
import { svgElement, svgText } from './svg-text.ts';

/**
 * Converts the present look of an element and its content to SVG: grounds, borders, texts, images and drawings. Texts stay texts, so that
 * they can be searched and copied. Content that is only for screen readers is left out.
 */
export function elementSvg(element: Element, origin: Origin): readonly string[] {
	const style = getComputedStyle(element);
	if (style.display === 'none' || style.visibility === 'hidden' || element.classList.contains('sr')) return [];
	if (element instanceof SVGElement) return graphicSvg(element, origin);
	const box = element.getBoundingClientRect();
	const inside = inPaintingOrder(element.childNodes).flatMap((node) => {
		if (node instanceof Element) return elementSvg(node, origin);
		return node instanceof Text ? textSvg(node, style, origin) : [];
	});
	return [
		...boxSvg(box, style, origin),
		...(element instanceof HTMLImageElement ? [imageSvg(element, box, origin)] : []),
		...inside,
	];
}

/** Sorts nodes in the order in which they are painted. Those that the style sheet raises by `z-index` come last. */
function inPaintingOrder(nodes: Iterable<ChildNode>): readonly ChildNode[] {
	// `auto` is no number, and counts as 0.
	const level = (node: ChildNode): number => (node instanceof Element ? Number(getComputedStyle(node).zIndex) || 0 : 0);
	return [...nodes].toSorted((one, other) => level(one) - level(other));
}

/** The ground, the hatch and the border of a box. */
function boxSvg(box: DOMRect, style: CSSStyleDeclaration, origin: Origin): readonly string[] {
	const border = style.borderTopStyle === 'none' ? 0 : Number.parseFloat(style.borderTopWidth);
	/** Returns the box, made smaller by `inset` pixels on every side. */
	const placeWithin = (inset: number) => ({
		x: box.left - origin.x + inset,
		y: box.top - origin.y + inset,
		width: Math.max(0, box.width - 2 * inset),
		height: Math.max(0, box.height - 2 * inset),
		// A radius of 0 is not written.
		rx: Number.parseFloat(style.borderTopLeftRadius) || null,
	});
	const outline = {
		// SVG draws a line on both sides of its path, so the path is in the middle of the border.
		...placeWithin(border / 2),
		fill: 'none',
		stroke: style.borderTopColor,
		'stroke-width': border,
		'stroke-dasharray': style.borderTopStyle === 'dashed' ? `${2 * border} ${border}` : null,
	};
	const isTransparent = style.backgroundColor === 'transparent' || style.backgroundColor === 'rgba(0, 0, 0, 0)';
	const isHatched = style.backgroundImage.includes('repeating-linear-gradient');
	return [
		...(isTransparent ? [] : [svgElement('rect', { ...placeWithin(0), fill: style.backgroundColor })]),
		...(isHatched ? [svgElement('rect', { ...placeWithin(0), fill: `url(#${hatchId})` })] : []),
		...(border > 0 ? [svgElement('rect', outline)] : []),
	];
}

/** A text on its baseline. It keeps its width even if the reader's computer has another font. */
function textSvg(node: Text, style: CSSStyleDeclaration, origin: Origin): readonly string[] {
	const text = node.data.replaceAll(/\s+/g, ' ');
	if (text.trim() === '') return [];
	const range = document.createRange();
	range.selectNodeContents(node);
	const [box] = range.getClientRects();
	if (box === undefined || box.width === 0) return [];
	const attributes = {
		x: box.left - origin.x,
		y: box.top - origin.y + ascentShareOf(style) * box.height,
		textLength: box.width,
		lengthAdjust: 'spacingAndGlyphs',
		fill: style.color,
		'font-family': style.fontFamily,
		'font-size': style.fontSize,
		'font-weight': style.fontWeight,
	};
	return [svgElement('text', attributes, [svgText(text)])];
}

/** The share of a line of text that is above its baseline: as the browser measures it, or as most fonts have it. */
function ascentShareOf({ font }: CSSStyleDeclaration): number {
	const context = document.createElement('canvas').getContext('2d');
	if (context === null) return usualAscentShare;
	context.font = font;
	const { fontBoundingBoxAscent: ascent, fontBoundingBoxDescent: descent } = context.measureText('x');
	return ascent / (ascent + descent);
}

const usualAscentShare = 0.8;

function imageSvg({ src }: HTMLImageElement, box: DOMRect, origin: Origin): string {
	return svgElement('image', {
		x: box.left - origin.x,
		y: box.top - origin.y,
		width: box.width,
		height: box.height,
		href: src,
	});
}
