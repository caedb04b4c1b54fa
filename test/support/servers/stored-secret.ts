import { createSecretsManagerSecret, type SecretsManagerSettings } from '#adapters/aws/secrets-manager-secret.ts';
import { openFaultyProxy, type ProxyAction, type ProxyResponse } from './faulty-proxy.ts';

/** The id of the secret of every `StoredSecret`. */
export const storedSecretId = 'caudal/test-token';

/** A secret of a test server. */
export type StoredSecret = Awaited<ReturnType<typeof openStoredSecret>>;

/** Opens a secret whose Secrets Manager is a test server that responds as the test says. */
export async function openStoredSecret(text: string, settings: Partial<SecretsManagerSettings> = {}) {
	let nextAction: () => Promise<ProxyAction> | ProxyAction = () => secretResponse(text);
	const { url, close, seen } = await openFaultyProxy('', () => nextAction());
	return {
		secret: createSecretsManagerSecret({
			secretId: storedSecretId,
			endpoint: url,
			region: 'us-east-1',
			credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
			...settings,
		}),
		/** Changes the text of the secret. */
		put: (newText: string): void => {
			nextAction = () => secretResponse(newText);
		},
		/** Sets what the server does with requests from now on. */
		respondWith: (action: () => Promise<ProxyAction> | ProxyAction): void => {
			nextAction = action;
		},
		/** Returns the number of requests so far. */
		readCount: (): number => seen.length,
		/** The requests so far. */
		seen,
		url,
		close,
	};
}

/** Returns the response of Secrets Manager for a secret with a text. */
export function secretResponse(SecretString: string): ProxyResponse {
	const ARN = `arn:aws:secretsmanager:us-east-1:000000000000:secret:${storedSecretId}`;
	return { status: 200, body: { ARN, Name: storedSecretId, SecretString } };
}
