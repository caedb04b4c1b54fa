/** The control characters that return to the beginning of a terminal's line and erase it. */
export const eraseLine = '\r\u001b[K';

/**
 * Stands for the escape character in what `coloursFor` returns. Whoever names an item cannot know it, because it is made anew for each
 * process.
 */
export const colourMark = `\ue000${crypto.randomUUID()}`;

/** Prints a line to standard output, or to another stream. Of control characters, only those of `coloursFor` reach it. */
export function print(line: string, stream: NodeJS.WritableStream = process.stdout): void {
	stream.write(`${printable(line)}\n`);
}

/** Prints the lines of a text that holds no names of its own, such as JSON. */
export function printLines(text: string, stream?: NodeJS.WritableStream): void {
	for (const line of text.split('\n')) print(line, stream);
}

/**
 * Returns text as a terminal may show it. Control characters of names could control it, a line break could begin a line of its own, and marks
 * of text direction could show the words in a misleading order: they are escaped as in JSON.
 */
export function printable(text: string): string {
	return text.replace(/(?!\t)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, escaped).replaceAll(colourMark, '\u001b');
}

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
