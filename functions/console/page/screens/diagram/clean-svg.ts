import { readSvg } from '#domain/background/read-svg.ts';
import type { SvgElement } from '#domain/background/svg-element.ts';
import { svgElement, svgText } from './export/svg-text.ts';

/** A picture as the service accepts it, or the reason why there is none: it is not an SVG, or takes too long to draw. */
export type CleanSvg = { readonly fault: null; readonly svg: string } | { readonly fault: 'not_svg' | 'endless' };

/**
 * Removes everything from an SVG that a background must not contain: scripts, event handlers, external addresses, and the notes of
 * drawing programs. The service reads it by the same code (shared/domain/board/DIAGRAM.md#background).
 */
export function cleanSvg(svg: string): CleanSvg {
	const read = readSvg(withEntities(svg));
	if ('code' in read) return { fault: read.code === 'not_allowed_in_svg' ? 'endless' : 'not_svg' };
	return read.limit === null ? { fault: null, svg: textOf(read.root) } : { fault: 'endless' };
}

/** Replaces the entities that the file itself defines, as Illustrator does for the names of namespaces. They cannot hold markup. */
function withEntities(svg: string): string {
	const entities = new Map([...svg.matchAll(entity)].map(([, name, value]) => [name, value]));
	return entities.size === 0 ? svg : svg.replaceAll(/&([\w.-]+);/g, (reference, name) => entities.get(name) ?? reference);
}

const entity = /<!ENTITY\s+([\w.-]+)\s+"([^"'<>&%]{1,200})"\s*>/g;

function textOf({ name, attributes, content }: SvgElement): string {
	const inside = content.map((child) => (typeof child === 'string' ? svgText(child) : textOf(child)));
	return svgElement(name, attributes, inside);
}
