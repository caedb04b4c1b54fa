import purify from 'dompurify';
import { svgAttributes, svgElements, svgNamespaces, textElements } from '#domain/board/svg-names.ts';
import { foundInCalls, foundInStyle, isHarmlessLink } from '#domain/board/svg-rules.ts';

/**
 * Removes everything from an SVG that a background must not contain: scripts, event handlers, external addresses, and the notes of
 * drawing programs. The service accepts the rest (shared/domain/board/DIAGRAM.md#background). Returns null if no picture is left.
 */
export function cleanSvg(svg: string): string | null {
	const clean = purify.sanitize(withoutStyles(svg), {
		// Styles have other names during the cleaning, so the name `style` itself is never allowed.
		ALLOWED_TAGS: [...svgElements, '#text'].filter((name) => name !== 'style'),
		ALLOWED_ATTR: [...svgAttributes, ...svgNamespaces.keys(), 'href', 'xlink:href', styleElementMark, styleAttribute].filter(
			(name) => name !== 'style',
		),
		// Styles are no addresses, though `fill: red` looks like one.
		ADD_URI_SAFE_ATTR: [styleAttribute],
		ALLOW_DATA_ATTR: false,
		ALLOW_ARIA_ATTR: false,
		KEEP_CONTENT: false,
		RETURN_DOM: true,
	});
	const root = clean instanceof Element ? clean.querySelector('svg') : null;
	if (root === null) return null;
	removeStrayTexts(root);
	emptyLoadingStyles(root);
	return withStyles(new XMLSerializer().serializeToString(root));
}

/** Removes texts outside of the elements that show texts, such as those between two shapes. */
function removeStrayTexts(root: Element): void {
	for (const element of [root, ...root.querySelectorAll(`*:not([${styleElementMark}])`)])
		for (const node of [...element.childNodes])
			if (node instanceof Text && !textElements.has(element.localName) && node.data.trim() !== '') node.remove();
}

/** Empties the style elements that would load something. */
function emptyLoadingStyles(root: Element): void {
	for (const style of root.querySelectorAll(`g[${styleElementMark}]`)) {
		const css = style.textContent ?? '';
		style.textContent = foundInStyle(css) === null ? css : '';
	}
}

/**
 * The names that replace those of styles during the cleaning: a style element becomes a `g` with the first attribute. The page's content
 * security policy forbids styles in markup, even if the markup is only parsed.
 */
const styleElementMark = 'data-style-rule';
const styleAttribute = 'data-style-attribute';

/**
 * A prefix for the names of event handlers, so that the page's policy reports nothing. The cleaning drops these attributes. `withStyles`
 * removes the prefix from texts that only look like an event handler.
 */
const handlerPrefix = 'data-handler-';

/** Renames styles and event handlers, so that parsing the text does not violate the policy of the page. */
function withoutStyles(svg: string): string {
	// A style that follows no space is not well-formed, and the cleaning drops it. Event handlers are also found after a slash or the quote of
	// the attribute before, because hostile files write them so.
	return svg
		.replaceAll(/<style\b/gi, `<g ${styleElementMark}="" `)
		.replaceAll(/<\/style\b/gi, '</g')
		.replaceAll(/(\s)style(\s*=)/gi, `$1${styleAttribute}$2`)
		.replaceAll(/([\s/"'])(on[a-z]+\s*=)/gi, `$1${handlerPrefix}$2`);
}

/** Gives styles their own names back. A style contains no elements, so it ends with the next `</g>`. */
function withStyles(svg: string): string {
	return svg
		.replaceAll(new RegExp(`<g ${styleElementMark}=""([^<>]*)>([^<]*)</g>`, 'g'), '<style$1>$2</style>')
		.replaceAll(` ${styleAttribute}=`, ' style=')
		.replaceAll(handlerPrefix, '');
}

// Decides on each attribute during the cleaning: links must lead into the picture or hold the pixels of an image, namespaces must be the
// known ones, and neither styles nor other values may load anything.
purify.addHook('uponSanitizeAttribute', (element, attribute) => {
	const { attrName, attrValue } = attribute;
	if (attrName === 'href' || attrName === 'xlink:href') {
		attribute.keepAttr = isHarmlessLink(element.localName, attrValue);
		// DOMPurify's own check of addresses would drop some of them.
		attribute.forceKeepAttr = attribute.keepAttr;
	} else if (svgNamespaces.has(attrName)) attribute.keepAttr = svgNamespaces.get(attrName) === attrValue;
	else if ((attrName === styleAttribute ? foundInStyle(attrValue) : foundInCalls(attrValue)) !== null) attribute.keepAttr = false;
});
