import { TokenType, tokenize, tokenizer } from '@csstools/css-tokenizer';
import { readCss } from './css.ts';

/** The kinds of things that a drawing can lose when it becomes a background. */
export type LostKind = 'labels' | 'fonts' | 'images' | 'links' | 'effects' | 'animations' | 'scripts' | 'styles' | 'others';

/** Returns the value of a CSS variable such as `--c`; undefined: it has none. */
export type VariableValue = (name: string) => string | undefined;

/** Counts something that a drawing loses. */
export type Lose = (kind: LostKind) => void;

/** The most rules of a style sheet, and the most declarations of a rule, of which single ones are kept. Programs write hundreds. */
const maxStatements = 10_000;

/** The most characters of a variable. Longer ones, used often, could make a small file very large. */
const maxValue = 200;

/** How deep the functions around a variable may be nested. */
const maxCalls = 20;

/**
 * Returns a style sheet with the rules that a background may have, and with values in place of variables.
 * @param lose is called for each rule and each declaration that is left out
 */
export function plainSheet(css: string, variable: VariableValue, lose: Lose): string {
	if (isPlain(css)) return css;
	const plainRule = ({ head, block }: Statement): string => {
		const [, atRule] = /^@([\w-]*)/.exec(head) ?? [];
		const rule = block === null || atRule !== undefined ? null : `${head}{${plainDeclarations(block, variable, lose)}}`;
		if (rule !== null && readCss(rule).found === null) return rule;
		// These two change nothing that is drawn.
		if (!/^(?:charset|namespace)$/i.test(atRule ?? '')) lose(/^font-face$/i.test(atRule ?? '') ? 'fonts' : 'styles');
		return '';
	};
	return eachOf(statementsOf(css, 'rules'), lose).map(plainRule).join('');
}

/** Returns the declarations that a background may have, with values in place of variables. */
export function plainDeclarations(css: string, variable: VariableValue, lose: Lose): string {
	if (isPlain(css)) return css;
	const plain = eachOf(statementsOf(css, 'declarations'), lose).flatMap(({ head, block }) => {
		const property = head.slice(0, Math.max(0, head.indexOf(':'))).trim();
		// The values of variables stand where they are used.
		if (property.startsWith('--')) return [];
		const isFilter = property.toLowerCase() === 'filter';
		const declaration = plainValue(head, variable);
		if (block === null && !isFilter && readCss(declaration).found === null) return [declaration.trim()];
		lose(isFilter ? 'effects' : 'styles');
		return [];
	});
	return plain.join(';');
}

/**
 * Returns a value with values in place of variables, and with the first colour in place of `light-dark()`, because a background stands on
 * a light sheet. A variable without a value stays.
 */
export function plainValue(css: string, variable: VariableValue): string {
	if (!/\b(?:var|light-dark)\(/i.test(css)) return css;
	const tokens = tokenize({ css });
	let next = 0;
	/** Reads to the end of a call, or of the text. Returns what its commas separate. */
	const read = (calls: number): readonly string[] => {
		const parts = [''];
		const write = (text: string): void => void parts.push((parts.pop() ?? '') + text);
		for (let token = tokens[next]; token !== undefined; token = tokens[next]) {
			next += 1;
			const [type, text] = token;
			if (type === TokenType.CloseParen && calls > 0) break;
			if (type === TokenType.Comma) parts.push('');
			else if ((type === TokenType.Function || type === TokenType.OpenParen) && calls < maxCalls)
				write(callOf(text, read(calls + 1), variable));
			else if (type !== TokenType.Comment) write(text);
		}
		return parts;
	};
	return read(0).join(',');
}

/** Returns the values of variables that declarations define, by their names. */
export function definitionsIn(css: string): readonly (readonly [name: string, value: string])[] {
	return statementsOf(css, 'declarations').flatMap(({ head }) => {
		const colon = head.indexOf(':');
		const name = head.slice(0, Math.max(0, colon)).trim();
		return name.startsWith('--') ? [[name, head.slice(colon + 1).trim()] as const] : [];
	});
}

/** Returns the values of variables that the rules of style sheets define. A variable that has several has none: it depends on the element. */
export function definitionsInRules(sheets: readonly string[]): ReadonlyMap<string, string | null> {
	const definitions = new Map<string, string | null>();
	const withVariables = sheets.filter((css) => css.includes('--'));
	for (const { head, block } of withVariables.flatMap((css) => statementsOf(css, 'rules'))) {
		if (block === null || head.startsWith('@')) continue;
		for (const [name, value] of definitionsIn(block))
			definitions.set(name, (definitions.get(name) ?? value) === value && definitions.get(name) !== null ? value : null);
	}
	return definitions;
}

/** Returns the values of defined variables, which may refer to each other, and to those around them. */
export function variablesOf(definitions: ReadonlyMap<string, string | null>, outer: VariableValue): VariableValue {
	const values = new Map<string, string | undefined>();
	const variable: VariableValue = (name) => {
		const definition = definitions.get(name);
		if (definition === undefined) return outer(name);
		if (!values.has(name)) {
			// A variable that refers to itself has no value.
			values.set(name, undefined);
			const value = definition === null || definition.length > maxValue ? null : plainValue(definition, variable);
			values.set(name, value === null || value.length > maxValue || /\bvar\(/i.test(value) ? undefined : value);
		}
		return values.get(name);
	};
	return variable;
}

/** Whether CSS needs no change. */
function isPlain(css: string): boolean {
	return !/--|filter/i.test(css) && readCss(css).found === null;
}

function callOf(name: string, parts: readonly string[], variable: VariableValue): string {
	const [first = '', ...others] = parts;
	if (name.toLowerCase() === 'light-dark(') return first.trim();
	const value = name.toLowerCase() === 'var(' ? (variable(first.trim()) ?? others.join(',').trim()) : '';
	return value === '' ? `${name}${parts.join(',')})` : value;
}

function eachOf(statements: readonly Statement[], lose: Lose): readonly Statement[] {
	if (statements.length <= maxStatements) return statements;
	lose('styles');
	return [];
}

/** A rule, or a declaration, which has no block. */
interface Statement {
	readonly head: string;
	readonly block: string | null;
}

/** Divides CSS into the rules of a style sheet, or into declarations. Comments between them are left out. */
function statementsOf(css: string, kind: 'rules' | 'declarations'): readonly Statement[] {
	const statements: Statement[] = [];
	/** The type of the first token of a statement; null between two. */
	let first: TokenType | null = null;
	let [start, blockStart, depth] = [0, -1, 0];
	const end = (at: number): void => {
		const isRule = blockStart !== -1;
		if (first !== null)
			statements.push({ head: css.slice(start, isRule ? blockStart - 1 : at), block: isRule ? css.slice(blockStart, at) : null });
		[first, blockStart, depth] = [null, -1, 0];
	};
	const tokens = tokenizer({ css });
	while (!tokens.endOfFile()) {
		const [type, , at] = tokens.nextToken();
		if (first === null) {
			if (blanks.has(type)) continue;
			[first, start] = [type, at];
		}
		if (openers.has(type)) depth += 1;
		else if (closers.has(type)) depth = Math.max(0, depth - 1);
		const isEnd = type === TokenType.Semicolon && (kind === 'declarations' || first === TokenType.AtKeyword);
		if (depth === 0 && (isEnd || (type === TokenType.CloseCurly && blockStart !== -1))) end(at);
		else if (depth === 1 && type === TokenType.OpenCurly && blockStart === -1) blockStart = at + 1;
	}
	end(css.length);
	return statements;
}

/** The types of token that mean nothing between statements. Sheets for very old browsers stand in marks of HTML comments. */
const blanks: ReadonlySet<TokenType> = new Set([
	...[TokenType.Whitespace, TokenType.Comment, TokenType.CDO, TokenType.CDC, TokenType.EOF],
]);

const openers: ReadonlySet<TokenType> = new Set([
	...[TokenType.OpenCurly, TokenType.OpenSquare, TokenType.OpenParen, TokenType.Function],
]);

const closers: ReadonlySet<TokenType> = new Set([TokenType.CloseCurly, TokenType.CloseSquare, TokenType.CloseParen]);
