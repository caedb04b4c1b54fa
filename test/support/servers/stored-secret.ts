import { createSecretsManagerSecret, type SecretsManagerSettings } from '#adapters/aws/secrets-manager-secret.ts';
import { type Answer, type Fate, openFaultyProxy } from './faulty-proxy.ts';

/** The id that every such secret has. */
export const storedId = 'caudal/test-token';

/** What Secrets Manager answers of a secret's text. */
export const holding = (SecretString: string): Answer => ({
	status: 200,
	body: { ARN: `arn:aws:secretsmanager:us-east-1:000000000000:secret:${storedId}`, Name: storedId, SecretString },
});

/** A secret of a server in Secrets Manager's place, which answers as a test says and counts its readings. */
export const openStoredSecret = async (text: string, settings: Partial<SecretsManagerSettings> = {}) => {
	let fateOf: () => Promise<Fate> | Fate = () => holding(text);
	const { url, close, seen } = await openFaultyProxy('', () => fateOf());
	return {
		secret: createSecretsManagerSecret({
			secretId: storedId,
			endpoint: url,
			region: 'us-east-1',
			credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
			...settings,
		}),
		/** Changes the text. */
		put: (next: string): void => {
			fateOf = () => holding(next);
		},
		/** Sets what becomes of the requests from now on. */
		meet: (next: () => Promise<Fate> | Fate): void => {
			fateOf = next;
		},
		/** How many requests came, of whatever fate. */
		readings: (): number => seen.length,
		/** Every request, as it came. */
		seen,
		close,
	};
};
export type StoredSecret = Awaited<ReturnType<typeof openStoredSecret>>;
