/**
 * How a file names an item: by its name, and by its id where several items of the kind have that name.
 *
 * | name | id | text in the file |
 * |---|---|---|
 * | `Pump` | | `Pump` |
 * | `Pump` | 12 | `Pump#12` |
 * | `Pump #2` | | `Pump ##2` |
 * | `Pump #2` | 12 | `Pump ##2#12` |
 */
export interface ItemName {
	/** In the normal form C of Unicode. */
	readonly name: string;
	readonly id?: number;
}

/**
 * Returns the text by which a file names an item. Number signs at the end of the name, also before digits, are doubled, so that a pump
 * named `Pump #2` is never taken for the item 2.
 */
export function writeName({ name, id }: ItemName): string {
	const { start, signs, digits } = splitAtSigns(name.normalize('NFC'));
	return `${start}${signs}${signs}${digits}${id === undefined ? '' : `#${id}`}`;
}

/** Parses the text by which a file names an item. Never fails. */
export function parseName(text: string): ItemName {
	const normal = text.normalize('NFC');
	const { signs, digits } = splitAtSigns(normal);
	const id = Number(digits);
	// The signs of the name are doubled. If their number is odd, the last one begins an id.
	const hasId = signs.length % 2 === 1 && digits !== '' && Number.isSafeInteger(id);
	return hasId ? { name: withSingleSigns(normal.slice(0, -(digits.length + 1))), id } : { name: withSingleSigns(normal) };
}

/** Most items that one line names. */
const maxNamed = 20;

/** Joins texts that name items: the first 20, and how many more there are. */
export function joinNames(names: readonly string[]): string {
	const more = names.length > maxNamed ? `, and ${names.length - maxNamed} more` : '';
	return `${names.slice(0, maxNamed).join(', ')}${more}`;
}

/** Halves the doubled number signs at the end of a text. An odd sign, which `writeName` never writes, is dropped. */
function withSingleSigns(text: string): string {
	const { start, signs, digits } = splitAtSigns(text);
	return start + signs.slice(Math.ceil(signs.length / 2)) + digits;
}

/** Splits a text at the number signs at its end: `Pump ##2` has the start `Pump `, the signs `##` and the digits `2`. */
function splitAtSigns(text: string) {
	const [ending = '', signs = '', digits = ''] = /(#+)(\d*)$/.exec(text) ?? [];
	return { start: text.slice(0, text.length - ending.length), signs, digits };
}
