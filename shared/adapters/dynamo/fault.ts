import * as v from 'valibot';

/**
 * What a failed request tells. `busy`: not applied; others were in the way, or too many. `unreached`: never sent. `refused`: not
 * applied, and never will be. `uncertain`: it may have been applied, or may still be.
 */
export type Fault = 'busy' | 'unreached' | 'refused' | 'uncertain';

/** What this module looks at in an error of the SDK or of the network. */
const errorSchema = v.object({
	name: v.fallback(v.string(), ''),
	message: v.fallback(v.string(), ''),
	code: v.fallback(v.string(), ''),
	$metadata: v.fallback(v.object({ httpStatusCode: v.fallback(v.number(), 0) }), { httpStatusCode: 0 }),
	CancellationReasons: v.fallback(v.array(v.object({ Code: v.fallback(v.string(), 'None') })), []),
});

/** Refusals of a moment. A wrong clock is among them: the SDK has corrected it by the next attempt. */
const busyNames: ReadonlySet<string> = new Set([
	'ProvisionedThroughputExceededException',
	'RequestLimitExceeded',
	'RequestTimeTooSkewed',
	'InvalidSignatureException',
	'ThrottledException',
	'ThrottlingException',
	'TransactionConflictException',
]);

const busyReasons: ReadonlySet<string> = new Set(['ProvisionedThroughputExceeded', 'ThrottlingError', 'TransactionConflict']);

const unreachedCodes: ReadonlySet<string> = new Set(['ECONNREFUSED', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND']);

/** Why each action of a cancelled transaction failed, in their order (`None`: it did not); empty for any other error. */
export function cancellationReasons(error: unknown): readonly string[] {
	const parsed = v.safeParse(errorSchema, error);
	return parsed.success && parsed.output.name === 'TransactionCanceledException'
		? parsed.output.CancellationReasons.map(({ Code }) => Code)
		: [];
}

/** Whether the condition of a single write did not hold. */
export function isConditionFailed(error: unknown): boolean {
	return error instanceof Error && error.name === 'ConditionalCheckFailedException';
}

/** Whether DynamoDB found the request itself wrong: a transaction beyond 4 MB among others. */
export function isInvalid(error: unknown): boolean {
	return (
		(error instanceof Error && error.name === 'ValidationException') || cancellationReasons(error).includes('ValidationError')
	);
}

/**
 * What an error tells of the request that it ended. Whatever is not known to be certain is `uncertain`:
 * TransactionInProgressException, 5xx, timeouts and lost connections among them.
 */
export function faultOf(error: unknown): Fault {
	const parsed = v.safeParse(errorSchema, error);
	if (!parsed.success) return 'uncertain';
	const { name, message, code, $metadata } = parsed.output;
	if (busyNames.has(name) || cancellationReasons(error).some((reason) => busyReasons.has(reason))) return 'busy';
	if (unreachedCodes.has(code) || name === 'CredentialsProviderError') return 'unreached';
	// The SDK's handler has one name for both of its timeouts; of these only this one comes before anything is sent.
	if (name === 'TimeoutError' && message.includes('did not establish a connection')) return 'unreached';
	if (name === 'TransactionInProgressException') return 'uncertain';
	const { httpStatusCode } = $metadata;
	return httpStatusCode >= 400 && httpStatusCode < 500 ? 'refused' : 'uncertain';
}
