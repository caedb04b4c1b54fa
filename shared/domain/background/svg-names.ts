// The names are in spread lists, because the formatter would put each name of one long list on a line of its own.

/** The elements that a background may have: shapes, text, paints and what refers to them. Filters, links and animations are not among them. */
export const svgElements: ReadonlySet<string> = new Set([
	...['svg', 'g', 'defs', 'symbol', 'use', 'title', 'desc', 'style', 'image'],
	...['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'text', 'tspan', 'textPath'],
	...['linearGradient', 'radialGradient', 'stop', 'pattern', 'clipPath', 'mask', 'marker'],
]);

/** The elements that may contain text. All others contain only elements and blanks. */
export const textElements: ReadonlySet<string> = new Set(['text', 'tspan', 'textPath', 'title', 'desc', 'style']);

const plainAttributes: ReadonlySet<string> = new Set([
	...['id', 'class', 'lang', 'xml:lang', 'xml:space', 'role', 'aria-label', 'aria-hidden', 'aria-labelledby'],
]);

/** Whether a background may have an attribute with any text. Those whose names begin with data- mean nothing to a browser. */
export function isPlainAttribute(name: string): boolean {
	return plainAttributes.has(name) || /^data-[a-z\d-]+$/.test(name);
}

/**
 * The other attributes that a background may have: their values are read as CSS. `href`, `xlink:href` and the names of namespaces have
 * rules of their own.
 */
export const svgAttributes: ReadonlySet<string> = new Set([
	...['style', 'version', 'baseProfile', 'enable-background', 'focusable', 'viewBox', 'preserveAspectRatio'],
	...['x', 'y', 'x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'r', 'rx', 'ry', 'fx', 'fy', 'fr', 'dx', 'dy', 'width', 'height'],
	...['d', 'points', 'pathLength', 'offset', 'transform', 'transform-origin', 'rotate', 'orient', 'refX', 'refY'],
	...['textLength', 'lengthAdjust', 'startOffset', 'method', 'spacing', 'gradientUnits', 'gradientTransform', 'spreadMethod'],
	...['patternUnits', 'patternContentUnits', 'patternTransform', 'clipPathUnits', 'maskUnits', 'maskContentUnits'],
	...['markerWidth', 'markerHeight', 'markerUnits', 'marker', 'marker-start', 'marker-mid', 'marker-end'],
	...['fill', 'fill-opacity', 'fill-rule', 'stroke', 'stroke-dasharray', 'stroke-dashoffset', 'stroke-linecap'],
	...['stroke-linejoin', 'stroke-miterlimit', 'stroke-opacity', 'stroke-width', 'stop-color', 'stop-opacity'],
	...['clip-path', 'clip-rule', 'mask', 'mask-type', 'color', 'color-interpolation', 'color-rendering', 'opacity'],
	...['display', 'visibility', 'overflow', 'isolation', 'mix-blend-mode', 'paint-order', 'pointer-events'],
	...['shape-rendering', 'text-rendering', 'image-rendering', 'vector-effect', 'direction', 'unicode-bidi'],
	...['font', 'font-family', 'font-size', 'font-size-adjust', 'font-stretch', 'font-style', 'font-variant', 'font-weight'],
	...['alignment-baseline', 'baseline-shift', 'dominant-baseline', 'letter-spacing', 'word-spacing', 'text-anchor'],
	...['text-decoration', 'writing-mode'],
]);

/** The functions that styles and attributes may call. `url` may only name an element of the same SVG. */
export const svgFunctions: ReadonlySet<string> = new Set([
	...['url', 'rgb', 'rgba', 'hsl', 'hsla', 'calc', 'matrix', 'rotate', 'skewx', 'skewy'],
	...['translate', 'translatex', 'translatey', 'scale', 'scalex', 'scaley'],
]);

/** The elements whose `href` may name another element of the same SVG. */
export const referringElements: ReadonlySet<string> = new Set([
	...['use', 'textPath', 'pattern', 'linearGradient', 'radialGradient'],
]);

/** The values that declarations of namespaces have. A background has no other namespaces. */
export const svgNamespaces: ReadonlyMap<string, string> = new Map([
	['xmlns', 'http://www.w3.org/2000/svg'],
	['xmlns:xlink', 'http://www.w3.org/1999/xlink'],
]);
