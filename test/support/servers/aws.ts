import { describe, inject } from 'vitest';

/** `describe`, skipped when there is no AWS emulator. */
export const describeAws = describe.skipIf(inject('awsEndpoint') === null);

/** Returns the settings of clients of the emulator, as its root user. */
export function awsSettings(endpoint?: string) {
	return {
		endpoint: endpoint ?? inject('awsEndpoint') ?? '',
		region: 'us-east-1',
		credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
	};
}

/** Returns the same settings as environment variables, for a program that a test runs. */
export function awsEnvironment(endpoint?: string): Readonly<Record<string, string>> {
	const { endpoint: address, region, credentials } = awsSettings(endpoint);
	return {
		AWS_ENDPOINT_URL: address,
		AWS_REGION: region,
		AWS_ACCESS_KEY_ID: credentials.accessKeyId,
		AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
	};
}
