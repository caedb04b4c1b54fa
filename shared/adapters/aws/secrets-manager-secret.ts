import { GetSecretValueCommand, ResourceNotFoundException, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { reasonOf } from '../redact.ts';
import { isSecretText, type Secret, SecretError } from '../secret.ts';
import { type AwsSettings, type ClientLimits, clientSettings } from './aws-client.ts';

/** Which secret, and where Secrets Manager is: on Lambda, whose environment says that, the id is enough. */
export interface SecretsManagerSettings extends AwsSettings {
	/** Name or ARN. The secret's text is the token alone; a newline at its end is not part of it. */
	readonly secretId: string;
	/** Epoch milliseconds. The default is the wall clock: another may stand still while a function is frozen. */
	readonly now?: () => number;
}

const limits: ClientLimits = { connectTimeoutMs: 1000, requestTimeoutMs: 2000, maxAttempts: 2 };

/** For all attempts, with the answer's whole body. */
const readMs = 4500;

/** A secret that was refused, and is not found changed when it is read anew, is not read again for so long. */
const samePauseMs = 10_000;

/**
 * A secret of AWS Secrets Manager. It is read when it is first asked for, kept, and read anew when it was refused; whoever asks
 * at the same time shares one reading. A reading that failed is not kept.
 */
export function createSecretsManagerSecret({ secretId, now = Date.now, ...settings }: SecretsManagerSettings): Secret {
	const client = new SecretsManagerClient(clientSettings(settings, limits));
	const storing = `aws secretsmanager put-secret-value --secret-id ${secretId} --secret-string file://token.txt`;
	const unusable = (why: string): SecretError => new SecretError(`Secret ${secretId} ${why}. Store the token alone: ${storing}`);
	const unread = (error: unknown): SecretError =>
		// No such secret, or one that has been made and not been given a text.
		error instanceof ResourceNotFoundException
			? unusable(`cannot be read (${reasonOf(error)})`)
			: new SecretError(`Secret ${secretId} cannot be read: ${reasonOf(error)}`);

	const fetched = async (): Promise<string> => {
		const command = new GetSecretValueCommand({ SecretId: secretId });
		const { SecretString: given } = await client
			.send(command, { abortSignal: AbortSignal.timeout(readMs) })
			.catch((error: unknown) => {
				throw unread(error);
			});
		if (given === undefined) throw unusable('has no text');
		const text = given.replace(/[\r\n]+$/, '');
		if (text === '') throw unusable('is empty');
		if (isJsonObject(text)) throw unusable('is JSON, and has to be a token');
		if (!isSecretText(text)) throw unusable('is not a token: it has spaces, line breaks or characters beyond ASCII');
		return text;
	};

	let known: string | undefined;
	/** When it was read anew, unless it has been found changed then. */
	let renewedAt: number | undefined;
	/** A clock that was set back does not prolong it. */
	const isTooSoon = (): boolean => renewedAt !== undefined && now() >= renewedAt && now() - renewedAt < samePauseMs;
	let reading: Promise<string> | undefined;
	const read = (): Promise<string> => {
		reading ??= fetched()
			.then((text) => {
				if (text !== known) renewedAt = undefined;
				known = text;
				return text;
			})
			.finally(() => {
				reading = undefined;
			});
		return reading;
	};

	return {
		value: async () => known ?? read(),
		renewed: async (refused) => {
			if (known === undefined || reading !== undefined) return read();
			if (known !== refused || isTooSoon()) return known;
			renewedAt = now();
			return read();
		},
	};
}

function isJsonObject(text: string): boolean {
	try {
		return text.startsWith('{') && typeof JSON.parse(text) === 'object';
	} catch {
		return false;
	}
}
