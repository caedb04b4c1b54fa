/** What one service shows another to be let in, and which may be changed while it is in use. */
export interface Secret {
	/** As it was last read. Rejects with SecretError. */
	value(): Promise<string>;
	/**
	 * As it is now, after `refused` was not accepted: read anew unless that has happened meanwhile. The same again where it has
	 * not been changed. Rejects with SecretError.
	 */
	renewed(refused: string): Promise<string>;
}

/** A secret that cannot be had. The message says why and what to do, for the log; it never holds the secret. */
export class SecretError extends Error {
	override readonly name = 'SecretError';
}

/**
 * Whether a text can be a secret: visible ASCII characters, without spaces. They are sent in a header, and an HTTP client that is
 * given any other character may quote the whole text in its error.
 */
export function isSecretText(text: string): boolean {
	return /^[!-~]+$/.test(text);
}

/** A secret that stays what it is: for one machine, and for tests. Throws SecretError where the text can be none. */
export function staticSecret(text: string): Secret {
	if (!isSecretText(text)) throw new SecretError('A token has to be visible ASCII characters, without spaces.');
	return { value: async () => text, renewed: async () => text };
}

/**
 * Shows a secret: once, and once more where it was refused and is another now.
 * @param signal aborted when there is no more time: ends the waiting for the secret, but no attempt
 * @param attempt makes the request that shows it
 * @param isRefusal whether what `attempt` threw says that the secret was not accepted
 * Rejects with SecretError (which begins with why the secret was refused, if it was; its cause is the signal's reason where there
 * was no more time), or as the last attempt did.
 */
export async function withSecret<Answer>(
	secret: Secret,
	signal: AbortSignal,
	attempt: (text: string) => Promise<Answer>,
	isRefusal: (error: unknown) => boolean,
): Promise<Answer> {
	const shown = await until(signal, secret.value());
	try {
		return await attempt(shown);
	} catch (error) {
		if (!isRefusal(error)) throw error;
		const renewed = await until(signal, secret.renewed(shown)).catch((renewal: unknown) => {
			if (!(error instanceof Error && renewal instanceof SecretError)) throw renewal;
			throw new SecretError(`${error.message}; ${renewal.message}`, { cause: renewal.cause });
		});
		if (renewed === shown) throw error;
		return attempt(renewed);
	}
}

/** Waits no longer than until the signal is aborted: then rejects with SecretError, whose cause is the signal's reason. */
async function until(signal: AbortSignal, pending: Promise<string>): Promise<string> {
	let stop = (): void => undefined;
	const aborted = new Promise<never>((_, reject) => {
		stop = () => reject(new SecretError('the token was not read in time', { cause: signal.reason }));
		if (signal.aborted) stop();
		else signal.addEventListener('abort', stop, { once: true });
	});
	try {
		return await Promise.race([pending, aborted]);
	} finally {
		signal.removeEventListener('abort', stop);
	}
}
