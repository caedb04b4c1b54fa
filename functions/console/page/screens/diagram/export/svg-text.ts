/** The attributes of an SVG element. Those without a value are not written. */
export type SvgAttributes = Readonly<Record<string, string | number | null | undefined>>;

/** Returns an element as text. `content` must already be SVG text. */
export function svgElement(name: string, attributes: SvgAttributes, content: readonly string[] = []): string {
	let start = `<${name}`;
	for (const [key, value] of Object.entries(attributes))
		if (value !== null && value !== undefined)
			start += ` ${key}="${svgText(typeof value === 'number' ? String(rounded(value)) : value)}"`;
	return content.length === 0 ? `${start}/>` : `${start}>${content.join('')}</${name}>`;
}

/** Returns a text escaped for XML. Characters that XML does not allow are left out (https://www.w3.org/TR/xml/#charsets). */
export function svgText(text: string): string {
	return text.replaceAll(
		/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]|[&<>"']/gu,
		(character) => entities[character] ?? '',
	);
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function rounded(value: number): number {
	return Math.round(value * 1000) / 1000;
}
