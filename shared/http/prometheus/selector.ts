import { RE2JS } from 're2js';
import { PrometheusError } from './prometheus-error.ts';

/** The labels of a series, with its metric as `__name__`. */
export type Labels = Readonly<Record<string, string>>;

/** Whether a series has the labels that a selector asks for. */
export type Selector = (labels: Labels) => boolean;

/** A condition on one label. A label that a series lacks is empty text. */
export interface Matcher {
	readonly name: string;
	readonly operator: '=' | '!=' | '=~' | '!~';
	readonly value: string;
}

/** Longest expression, in characters. */
const maxLength = 10_000;

/** Longest regular expression, in characters. */
const maxPatternLength = 1000;

const onlySelectors =
	'only selectors such as caudal_value{id="13"} are answered, without functions, operators, ranges and offsets';

/**
 * Parses a selector of PromQL: a metric, matchers in braces, or both (Prometheus, "Querying basics", time series selectors).
 * @throws PrometheusError `bad_data` for everything else, with the place of the fault as Prometheus has it
 */
export function parseSelector(text: string): readonly Matcher[] {
	const reader = new Reader(text);
	const matchers: Matcher[] = [];
	const metric = reader.take(/[a-zA-Z_:][a-zA-Z0-9_:]*/y);
	if (metric !== null) matchers.push({ name: '__name__', operator: '=', value: metric });
	if (reader.take(/\{/y) !== null) {
		while (reader.take(/\}/y) === null) {
			matchers.push(reader.matcher());
			if (reader.take(/,/y) !== null) continue;
			reader.expect(/\}/y, '"," or "}"');
			break;
		}
	} else if (metric === null) reader.fail(`expected a selector: ${onlySelectors}`);
	reader.end();
	if (metric !== null && matchers.filter(({ name }) => name === '__name__').length > 1)
		throw new PrometheusError('bad_data', `1:1: parse error: metric name must not be set twice: ${metric}`);
	const compiled = matchers.map((each) => conditionOf(each));
	if (compiled.every((condition) => condition('')))
		throw new PrometheusError('bad_data', '1:1: parse error: vector selector must contain at least one non-empty matcher');
	return matchers;
}

/** Returns whether series have what some matchers ask for. Regular expressions match the whole value, in time linear in its length (RE2). */
export function selectorOf(matchers: readonly Matcher[]): Selector {
	const conditions = matchers.map((matcher) => [matcher.name, conditionOf(matcher)] as const);
	return (labels) => conditions.every(([name, condition]) => condition(labelOf(labels, name)));
}

/** Returns a label; empty where a series lacks it. */
export const labelOf = (labels: Labels, name: string): string => (Object.hasOwn(labels, name) ? (labels[name] ?? '') : '');

function conditionOf({ operator, value }: Matcher): (label: string) => boolean {
	if (operator === '=') return (label) => label === value;
	if (operator === '!=') return (label) => label !== value;
	const matches = patternOf(value);
	return operator === '=~' ? matches : (label) => !matches(label);
}

function patternOf(pattern: string): (label: string) => boolean {
	const wrong = (why: string) => new PrometheusError('bad_data', `1:1: parse error: error parsing regexp: ${why}: ${pattern}`);
	if (pattern.length > maxPatternLength) throw wrong(`longer than ${maxPatternLength} characters`);
	let compiled: RE2JS;
	try {
		compiled = RE2JS.compile(pattern, RE2JS.DOTALL);
	} catch {
		throw wrong('not a regular expression of RE2');
	}
	return (label) => compiled.matches(label);
}

/** Reads an expression from its start. Blanks and comments between its parts mean nothing. */
class Reader {
	readonly #text: string;
	#at = 0;

	constructor(text: string) {
		if (text.length > maxLength)
			throw new PrometheusError('bad_data', `1:1: parse error: the expression is longer than ${maxLength} characters`);
		this.#text = text;
	}

	/** Returns the text that a sticky pattern matches here, and goes on behind it; null: it matches nothing. */
	take(pattern: RegExp): string | null {
		this.#skipBlanks();
		return this.#matchHere(pattern);
	}

	expect(pattern: RegExp, what: string): string {
		return this.take(pattern) ?? this.fail(`unexpected ${this.#next()}, expected ${what}`);
	}

	/** Reads a matcher: a label, an operator and a quoted value; or a quoted metric. */
	matcher(): Matcher {
		const quoted = this.#quoted();
		const name = quoted ?? this.expect(/[a-zA-Z_][a-zA-Z0-9_]*/y, 'a label');
		const operator = this.take(/=~|!~|!=|=/y);
		if (operator === null && quoted !== null) return { name: '__name__', operator: '=', value: quoted };
		if (operator !== '=' && operator !== '!=' && operator !== '=~' && operator !== '!~')
			return this.fail(`unexpected ${this.#next()} in label matching, expected one of =, !=, =~, !~`);
		const value = this.#quoted() ?? this.fail(`unexpected ${this.#next()} in label matching, expected a quoted text`);
		return { name, operator, value };
	}

	/** Checks that nothing follows. */
	end(): void {
		this.#skipBlanks();
		if (this.#at < this.#text.length) this.fail(`unexpected ${this.#next()}: ${onlySelectors}`);
	}

	fail(message: string): never {
		const before = this.#text.slice(0, this.#at).split('\n');
		const column = (before.at(-1)?.length ?? 0) + 1;
		throw new PrometheusError('bad_data', `${before.length}:${column}: parse error: ${message}`);
	}

	/** Reads a text in quotes, with the escapes of Go, or in backticks, as it is; null: there is none. */
	#quoted(): string | null {
		const raw = this.take(/`[^`]*`/y);
		if (raw !== null) return raw.slice(1, -1);
		const quoted = this.take(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/y);
		if (quoted === null) return null;
		return quoted
			.slice(1, -1)
			.replaceAll(/\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|(.))/g, (sequence, ...parts) =>
				this.#unescaped(sequence, parts, quoted[0]),
			);
	}

	#unescaped(sequence: string, [hex2, hex4, hex8, octal, letter = '']: readonly (string | undefined)[], quote = '"'): string {
		const hex = hex2 ?? hex4 ?? hex8;
		const code = hex !== undefined ? Number.parseInt(hex, 16) : octal !== undefined ? Number.parseInt(octal, 8) : null;
		if (code !== null) return code > 0x10_ff_ff ? this.fail(`unknown escape sequence ${sequence}`) : String.fromCodePoint(code);
		return (letter === quote ? quote : escapes[letter]) ?? this.fail(`unknown escape sequence ${sequence}`);
	}

	#skipBlanks(): void {
		this.#matchHere(/(?:\s|#[^\n]*)*/y);
	}

	#matchHere(pattern: RegExp): string | null {
		pattern.lastIndex = this.#at;
		const [found] = pattern.exec(this.#text) ?? [];
		if (found === undefined) return null;
		this.#at += found.length;
		return found;
	}

	#next(): string {
		const rest = this.#text.slice(this.#at, this.#at + 20);
		return rest === '' ? 'end of input' : JSON.stringify(rest);
	}
}

/** What a letter behind a backslash means. */
const escapes: Readonly<Record<string, string>> = {
	...{ a: '\u0007', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
	'\\': '\\',
};
