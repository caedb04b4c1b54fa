/** Longest text of a server that is kept for the log, in characters. */
const maxLength = 300;

/** A quotation, an object or a further line: from there on it may be anything. An apostrophe within a word is none. */
const foreign = /["`\\{\n]|(?<!\w)'/;

/**
 * What a server says, as far as it is sure to be in its own words, for the log: up to where it quotes something, for that may be
 * the request with the tenant's names, or repeats a secret, as a proxy before it may.
 * @param secrets what it was shown
 */
export function redactServerMessage(message: string, ...secrets: readonly string[]): string {
	const ends = [message.search(foreign), ...secrets.map((secret) => message.indexOf(secret))].filter((end) => end >= 0);
	const words = message.slice(0, Math.min(maxLength, ...ends)).trimEnd();
	return words.length < message.length ? `${words} …`.trimStart() : words;
}

/** What an error says, for the log: its name and what is sure to be no request and no answer. */
export function reasonOf(error: unknown): string {
	if (!(error instanceof Error)) return redactServerMessage(String(error));
	// A parser's message quotes what it could not parse.
	return error instanceof SyntaxError ? 'the answer is not JSON' : `${error.name}: ${redactServerMessage(error.message)}`;
}
