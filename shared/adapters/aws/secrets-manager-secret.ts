import { GetSecretValueCommand, ResourceNotFoundException, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { redactError } from '../redact.ts';
import { isSecretText, type Secret, SecretError } from '../secret.ts';
import { type AwsSettings, type ClientLimits, clientSettings } from './aws-client.ts';

/** The secret to read, and how to reach Secrets Manager. */
export interface SecretsManagerSettings extends AwsSettings {
	/** Name or ARN of the secret. Its text is the token alone; a line break at its end is dropped. */
	readonly secretId: string;
	/** Whether the text may also be JSON: tokens by address. `tokenFor` finds the token in it, and says what is wrong. */
	readonly mayBeTable?: boolean;
	/** Returns epoch milliseconds, by default of the wall clock: a monotonic one may stand still while a function is frozen. */
	readonly now?: () => number;
}

const limits: ClientLimits = { connectTimeoutMs: 1000, requestTimeoutMs: 2000, maxAttempts: 2 };
/** Time limit of a read, for all attempts, including the body of the response. */
const readMs = 4500;
/** After a refused secret was read again and had not changed, it is not read again for this time. */
const unchangedPauseMs = 10_000;

/**
 * Creates a secret of AWS Secrets Manager. It is read on first use, cached, and read again after a refusal. Concurrent callers share
 * one read. A failed read is not cached.
 */
export function createSecretsManagerSecret({
	secretId,
	mayBeTable = false,
	now = Date.now,
	...settings
}: SecretsManagerSettings): Secret {
	const client = new SecretsManagerClient(clientSettings(settings, limits));
	const unusable = (why: string): SecretError =>
		new SecretError(
			`Secret ${secretId} ${why}. Store the token alone: aws secretsmanager put-secret-value --secret-id ${secretId} --secret-string file://token.txt`,
		);
	let cached: string | undefined;
	/** Time of the last re-read that found no change or failed; undefined after one that found a change. */
	let refreshedAt: number | undefined;
	let pending: Promise<string> | undefined;

	const fetchText = async (): Promise<string> => {
		const command = new GetSecretValueCommand({ SecretId: secretId });
		const response = await client.send(command, { abortSignal: AbortSignal.timeout(readMs) }).catch((error: unknown) => {
			// The secret does not exist, or has no text yet.
			if (error instanceof ResourceNotFoundException) throw unusable(`cannot be read (${redactError(error)})`);
			throw new SecretError(`Secret ${secretId} cannot be read: ${redactError(error)}`);
		});
		const text = response.SecretString?.replace(/[\r\n]+$/, '');
		if (text === undefined) throw unusable('has no text');
		if (mayBeTable && text.startsWith('{')) return text;
		const problem = problemOf(text);
		if (problem !== null) throw unusable(problem);
		return text;
	};
	const readOnce = async (): Promise<string> => {
		try {
			const text = await fetchText();
			if (text !== cached) refreshedAt = undefined;
			cached = text;
			return text;
		} finally {
			pending = undefined;
		}
	};
	const readShared = (): Promise<string> => {
		pending ??= readOnce();
		return pending;
	};
	/** Whether a re-read has just found no change. False after the clock was set back. */
	const isTooSoon = (): boolean => refreshedAt !== undefined && now() >= refreshedAt && now() - refreshedAt < unchangedPauseMs;

	return {
		value: async () => cached ?? readShared(),
		refresh: async (refused) => {
			if (cached === undefined || pending !== undefined) return readShared();
			if (cached !== refused || isTooSoon()) return cached;
			refreshedAt = now();
			return readShared();
		},
	};
}

/** Returns why a text cannot be the token; null: it can. */
function problemOf(text: string): string | null {
	if (text === '') return 'is empty';
	if (isJsonObject(text)) return 'is JSON, and has to be a token';
	return isSecretText(text) ? null : 'is not a token: it has spaces, line breaks or characters beyond ASCII';
}

function isJsonObject(text: string): boolean {
	try {
		return text.startsWith('{') && typeof JSON.parse(text) === 'object';
	} catch {
		return false;
	}
}
