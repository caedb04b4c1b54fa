import * as v from 'valibot';

/** The parts of an error of the SDK or of the network that are read here. */
const errorSchema = v.object({
	name: v.fallback(v.string(), ''),
	message: v.fallback(v.string(), ''),
	code: v.fallback(v.string(), ''),
	cause: v.optional(v.unknown()),
});

/** How to get valid credentials; the end of several messages. */
const signIn = 'sign in (aws sso login), or set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY';

/** The messages by a pattern of the error's name, its code or its message. */
const messages: readonly (readonly [pattern: RegExp, message: (reason: string) => string])[] = [
	[/^CredentialsProviderError$/, () => `There are no AWS credentials: ${signIn}.`],
	[/^(TokenProviderError|ExpiredToken(Exception)?)$/, () => `The AWS credentials have expired: ${signIn}.`],
	[
		/^(InvalidClientTokenId|InvalidSignatureException|SignatureDoesNotMatch|UnrecognizedClientException)$/,
		(reason) => `AWS does not accept these credentials (${reason}): ${signIn}.`,
	],
	[/^AccessDeniedException$/, (reason) => `These credentials may not do that: ${reason}`],
	[
		/^ResourceNotFoundException$/,
		() => 'There is no such table: check --env and AWS_REGION, and deploy the data stack of that environment first.',
	],
	[/^Region (is missing|not accepted)/, () => 'Set AWS_REGION to the region of the stacks.'],
	[
		/^(ECONNREFUSED|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|TimeoutError)$/,
		(reason) => `AWS cannot be reached (${reason}): check the network, AWS_REGION and AWS_ENDPOINT_URL.`,
	],
];

/** Causes below this depth are not read: an error may be its own cause. */
const maxDepth = 8;

/** Returns the message for the operator when an error, or one of its causes, is a known failure of AWS or of reaching it; else null. */
export function awsErrorMessage(error: unknown, depth = 0): string | null {
	const parsed = v.safeParse(errorSchema, error);
	if (!parsed.success || depth === maxDepth) return null;
	const { name, message, code, cause } = parsed.output;
	const [, messageFor] = messages.find(([pattern]) => [name, code, message].some((text) => pattern.test(text))) ?? [];
	// The errors of some connections have no message, only a code.
	return messageFor === undefined ? awsErrorMessage(cause, depth + 1) : messageFor(message || code);
}
