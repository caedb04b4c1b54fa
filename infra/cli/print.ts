/** The control characters that return to the beginning of a terminal's line and erase it. */
export const eraseLine = '\r\u001b[K';

/** Prints a line to standard output. */
export function print(line: string): void {
	process.stdout.write(`${line}\n`);
}
