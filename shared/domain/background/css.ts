import { type CSSToken, ParseError, type TokenFunction, TokenType, type TokenURL, tokenizer } from '@csstools/css-tokenizer';
import type { StyleRule, SvgReference } from './svg-element.ts';
import { svgFunctions } from './svg-names.ts';

/** What a text of CSS holds. */
interface CssContent {
	/** The first part that is not allowed, as it is written; null: all is allowed. */
	readonly found: string | null;
	/** The references outside of rules. */
	readonly references: readonly SvgReference[];
	/** The rules of a style sheet. */
	readonly rules: readonly StyleRule[];
	/** The largest size of a shape or font. */
	readonly largest: number;
}

/** How deep brackets may be nested. */
const maxBrackets = 100;

/** The most rules of a style sheet. A program writes hundreds. */
const maxRules = 10_000;

/**
 * Reads a style sheet, a style attribute or the value of another attribute, token by token as browsers do
 * (https://www.w3.org/TR/css-syntax-3/#tokenization). The time grows with the length of the text, not faster.
 *
 * Not allowed are rules that begin with @, functions that `svgFunctions` does not list, addresses other than `#id`, rules within rules,
 * escapes outside of strings, `<`, and brackets, strings and comments that end wrongly. Neither are siblings in selectors, tiny dashes,
 * and values that take a mask or a paint from another element: each draws much more than its text tells.
 * @param attribute the name of the attribute whose value it is; not of `style`, whose declarations name their properties
 */
export function readCss(css: string, attribute?: string): CssContent {
	const outside: SvgReference[] = [];
	const rules: StyleRule[] = [];
	let largest = 0;
	const result = (found: string | null): CssContent => ({ found, references: outside, rules, largest });
	if (css.includes('<')) return result('<');
	/** The types of token that close the open brackets. */
	const closers: TokenType[] = [];
	let references = outside;
	let selectors = new Selectors();
	let property = attribute ?? '';
	let takesMask = masks.test(property);
	let ident = '';
	/** The sum of a list of dashes. */
	let dashes = 0;
	try {
		const tokens = tokenizer({ css }, { onParseError: raise });
		for (let token = tokens.nextToken(); token[0] !== TokenType.EOF; token = tokens.nextToken()) {
			const type = token[0];
			const text = token[1];
			if (text.includes('\\') && type !== TokenType.String && type !== TokenType.Comment) return result('\\');
			if (attribute === undefined && closers.length === 0) selectors.add(type, text);
			// A declaration ends, or its value begins.
			if (type === TokenType.Colon || type === TokenType.Semicolon || type === TokenType.CloseCurly) {
				if (isTiny(dashes)) return result(tinyDashes);
				if (dashes > 0) references.push(dashesOf(dashes));
				dashes = 0;
			}
			// Parentheses without a name are those of sums.
			if (type === TokenType.OpenParen && closers.at(-1) !== TokenType.CloseParen) return result(callAt(css, token[2]));
			if (type === TokenType.OpenCurly) {
				if (closers.length > 0) return result(text);
				if (rules.length === maxRules) return result(`more than ${maxRules} rules`);
				if (selectors.sibling !== null) return result(selectors.sibling);
				references = [];
				rules.push({ parts: selectors.parts(), size: Math.max(1, selectors.size), references });
			}
			const closer = closerOf.get(type);
			if (closer !== undefined) {
				if (closers.push(closer) > maxBrackets) return result(text);
			} else if (closerTypes.has(type)) {
				if (closers.pop() !== type) return result(text);
			} else if (!allowedTypes.has(type) || text === '@') return result(text);
			if (type === TokenType.CloseCurly) {
				references = outside;
				selectors = new Selectors();
			} else if (type === TokenType.Ident) {
				ident = text;
				if (takesMask && fromElsewhere.test(ident)) return result(text);
			} else if (type === TokenType.Colon) {
				property = attribute ?? ident.toLowerCase();
				takesMask = masks.test(property);
				if (property === 'all') return result('all:');
			}
			const isDashes = property === 'stroke-dasharray';
			if (type === TokenType.Number || type === TokenType.Dimension || type === TokenType.Percentage) {
				const isFixed =
					type === TokenType.Number || (type === TokenType.Dimension && fixedUnits.has(token[4].unit.toLowerCase()));
				if (isDashes && !isFixed) return result(text);
				if (isDashes) dashes += token[4].value;
				if (sizes.has(property)) largest = Math.max(largest, Math.abs(token[4].value));
			}
			if (type !== TokenType.Function && type !== TokenType.URL) continue;
			if (type === TokenType.Function && (isDashes || !svgFunctions.has(text.slice(0, -1).toLowerCase())))
				return result(callAt(css, token[2]));
			const address = addressIn(token, tokens.nextToken);
			if (address === null) continue;
			const id = idOf(address);
			if (id === null) return result(callAt(css, token[2]));
			if (type === TokenType.Function) closers.pop();
			references.push({ id, property });
		}
		if (dashes > 0) references.push(dashesOf(dashes));
		return result(isTiny(dashes) ? tinyDashes : null);
	} catch (error) {
		if (error instanceof ParseError) return result(css.slice(error.sourceStart, error.sourceEnd + 1));
		throw error;
	}
}

/**
 * Returns the id in an address that names an element of the same SVG; null for every other address. Browsers decode `%`, so an id that has
 * one could be that of another element.
 */
export function idOf(address: string): string | null {
	return /^#[^\s"'()\\#%]+$/.test(address) ? address.slice(1) : null;
}

const closerOf: ReadonlyMap<TokenType, TokenType> = new Map([
	[TokenType.OpenCurly, TokenType.CloseCurly],
	[TokenType.OpenSquare, TokenType.CloseSquare],
	[TokenType.OpenParen, TokenType.CloseParen],
	[TokenType.Function, TokenType.CloseParen],
]);

const closerTypes: ReadonlySet<TokenType> = new Set(closerOf.values());

/** The types of token that are allowed beside brackets. Rules that begin with @, and what is broken, are of other types. */
const allowedTypes: ReadonlySet<TokenType> = new Set([
	...[TokenType.Ident, TokenType.Hash, TokenType.Number, TokenType.Dimension, TokenType.Percentage, TokenType.String],
	...[TokenType.URL, TokenType.Colon, TokenType.Semicolon, TokenType.Comma, TokenType.Delim],
	...[TokenType.Whitespace, TokenType.Comment],
]);

/** The least sum of a list of dashes, in any unit. Programs write 0.5 and more for each. */
const minDashes = 0.1;
const tinyDashes = `dashes of less than ${minDashes}`;

/** The units of dashes that are no shares of something else, all of which are longer than 0.9 units of the drawing. */
const fixedUnits: ReadonlySet<string> = new Set(['px', 'pt', 'pc', 'mm', 'cm', 'in', 'q']);

/** The properties that give a size to a shape or font. */
const sizes: ReadonlySet<string> = new Set(['r', 'rx', 'ry', 'width', 'height', 'font', 'font-size']);

function dashesOf(sum: number): SvgReference {
	return { id: '', property: 'stroke-dasharray', dashes: 1 / sum };
}

function isTiny(dashes: number): boolean {
	return dashes > 0 && dashes < minDashes;
}

/** The properties that draw an element through another one, and the words that take it from the parent. */
const masks = /^(?:-webkit-)?(?:mask|clip-path|filter)/;
const fromElsewhere = /^(?:inherit|unset|revert.*)$/i;

function raise(error: ParseError): never {
	throw error;
}

/**
 * Returns the address of a token that calls `url`; null for every other function. Of a call with a string it reads the rest. An empty text:
 * more than an address is in the call.
 */
function addressIn(token: TokenFunction | TokenURL, nextToken: () => CSSToken): string | null {
	if (token[0] === TokenType.URL) return token[4].value;
	if (token[4].value.toLowerCase() !== 'url') return null;
	const nextInCall = (): CSSToken => {
		const next = nextToken();
		return next[0] === TokenType.Whitespace ? nextToken() : next;
	};
	const address = nextInCall();
	const isAlone = nextInCall()[0] === TokenType.CloseParen;
	return isAlone && address[0] === TokenType.String && !address[1].includes('\\') ? address[4].value : '';
}

/** Returns a call for a message: up to the next closing parenthesis. */
function callAt(css: string, start: number): string {
	const end = css.indexOf(')', start);
	return end === -1 ? css.slice(start) : css.slice(start, end + 1);
}

/** Finds the last part of each selector of a rule, and counts all parts. */
class Selectors {
	/** The number of parts that are matched: names, classes, ids, states and attributes. */
	size = 0;
	/** What joins siblings in a selector: for each element, a browser tries all before it. Null: nothing. */
	sibling: string | null = null;
	readonly #ended: string[] = [];
	#part = '*';
	#before = '';

	/** Takes the next token before the block of the rule. */
	add(type: TokenType, text: string): void {
		if (type === TokenType.Comment) return;
		if (countedTypes.has(type) || text === '*') this.size += 1;
		else if (text === '+' || text === '~') this.sibling = text;
		if (type === TokenType.Comma) this.#ended.push(this.#part);
		else if (type === TokenType.Hash) this.#part = text;
		else if (type === TokenType.Ident && this.#before !== ':') this.#part = this.#before === '.' ? `.${text}` : text;
		else if (!keptParts.has(text) && type !== TokenType.Whitespace) this.#part = '*';
		this.#before = text;
	}

	parts(): readonly string[] {
		return [...this.#ended, this.#part];
	}
}

/** The types of token of which each is a part of a selector. */
const countedTypes: ReadonlySet<TokenType> = new Set([TokenType.Ident, TokenType.Hash, TokenType.OpenSquare]);

/** What stands in a selector without a meaning of its own for its last part. */
const keptParts: ReadonlySet<string> = new Set(['.', '>', '|', '{']);
