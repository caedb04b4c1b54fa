/** How to reach AWS. On Lambda every field is left out: the SDK reads them from the environment. */
export interface AwsSettings {
	/** Address of an emulator, instead of the region's own. */
	readonly endpoint?: string;
	readonly region?: string;
	readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string };
}

/** The timeouts and attempts of a client of the SDK. */
export interface ClientLimits {
	readonly connectTimeoutMs: number;
	/** Time limit until a response begins. Callers limit the whole request with `abortSignal`. */
	readonly requestTimeoutMs: number;
	readonly maxAttempts: number;
}

/** Returns the configuration of a client of the SDK. The SDK has no timeouts of its own. */
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
			// Without it the SDK only logs a warning on a timeout.
			throwOnRequestTimeout: true,
		},
	};
}
