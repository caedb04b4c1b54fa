import * as v from 'valibot';

/** What this module looks at in an error of the SDK or of the network, and in what it was caused by. */
const errorSchema = v.object({
	name: v.fallback(v.string(), ''),
	message: v.fallback(v.string(), ''),
	code: v.fallback(v.string(), ''),
	cause: v.optional(v.unknown()),
});

type Seen = v.InferOutput<typeof errorSchema>;

const signIn = 'sign in (aws sso login), or set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY';

const notTaken = ({ message }: Seen): string => `AWS does not take these credentials (${message}): ${signIn}.`;

const expired = (): string => `The AWS credentials have expired: ${signIn}.`;

/** What to do about an error, by its name. */
const byName: ReadonlyMap<string, (error: Seen) => string> = new Map([
	['CredentialsProviderError', () => `There are no AWS credentials: ${signIn}.`],
	['TokenProviderError', expired],
	['ExpiredToken', expired],
	['ExpiredTokenException', expired],
	['InvalidClientTokenId', notTaken],
	['InvalidSignatureException', notTaken],
	['SignatureDoesNotMatch', notTaken],
	['UnrecognizedClientException', notTaken],
	['AccessDeniedException', ({ message }) => `These credentials may not do that: ${message}`],
	[
		'ResourceNotFoundException',
		() => 'There is no such table: check --env and AWS_REGION, and deploy the data stack of that environment first.',
	],
]);

const unreachedCodes: ReadonlySet<string> = new Set(['ECONNREFUSED', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND']);

/** Causes of causes beyond this are not looked at. */
const maxDepth = 8;

/** What an operator is told of a failure of AWS, or in reaching it; null where the error, and what caused it, is none that is known. */
export function awsErrorMessage(error: unknown): string | null {
	let seen: unknown = error;
	for (let depth = 0; depth < maxDepth; depth += 1) {
		const parsed = v.safeParse(errorSchema, seen);
		if (!parsed.success) return null;
		const words = wordsOf(parsed.output);
		if (words !== null) return words;
		seen = parsed.output.cause;
	}
	return null;
}

function wordsOf(error: Seen): string | null {
	const words = byName.get(error.name);
	if (words !== undefined) return words(error);
	if (/^Region (is missing|not accepted)/.test(error.message)) return 'Set AWS_REGION to the region that the stacks are in.';
	if (unreachedCodes.has(error.code) || error.name === 'TimeoutError')
		return `AWS cannot be reached (${error.message || error.code}): check the network, AWS_REGION and AWS_ENDPOINT_URL.`;
	return null;
}
