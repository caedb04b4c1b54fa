import { referringElements, svgFunctions } from './svg-names.ts';

/** Whether an address names an element of the same SVG, or contains a raster picture itself. */
export function isHarmlessLink(element: string, address: string): boolean {
	if (element === 'image') return /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z\d+/=\s]*$/.test(address);
	return referringElements.has(element) && localName.test(address);
}

/**
 * Returns the first part of a style that is not allowed, or null. Rules that begin with @, such as @import, and escapes, which hide
 * names, are not allowed. Nor is `<`, with which markup begins.
 */
export function foundInStyle(css: string): string | null {
	const sign = ['@', '<'].find((each) => css.includes(each));
	return sign === undefined ? foundInCalls(css) : sign;
}

/** Returns the first call of a function that is not allowed: `url` may name an element of the same SVG only. */
export function foundInCalls(value: string): string | null {
	if (value.includes('\\')) return '\\';
	// The name of a function, its opening parenthesis, and everything up to the next closing one.
	for (const [call, name = '', argument = ''] of value.matchAll(/([\w-]*)\s*\(([^)]*)/g)) {
		const isAllowed =
			svgFunctions.has(name.toLowerCase()) && (name.toLowerCase() !== 'url' || localName.test(unquoted(argument)));
		if (!isAllowed) return `${call})`;
	}
	return null;
}

/** Returns the argument of a call without the blanks and quotation marks around it. */
export function unquoted(argument: string): string {
	return argument.trim().replace(/^(['"])(.*)\1$/, '$2');
}

/** `#` and the id of an element, in which nothing could end the address or hide a part of it. */
const localName = /^#[^\s"'()\\#]+$/;
