import { type Head, parseHead, unescaped } from './head.ts';
import type { FieldValue, Point } from './point.ts';
import { type Precision, parseTime, parseValue } from './value.ts';

const tab = 9;

const newline = 10;

const carriageReturn = 13;

const space = 32;

const quote = 34;

const comma = 44;

const equals = 61;

const backslash = 92;

/** Heads kept parsed: most lines of a request repeat one of a few. */
const maxKeptHeads = 10_000;

/** Reads one point after another from a text. A place in it is an index of UTF-16 units. */
export class Scanner {
	/** Where the next character is read. */
	at = 0;
	readonly #text: string;
	readonly #precision: Precision;
	readonly #defaultTimeNs: bigint;
	readonly #heads = new Map<string, Head>();
	/** The timestamp parsed last: neighbouring lines mostly share theirs. */
	#timeText = '';
	#timeNs = 0n;

	/** @param defaultTimeNs the time of points that have none */
	constructor(text: string, precision: Precision, defaultTimeNs: bigint) {
		this.#text = text;
		this.#precision = precision;
		this.#defaultTimeNs = defaultTimeNs;
	}

	/** Whether a line ends here: at a newline, a carriage return before one, or the end of the text. */
	atLineEnd(): boolean {
		const text = this.#text;
		const code = text.charCodeAt(this.at);
		if (code === newline || this.at >= text.length) return true;
		return code === carriageReturn && (this.at + 1 >= text.length || text.charCodeAt(this.at + 1) === newline);
	}

	skipBlanks(): void {
		for (let code = this.#code(); code === space || code === tab; code = this.#code()) this.at += 1;
	}

	/** Reads one point from where a line begins and adds its fields to `points`. @returns what is wrong, as text */
	scanPoint(points: Point[]): string | undefined {
		const head = this.#head();
		if (typeof head === 'string') return head;
		this.skipBlanks();
		const first = points.length;
		for (;;) {
			const field = this.#fieldKey();
			if (field === undefined) return points.length === first ? 'missing fields' : 'missing field key';
			const value = this.#code() === quote ? this.#string() : parseValue(this.#token(true));
			if (typeof value === 'string') return `field ${JSON.stringify(field)}: ${value}`;
			points.push({ ...head, field, value, timeNs: this.#defaultTimeNs });
			if (this.#code() !== comma) break;
			this.at += 1;
		}
		if (!this.atLineEnd() && this.#code() !== space) return "expected a comma, a space or the line's end after a field";
		this.skipBlanks();
		return this.atLineEnd() ? undefined : this.#stamp(points, first);
	}

	#code(): number {
		return this.#text.charCodeAt(this.at);
	}

	#head(): Head | string {
		const text = this.#text;
		const start = this.at;
		for (; !this.atLineEnd() && this.#code() !== space; this.at += 1) if (this.#escapes(comma, equals, space)) this.at += 1;
		const raw = text.slice(start, this.at);
		const kept = this.#heads.get(raw);
		if (kept !== undefined) return kept;
		const head = parseHead(raw);
		if (typeof head === 'string') return head;
		if (this.#heads.size >= maxKeptHeads) this.#heads.clear();
		this.#heads.set(raw, head);
		return head;
	}

	/** Whether a backslash is here and the next character is one of those that it escapes. */
	#escapes(a: number, b: number, c: number): boolean {
		if (this.#code() !== backslash) return false;
		const next = this.#text.charCodeAt(this.at + 1);
		return next === a || next === b || next === c;
	}

	/** Reads `key=`; undefined where no key is here. */
	#fieldKey(): string | undefined {
		const start = this.at;
		for (let code = this.#code(); code !== equals; code = this.#code()) {
			if (code === comma || code === space || this.atLineEnd()) return undefined;
			this.at += this.#escapes(comma, equals, space) ? 2 : 1;
		}
		if (this.at === start) return undefined;
		const key = unescaped(this.#text.slice(start, this.at), ',= ');
		this.at += 1;
		return key;
	}

	/** Reads up to a space or the line's end, and with `commas` up to a comma. */
	#token(commas: boolean): string {
		const start = this.at;
		for (let code = this.#code(); code !== space && !(commas && code === comma); code = this.#code()) {
			if ((code === newline || code === carriageReturn || Number.isNaN(code)) && this.atLineEnd()) break;
			this.at += 1;
		}
		return this.#text.slice(start, this.at);
	}

	/** Reads a string in quotes; it may hold newlines. */
	#string(): FieldValue | string {
		const text = this.#text;
		const start = this.at + 1;
		for (let at = start; at < text.length; at += 1) {
			const code = text.charCodeAt(at);
			if (code === backslash) {
				const next = text.charCodeAt(at + 1);
				if (next === quote || next === backslash) at += 1;
			} else if (code === quote) {
				this.at = at + 1;
				return { kind: 'string', value: unescaped(text.slice(start, at), '"\\') };
			}
		}
		this.at = text.length;
		return 'a string without its closing quote';
	}

	/** Reads the timestamp and gives it to the points from `first` on. */
	#stamp(points: Point[], first: number): string | undefined {
		const raw = this.#token(false);
		if (raw !== this.#timeText) {
			const timeNs = parseTime(raw, this.#precision);
			if (typeof timeNs === 'string') return timeNs;
			this.#timeText = raw;
			this.#timeNs = timeNs;
		}
		this.skipBlanks();
		if (!this.atLineEnd()) return 'unexpected text after the timestamp';
		for (let index = first; index < points.length; index += 1) {
			const point = points[index];
			if (point !== undefined) points[index] = { ...point, timeNs: this.#timeNs };
		}
		return undefined;
	}
}
