import { CreateAliasCommand, CreateKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { checkAwsLocation } from '#infra/tools/aws-location.ts';
import { ConfigError } from '#shared/config.ts';
import { awsEnvironment, awsSettings, describeAws } from '#test/support/servers/aws.ts';
import { settingsOf } from '#test/support/templates.ts';

describeAws('the check of account and region in the operators’ tools', () => {
	beforeAll(async () => {
		// Accounts of AWS always have aliases. The emulator has none by itself.
		const kms = new KMSClient(awsSettings());
		const { KeyMetadata: key } = await kms.send(new CreateKeyCommand({}));
		await kms.send(new CreateAliasCommand({ AliasName: 'alias/location', TargetKeyId: key?.KeyId }));
		kms.destroy();
	});
	beforeEach(() => {
		for (const [name, value] of Object.entries(awsEnvironment())) vi.stubEnv(name, value);
	});
	afterEach(() => vi.unstubAllEnvs());

	const check = (settings: Readonly<Record<string, unknown>>) => checkAwsLocation(settingsOf('dev', settings));

	test.each([
		['neither', {}],
		['the account', { account: '000000000000' }],
		['the region', { region: 'us-east-1' }],
		['both', { account: '000000000000', region: 'us-east-1' }],
	])('passes when the settings name %s of the credentials', async (_, settings) => {
		await expect(check(settings)).resolves.toBeUndefined();
	});

	test('refuses credentials of another account', async () => {
		await expect(check({ account: '111111111111' })).rejects.toThrow(
			new ConfigError(
				'Environment dev is in AWS account 111111111111, and these credentials are of account 000000000000: use others, such as with AWS_PROFILE.',
			),
		);
	});

	test('refuses another region', async () => {
		await expect(check({ region: 'eu-west-1', account: '000000000000' })).rejects.toThrow(
			new ConfigError('Environment dev is in eu-west-1, not in us-east-1: set AWS_REGION=eu-west-1.'),
		);
	});

	test('asks nothing of AWS for an environment without account and region', async () => {
		vi.stubEnv('AWS_ENDPOINT_URL', 'http://127.0.0.1:9');
		await expect(check({})).resolves.toBeUndefined();
		await expect(checkAwsLocation(undefined)).resolves.toBeUndefined();
	});
});
