/** How a file names an item: by its name, and by its id where several items of the kind have that name. */
export interface ItemName {
	/** In the normal form C of Unicode. */
	readonly name: string;
	readonly id?: number;
}

/** The number signs at the end of a text, and the digits after them. */
const ending = /(#+)(\d*)$/;

/**
 * Returns the text by which a file names an item: the name, or `Name#12` with an id. Number signs at the end of a name, also before
 * digits, are written twice, so that a pump named `Pump #2` (`Pump ##2`) is never taken for the item 2.
 */
export function writeName({ name, id }: ItemName): string {
	const escaped = name.normalize('NFC').replace(ending, '$1$1$2');
	return id === undefined ? escaped : `${escaped}#${id}`;
}

/** Most items that one line names. */
const maxNamed = 20;

/** Joins texts that name items: the first 20, and how many more there are. */
export function joinNames(names: readonly string[]): string {
	const more = names.length > maxNamed ? `, and ${names.length - maxNamed} more` : '';
	return `${names.slice(0, maxNamed).join(', ')}${more}`;
}

/** Parses the text by which a file names an item. Never fails. */
export function parseName(text: string): ItemName {
	const normal = text.normalize('NFC');
	const [wholeEnding = '', signs = '', digits = ''] = ending.exec(normal) ?? [];
	const id = Number(digits);
	// The signs of a name are written twice, so their number is odd only where one of them begins an id: the last.
	const hasId = signs.length % 2 === 1;
	if (!hasId || digits === '' || !Number.isSafeInteger(id)) return { name: unescaped(normal) };
	return { name: unescaped(normal.slice(0, normal.length - wholeEnding.length) + signs.slice(1)), id };
}

/** Halves the number signs at the end. An odd number, which `writeName` does not write, loses its odd one. */
function unescaped(text: string): string {
	return text.replace(ending, (_ending, signs: string, digits: string) => signs.slice(Math.ceil(signs.length / 2)) + digits);
}
