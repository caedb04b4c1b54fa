import { canonicalTags, type FieldValue, type Point } from './point.ts';
import { type Precision, parseTime, parseValue } from './value.ts';

/** Codes of characters. Comparing codes is faster than comparing texts. */
const tab = 9;
const newline = 10;
const space = 32;
const quote = 34;
const comma = 44;
const equals = 61;
const backslash = 92;

/** Escape sequences in the name of a tag or field and in the value of a tag. */
const nameEscapes = /\\([,= ])/g;

/** Keys that InfluxDB needs itself (influxdb/models/points.go). */
const reservedTagKeys: readonly string[] = ['time', '_field', '_measurement', '\0'];

/** The part of a line before its fields. */
type Head = Pick<Point, 'measurement' | 'tags'>;

/** Most parsed heads in the cache. Most lines of a request repeat one of a few heads. */
const maxCachedHeads = 10_000;

/** Reads points, one line after another, from a text. Positions are indexes of UTF-16 units. */
export class Scanner {
	/** The position of the next character. */
	at = 0;
	readonly #text: string;
	readonly #precision: Precision;
	readonly #defaultTimeNs: bigint;
	readonly #heads = new Map<string, Head>();
	/** The last timestamp that was parsed. Neighbouring lines mostly have the same. */
	#timeText = '';
	#timeNs = 0n;

	/** @param defaultTimeNs the time of points without a timestamp */
	constructor(text: string, precision: Precision, defaultTimeNs: bigint) {
		this.#text = text;
		this.#precision = precision;
		this.#defaultTimeNs = defaultTimeNs;
	}

	/** Whether a line ends here: at a newline that is not escaped, or at the end of the text. */
	atLineEnd(): boolean {
		return this.#isLineEnd(this.at);
	}

	/** Skips what InfluxDB skips: spaces, tabs and NUL. */
	skipBlanks(): void {
		for (let code = this.#code(); code === space || code === tab || code === 0; code = this.#code()) this.at += 1;
	}

	/** Moves to the start of the line after the line that contains `position`. */
	skipLine(position: number): void {
		const text = this.#text;
		let end = text.indexOf('\n', position);
		while (end >= 0 && isEscaped(text, end)) end = text.indexOf('\n', end + 1);
		this.at = end < 0 ? text.length : end + 1;
	}

	/**
	 * Reads one line and adds its fields to `points`. The field `time` is left out beside others, as InfluxDB does. Returns an error message, and adds nothing, when it is malformed. Where a private
	 * function below may return a text in place of its result, the text is an error message, too.
	 */
	scanPoint(points: Point[]): string | undefined {
		const head = this.#head();
		if (typeof head === 'string') return head;
		const fields: (readonly [key: string, value: FieldValue])[] = [];
		do {
			// Before the first field there are blanks, before each other one a comma.
			if (fields.length === 0) this.skipBlanks();
			else this.at += 1;
			const field = this.#fieldKey();
			if (field === undefined) return fields.length === 0 ? 'missing fields' : 'missing field key';
			const value = this.#code() === quote ? this.#string() : parseValue(this.#textBefore(comma, space));
			if (typeof value === 'string') return `field ${JSON.stringify(field)}: ${value}`;
			fields.push([field, value]);
		} while (this.#code() === comma);
		if (!this.atLineEnd() && this.#code() !== space) return "expected a comma, a space or the line's end after a field";
		this.skipBlanks();
		const timeNs = this.atLineEnd() ? this.#defaultTimeNs : this.#time();
		if (typeof timeNs === 'string') return timeNs;
		while (this.#code() === space) this.at += 1;
		if (!this.atLineEnd()) return 'unexpected text after the timestamp';
		const others = fields.length > 1 ? fields.filter(([field]) => field !== 'time') : fields;
		const kept = others.length > 0 ? others : fields;
		for (const [field, value] of kept) points.push({ measurement: head.measurement, tags: head.tags, field, value, timeNs });
		return undefined;
	}

	/** Returns the code of the next character; NaN at the end of the text. */
	#code(): number {
		return this.#text.charCodeAt(this.at);
	}

	#isLineEnd(at: number): boolean {
		const text = this.#text;
		return at >= text.length || (text.charCodeAt(at) === newline && !isEscaped(text, at));
	}

	/** Reads the measurement and the tags. */
	#head(): Head | string {
		const text = this.#textBefore(space);
		const cached = this.#heads.get(text);
		if (cached !== undefined) return cached;
		const head = parseHead(text);
		if (typeof head === 'string') return head;
		if (this.#heads.size >= maxCachedHeads) this.#heads.clear();
		this.#heads.set(text, head);
		return head;
	}

	/** Reads `key=`. Returns undefined when there is no key here. */
	#fieldKey(): string | undefined {
		const key = this.#textBefore(equals, comma, space);
		if (key === '' || this.#code() !== equals) return undefined;
		this.at += 1;
		return withoutEscapes(key, nameEscapes);
	}

	/**
	 * Reads up to the first of the given characters that is not escaped, or up to the line's end. In a name a backslash
	 * directly before such a character always escapes it, because a backslash itself cannot be escaped there.
	 */
	#textBefore(first: number, second = first, third = first): string {
		const text = this.#text;
		const start = this.at;
		let at = start;
		for (; ; at += 1) {
			const code = text.charCodeAt(at);
			// Skips most characters quickly: only = is a separator with a code above the comma's.
			if (code > comma && code !== equals) continue;
			if ((code === first || code === second || code === third) && text.charCodeAt(at - 1) !== backslash) break;
			if ((code === newline || Number.isNaN(code)) && this.#isLineEnd(at)) break;
		}
		this.at = at;
		return text.slice(start, at);
	}

	/** Reads a string in quotes. It may hold newlines. */
	#string(): FieldValue | string {
		const text = this.#text;
		const start = this.at + 1;
		const end = closingQuote(text, start);
		this.at = end < 0 ? text.length : end + 1;
		if (end < 0) return 'a string without its closing quote';
		return { kind: 'string', value: withoutEscapes(text.slice(start, end), /\\(["\\])/g) };
	}

	/** Reads a timestamp. */
	#time(): bigint | string {
		const text = this.#textBefore(space);
		if (text === this.#timeText) return this.#timeNs;
		const timeNs = parseTime(text, this.#precision);
		if (typeof timeNs === 'bigint') [this.#timeText, this.#timeNs] = [text, timeNs];
		return timeNs;
	}
}

/**
 * Whether a backslash escapes the newline at a position. The backslash and the newline are then part of a name. A pair of backslashes
 * escapes nothing. A backslash before the last character of the text escapes nothing either.
 */
function isEscaped(text: string, at: number): boolean {
	let firstBackslash = at;
	while (text.charCodeAt(firstBackslash - 1) === backslash) firstBackslash -= 1;
	return (at - firstBackslash) % 2 === 1 && at < text.length - 1;
}

/** Parses the measurement and the tags. Returns an error message when they are malformed. */
function parseHead(text: string): Head | string {
	// Split at commas that are not escaped. Without a backslash in the text, a plain split is faster.
	const [name = '', ...pairs] = text.split(text.includes('\\') ? /(?<!\\),/ : ',');
	// In a measurement, `\=` is no escape sequence.
	const measurement = withoutEscapes(name, /\\([, ])/g);
	if (measurement === '') return 'missing measurement';
	const tags = new Map<string, string>();
	for (const pair of pairs) {
		const parts = pair.split(pair.includes('\\') ? /(?<!\\)=/ : '=');
		const [key = '', value = ''] = parts.map((part) => withoutEscapes(part, nameEscapes));
		if (key === '') return 'missing tag key';
		if (reservedTagKeys.includes(key)) return `cannot use reserved tag key ${JSON.stringify(key)}`;
		if (parts.length > 2) return `an = that is not escaped in the value of tag ${JSON.stringify(key)}`;
		if (value === '') return `missing value of tag ${JSON.stringify(key)}`;
		if (tags.has(key)) return `duplicate tag ${JSON.stringify(key)}`;
		tags.set(key, value);
	}
	return { measurement, tags: canonicalTags(tags) };
}

/** Removes the backslashes of escape sequences. Any other backslash is kept. */
function withoutEscapes(text: string, escapes: RegExp): string {
	return text.includes('\\') ? text.replace(escapes, '$1') : text;
}

/** Finds the quote that ends a string: the first one that follows an even number of backslashes. Returns -1 when there is none. */
function closingQuote(text: string, start: number): number {
	for (let end = text.indexOf('"', start); end >= 0; end = text.indexOf('"', end + 1)) {
		let firstBackslash = end;
		while (firstBackslash > start && text.charCodeAt(firstBackslash - 1) === backslash) firstBackslash -= 1;
		if ((end - firstBackslash) % 2 === 0) return end;
	}
	return -1;
}
