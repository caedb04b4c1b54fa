/** The attributes of an SVG element. Those without a value are not written. */
export type SvgAttributes = Readonly<Record<string, string | number | null | undefined>>;

/** Returns an element as text. `content` must already be SVG text. */
export function svgElement(name: string, attributes: SvgAttributes, content: readonly string[] = []): string {
	const written = Object.entries(attributes).flatMap(([key, value]) =>
		value === null || value === undefined
			? []
			: [` ${key}="${svgText(typeof value === 'number' ? String(rounded(value)) : value)}"`],
	);
	return `<${name}${written.join('')}${content.length === 0 ? '/>' : `>${content.join('')}</${name}>`}`;
}

/** Returns a text escaped for XML. Characters that XML does not allow are left out (https://www.w3.org/TR/xml/#charsets). */
export function svgText(text: string): string {
	const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
	return [...text]
		.filter((character) => isXmlCharacter(character.codePointAt(0) ?? 0))
		.map((character) => entities[character] ?? character)
		.join('');
}

function isXmlCharacter(code: number): boolean {
	if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd;
	return code <= 0xd7ff || (code >= 0xe000 && code !== 0xfffe && code !== 0xffff);
}

function rounded(value: number): number {
	return Math.round(value * 1000) / 1000;
}
