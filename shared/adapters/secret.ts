/** A credential that the service presents to a dependency (InfluxDB token, identity provider token). It can change while in use. */
export interface Secret {
	/** Returns the secret as it was last read. Rejects with SecretError. */
	value(): Promise<string>;
	/**
	 * Returns the cached value if it differs from `refused`, otherwise reads again. Returns the same text when the secret has not
	 * changed. Rejects with SecretError.
	 */
	refresh(refused: string): Promise<string>;
}

/** A secret that cannot be read or used. The message says why and what to do, for the log; it never contains the secret. */
export class SecretError extends Error {
	override readonly name = 'SecretError';
}

/**
 * Whether a text can be a secret: visible ASCII characters without spaces. Secrets are sent in a header, and an HTTP client that is
 * given any other character may quote the whole header in its error.
 */
export function isSecretText(text: string): boolean {
	return /^[!-~]+$/.test(text);
}

/** Creates a secret that never changes, for one machine and for tests. @throws SecretError when `isSecretText` is false */
export function staticSecret(text: string): Secret {
	if (!isSecretText(text)) throw new SecretError('A token has to be visible ASCII characters, without spaces.');
	return { value: async () => text, refresh: async () => text };
}

/**
 * Makes a request with a secret. When the secret is refused and has changed, makes the request once more with the new one.
 * @param signal ends the waiting for the secret; a request in flight has to observe it by itself
 * @param isRefusal whether an error of `request` means that the secret was not accepted
 * @throws SecretError when the secret cannot be read, with the reason of `signal` as its cause when time was up; otherwise the
 *   error of the last request
 * @example await withSecret(token, signal, (text) => query(text, signal), (error) => error instanceof StatusError && error.status === 401)
 */
export async function withSecret<Result>(
	secret: Secret,
	signal: AbortSignal,
	request: (text: string) => Promise<Result>,
	isRefusal: (error: unknown) => boolean,
): Promise<Result> {
	const text = await abortable(signal, secret.value());
	try {
		return await request(text);
	} catch (error) {
		if (!isRefusal(error)) throw error;
		const current = await abortable(signal, secret.refresh(text)).catch((failure: unknown) => {
			if (!(error instanceof Error && failure instanceof SecretError)) throw failure;
			// The log needs both: why the request was refused, and why the secret could not be read again.
			throw new SecretError(`${error.message}; ${failure.message}`, { cause: failure.cause });
		});
		if (current === text) throw error;
		return request(current);
	}
}

/** Whether a request failed because its `AbortSignal.timeout` was over, be it while its secret was read. */
export function isTimeout(error: unknown): boolean {
	if (error instanceof SecretError) return isTimeout(error.cause);
	return error instanceof DOMException && error.name === 'TimeoutError';
}

/** Waits for a secret until the signal is aborted. Then rejects with SecretError, whose cause is the signal's reason. */
async function abortable(signal: AbortSignal, pending: Promise<string>): Promise<string> {
	const { promise: aborted, reject } = Promise.withResolvers<never>();
	const abort = (): void => reject(new SecretError('the token was not read in time', { cause: signal.reason }));
	signal.addEventListener('abort', abort);
	if (signal.aborted) abort();
	try {
		return await Promise.race([pending, aborted]);
	} finally {
		signal.removeEventListener('abort', abort);
	}
}
