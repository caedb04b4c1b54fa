/** Most characters of a server's message that are kept for the log. */
const maxLength = 300;

/** A quotation, an object or a line break, after which the text can repeat the request. An apostrophe within a word is not a quotation. */
const quotation = /["`\\{\n]|(?<!\w)'/;

/**
 * Cuts a server's message for the log before anything that it may quote: the request with names of the tenant, or a secret.
 * @param secrets the secrets that the request contained
 * @example redactServerMessage('could not find bucket "plant_a"') // 'could not find bucket …'
 */
export function redactServerMessage(message: string, ...secrets: readonly string[]): string {
	const ends = [message.search(quotation), ...secrets.map((secret) => message.indexOf(secret))].filter((end) => end >= 0);
	const redacted = message.slice(0, Math.min(maxLength, ...ends)).trimEnd();
	return redacted.length < message.length ? `${redacted} …`.trimStart() : redacted;
}

/**
 * Returns the name and the redacted message of an error, for the log. For errors that can quote a server or a request; use
 * `messageOf` for other errors.
 */
export function redactError(error: unknown): string {
	if (!(error instanceof Error)) return redactServerMessage(String(error));
	// A parser's message quotes the text that it could not parse.
	return error instanceof SyntaxError ? 'the answer is not JSON' : `${error.name}: ${redactServerMessage(error.message)}`;
}
