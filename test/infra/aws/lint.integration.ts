import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openIdSettings } from '#test/support/builders/openid-settings.ts';
import { describeAws } from '#test/support/servers/aws.ts';
import { lintTemplates } from '#test/support/servers/ministack.ts';
import { makeVpc, openSynthesis, stubBundles } from '#test/support/templates.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

const certificateArn = 'arn:aws:acm:us-east-1:000000000000:certificate/one';
const behindProxy = {
	trustedProxy: { header: 'x-origin-verify' },
	disableExecuteApiEndpoint: true,
	publicUrl: 'https://api.utility.test',
	domain: {
		...{ name: 'origin.utility.test', certificateArn },
		truststore: { bucket: 'utility-truststore', key: 'cloudfront.pem', version: 'one' },
	},
	backup: { copyTo: 'arn:aws:backup:eu-central-1:000000000000:backup-vault:copies' },
};

describeAws('cfn-lint', () => {
	let synthesis: Awaited<ReturnType<typeof openSynthesis>>;
	beforeAll(async () => {
		synthesis = await openSynthesis(stubBundles);
	});
	afterAll(() => synthesis.close());

	test('finds nothing in the templates as cdk.json has them, with a proxy and its certificate, a network, a backup and tracing, nor in that of CloudFront', async () => {
		const environments = [
			['dev', {}],
			['production', { ...behindProxy, ...openIdSettings, vpc: makeVpc(), tracing: true }],
		] as const;
		const files = environments.flatMap(([environment, settings]) => {
			const { folder } = synthesis.synthesize(environment, settings);
			return readdirSync(folder).flatMap((name) => (name.endsWith('.template.json') ? [join(folder, name)] : []));
		});
		// One run for all files: cfn-lint reads its rules for seconds.
		expect(await lintTemplates(['infra/aws/cloudfront.yaml', ...files], root)).toBe('');
	}, 300_000);
});
