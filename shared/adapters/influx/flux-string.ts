/** What has a meaning in a Flux string, and what no script should hold as itself: control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that are escaped.
const special = /[\u0000-\u001f\u007f"\\$]/g;

/**
 * Any text as a Flux string literal. Everything special is written as its byte, `\xHH`: the escapes that Flux has names for, and
 * those of the client, do not survive `$"`, `$${x}` or NUL on a real server, which then refuses the whole script.
 */
export function fluxString(text: string): string {
	return `"${text.replace(special, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`)}"`;
}
