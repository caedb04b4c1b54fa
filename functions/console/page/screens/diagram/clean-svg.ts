import purify from 'dompurify';
import { svgAttributes, svgElements, svgNamespaces } from '#domain/board/svg-names.ts';
import { foundInCalls, foundInStyle, isHarmlessLink } from '#domain/board/svg-rules.ts';

/**
 * Takes out of an SVG whatever a background must not have: scripts, events, addresses outside, and what programs note in their files. What is
 * left is what the service accepts (shared/domain/board/DIAGRAM.md#background). Returns null where no picture is left.
 */
export function cleanSvg(svg: string): string | null {
	const clean = purify.sanitize(svg, {
		ALLOWED_TAGS: [...svgElements],
		ALLOWED_ATTR: [...svgAttributes, ...svgNamespaces.keys(), 'href', 'xlink:href'],
		ALLOW_DATA_ATTR: false,
		ALLOW_ARIA_ATTR: false,
		KEEP_CONTENT: false,
		RETURN_DOM: true,
	});
	const root = clean instanceof Element ? clean.querySelector('svg') : null;
	return root === null ? null : new XMLSerializer().serializeToString(root);
}

purify.addHook('uponSanitizeElement', (node, { tagName }) => {
	if (tagName === 'style' && foundInStyle(node.textContent ?? '') !== null) node.parentNode?.removeChild(node);
});

purify.addHook('uponSanitizeAttribute', (element, attribute) => {
	const { attrName, attrValue } = attribute;
	if (attrName === 'href' || attrName === 'xlink:href') {
		attribute.keepAttr = isHarmlessLink(element.localName, attrValue);
		attribute.forceKeepAttr = attribute.keepAttr;
	} else if (svgNamespaces.has(attrName)) attribute.keepAttr = svgNamespaces.get(attrName) === attrValue;
	else if ((attrName === 'style' ? foundInStyle(attrValue) : foundInCalls(attrValue)) !== null) attribute.keepAttr = false;
});
