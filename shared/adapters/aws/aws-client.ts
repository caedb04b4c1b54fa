/** Where AWS is, for clients of the SDK. Nothing is required on Lambda, whose environment says it all. */
export interface AwsSettings {
	/** Address of an emulator, instead of the region's own. */
	readonly endpoint?: string;
	readonly region?: string;
	readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string };
}

/** How long a client of the SDK waits, and how often it asks. */
export interface ClientLimits {
	readonly connectTimeoutMs: number;
	/** Until an answer begins. Whoever asks sets a deadline for all of it, with `abortSignal`. */
	readonly requestTimeoutMs: number;
	readonly maxAttempts: number;
}

/** Settings of a client of the SDK, which sets no timeout of its own accord. */
export function clientSettings(
	{ endpoint, region, credentials }: AwsSettings,
	{ connectTimeoutMs, requestTimeoutMs, maxAttempts }: ClientLimits,
) {
	return {
		...(endpoint === undefined ? {} : { endpoint }),
		...(region === undefined ? {} : { region }),
		...(credentials === undefined ? {} : { credentials }),
		maxAttempts,
		requestHandler: {
			connectionTimeout: connectTimeoutMs,
			requestTimeout: requestTimeoutMs,
			// Without it a timeout is a line in the log, and nothing else.
			throwOnRequestTimeout: true,
		},
	};
}
