import { canonicalTags } from './point.ts';

/** What a line says before its fields. */
export interface Head {
	readonly measurement: string;
	/** In the form of `canonicalTags`. */
	readonly tags: string;
}

const backslash = 92;

/** `raw` without the backslashes that stand before one of `escapable`; a backslash before anything else is itself. */
export function unescaped(raw: string, escapable: string): string {
	if (!raw.includes('\\')) return raw;
	let text = '';
	let from = 0;
	for (let at = 0; at + 1 < raw.length; at += 1) {
		if (raw.charCodeAt(at) !== backslash || !escapable.includes(raw.charAt(at + 1))) continue;
		text += raw.slice(from, at);
		from = at + 1;
		at += 1;
	}
	return text + raw.slice(from);
}

/**
 * Parses the measurement and the tags: `raw` is the line up to its first space that is not escaped.
 * @returns what is wrong, as text, where it is no head
 */
export function parseHead(raw: string): Head | string {
	let at = find(raw, ',', 0);
	const measurement = unescaped(raw.slice(0, at), ', ');
	if (measurement === '') return 'missing measurement';
	const tags = new Map<string, string>();
	while (at < raw.length) {
		const equals = find(raw, ',=', at + 1);
		const key = unescaped(raw.slice(at + 1, equals), ',= ');
		if (key === '') return 'missing tag key';
		if (raw[equals] !== '=') return `missing value of tag ${JSON.stringify(key)}`;
		at = find(raw, ',=', equals + 1);
		if (raw[at] === '=') return `an = that is not escaped in the value of tag ${JSON.stringify(key)}`;
		const value = unescaped(raw.slice(equals + 1, at), ',= ');
		if (value === '') return `missing value of tag ${JSON.stringify(key)}`;
		if (tags.has(key)) return `duplicate tag ${JSON.stringify(key)}`;
		tags.set(key, value);
	}
	return { measurement, tags: canonicalTags(tags) };
}

/** Where the first of `stops` that is not escaped stands at or after `from`, or the length of `raw`. */
function find(raw: string, stops: string, from: number): number {
	for (let at = from; at < raw.length; at += 1) {
		// Whatever follows a backslash, it either is escaped or is none of the stops (a second backslash is looked at by itself).
		if (raw.charCodeAt(at) === backslash && stops.includes(raw.charAt(at + 1))) at += 1;
		else if (stops.includes(raw.charAt(at))) return at;
	}
	return raw.length;
}
