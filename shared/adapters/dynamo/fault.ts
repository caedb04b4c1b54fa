import * as v from 'valibot';

/**
 * The result of a failed request. `busy`: not applied, because of other requests or throttling. `unreached`: never sent. `refused`: not
 * applied, and a retry would be refused too. `uncertain`: it may have been applied, or still be.
 */
export type RequestFault = 'busy' | 'unreached' | 'refused' | 'uncertain';

/** The parts of an error of the SDK or of the network that this module reads. Any other value has none of them. */
const errorSchema = v.fallback(
	v.object({
		name: v.fallback(v.string(), ''),
		message: v.fallback(v.string(), ''),
		code: v.fallback(v.string(), ''),
		$metadata: v.fallback(v.object({ httpStatusCode: v.fallback(v.number(), 0) }), { httpStatusCode: 0 }),
		CancellationReasons: v.fallback(v.array(v.object({ Code: v.fallback(v.string(), 'None') })), []),
	}),
	{ name: '', message: '', code: '', $metadata: { httpStatusCode: 0 }, CancellationReasons: [] },
);

/** Temporary refusals. A wrong clock is one: the SDK corrects its clock before the next attempt. */
const busyNames: ReadonlySet<string> = new Set([
	'ProvisionedThroughputExceededException',
	'RequestLimitExceeded',
	'RequestTimeTooSkewed',
	'InvalidSignatureException',
	'ThrottledException',
	'ThrottlingException',
	'TransactionConflictException',
]);
/** The same as reasons of a cancelled transaction. */
const busyReasons: ReadonlySet<string> = new Set(['ProvisionedThroughputExceeded', 'ThrottlingError', 'TransactionConflict']);
/** Codes of the network that mean that no connection was made. */
const unreachedCodes: ReadonlySet<string> = new Set(['ECONNREFUSED', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND']);

/** The name of the error of a cancelled transaction. `cancellationReasons` says why. */
export const transactionCancelled = 'TransactionCanceledException';

/** Returns why each action of a cancelled transaction failed, in order (`None`: it did not); empty for any other error. */
export function cancellationReasons(error: unknown): readonly string[] {
	const { name, CancellationReasons } = v.parse(errorSchema, error);
	return name === transactionCancelled ? CancellationReasons.map(({ Code }) => Code) : [];
}

/** Whether DynamoDB rejects the request itself as invalid, such as a transaction beyond 4 MB. */
export function isInvalid(error: unknown): boolean {
	return v.parse(errorSchema, error).name === 'ValidationException' || cancellationReasons(error).includes('ValidationError');
}

/**
 * Classifies the error of a failed request as `busy`, `unreached` or `refused`. Anything else is `uncertain`, for example
 * TransactionInProgressException, 5xx, timeouts and lost connections.
 */
export function requestFaultOf(error: unknown): RequestFault {
	const { name, message, code, $metadata } = v.parse(errorSchema, error);
	if (busyNames.has(name) || cancellationReasons(error).some((reason) => busyReasons.has(reason))) return 'busy';
	if (unreachedCodes.has(code) || name === 'CredentialsProviderError') return 'unreached';
	// The SDK gives both of its timeouts the same name. Only this message means that nothing was sent.
	if (name === 'TimeoutError' && message.includes('did not establish a connection')) return 'unreached';
	// Its status is 400, but an earlier attempt of the transaction may still be applied.
	if (name === 'TransactionInProgressException') return 'uncertain';
	const { httpStatusCode } = $metadata;
	return httpStatusCode >= 400 && httpStatusCode < 500 ? 'refused' : 'uncertain';
}
