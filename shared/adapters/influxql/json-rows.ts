import type { Cell } from './msgpack.ts';

/** A row: its cells by the names of their columns. A cell without a value is left out, and null is a number that JSON cannot write. */
export type JsonRow = ReadonlyMap<string, Cell>;

const punctuation = /\s*([[\]{},:])\s*/y;
const textToken = /"[^"\\]*(?:\\.[^"\\]*)*"/y;
const plainToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/**
 * Reads an array of flat rows, one after the other: all of them at once would need several times the memory of the text. A number without fraction and exponent is an integer, so that 3 and 3.0 stay apart and no digit is lost.
 * @throws RangeError when the text is anything else
 */
export function* readJsonRows(text: string): Generator<JsonRow, void> {
	let at = 0;
	const token = (pattern: RegExp): string | undefined => {
		pattern.lastIndex = at;
		const [whole, part] = pattern.exec(text) ?? [];
		if (whole !== undefined) at += whole.length;
		return part ?? whole;
	};
	const expect = (...allowed: readonly string[]): string => {
		const found = token(punctuation);
		if (found === undefined || !allowed.includes(found)) throw unexpected(text, at);
		return found;
	};
	const readText = (): string => {
		const found = token(textToken);
		if (found === undefined) throw unexpected(text, at);
		// Few names and values have escapes. JSON.parse knows those.
		return found.includes('\\') ? String(JSON.parse(found)) : found.slice(1, -1);
	};
	const readCell = (): Cell => {
		if (text[at] === '"') return readText();
		const word = token(plainToken);
		if (word === undefined) throw unexpected(text, at);
		const cell = words[word];
		if (cell !== undefined) return cell;
		return /[.eE]/.test(word) ? Number(word) : BigInt(word);
	};
	const readRow = (): JsonRow => {
		const row = new Map<string, Cell>();
		let next = '{';
		while (next !== '}') {
			const name = readText();
			expect(':');
			if (row.has(name)) throw new RangeError(`Two columns have the name ${name}.`);
			row.set(name, readCell());
			next = expect(',', '}');
		}
		return row;
	};
	expect('[');
	if (text[at] === ']') {
		expect(']');
	} else {
		let next = ',';
		while (next !== ']') {
			expect('{');
			yield readRow();
			next = expect(',', ']');
		}
	}
	if (at !== text.length) throw unexpected(text, at);
}

const words: Readonly<Record<string, Cell>> = { true: true, false: false, null: null };

/** @param at the position in the text that was reached */
const unexpected = (text: string, at: number): RangeError =>
	new RangeError(at < text.length ? `JSON has something else at ${at} than rows have there.` : 'A response that was cut short.');
