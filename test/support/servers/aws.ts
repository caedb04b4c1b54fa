import { describe, inject } from 'vitest';

/** `describe`, skipped where there is no AWS emulator. */
export const describeAws = describe.skipIf(inject('awsEndpoint') === null);

/** What clients of the emulator are opened with: its root user. */
export const awsSettings = (endpoint?: string) => ({
	endpoint: endpoint ?? inject('awsEndpoint') ?? '',
	region: 'us-east-1',
	credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
});

/** The same for a program of its own. */
export const awsEnvironment = (endpoint?: string): Readonly<Record<string, string>> => {
	const { endpoint: address, region, credentials } = awsSettings(endpoint);
	return {
		AWS_ENDPOINT_URL: address,
		AWS_REGION: region,
		AWS_ACCESS_KEY_ID: credentials.accessKeyId,
		AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
	};
};
