/** How a file names an item: by its name, and by its id where several items of the kind have that name. */
export interface ItemName {
	/** In the normal form C of Unicode. */
	readonly name: string;
	readonly id?: number;
}

const ending = /(#+)(\d*)$/;

/**
 * Returns the text by which a file names an item: the name, or `Name#12` with an id. Number signs at the end of a name, also before
 * digits, are written twice, so that a pump named `Pump #2` (`Pump ##2`) is never taken for the item 2.
 */
export function writeName({ name, id }: ItemName): string {
	const escaped = name.normalize('NFC').replace(ending, '$1$1$2');
	return id === undefined ? escaped : `${escaped}#${id}`;
}

/** Parses the text by which a file names an item. Never fails. */
export function parseName(text: string): ItemName {
	const normal = text.normalize('NFC');
	const [all = '', signs = '', digits = ''] = ending.exec(normal) ?? [];
	const id = Number(digits);
	if (signs.length % 2 === 0 || digits === '' || !Number.isSafeInteger(id)) return { name: unescaped(normal) };
	return { name: unescaped(normal.slice(0, normal.length - all.length) + signs.slice(1)), id };
}

function unescaped(text: string): string {
	return text.replace(ending, (_, signs: string, digits: string) => signs.slice(Math.ceil(signs.length / 2)) + digits);
}
