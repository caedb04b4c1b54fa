import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { resourceNames } from '#shared/resource-names.ts';
import { describeAws } from '#test/support/servers/aws.ts';
import { runOnEmulator } from '#test/support/servers/cloud.ts';
import { lintTemplates } from '#test/support/servers/ministack.ts';
import { makeVpc } from '#test/support/templates.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

const vault = 'arn:aws:backup:eu-central-1:000000000000:backup-vault:copies';
const behindProxy = [
	...['-c', 'trustedProxy={"header":"x-origin-verify"}', '-c', 'disableExecuteApiEndpoint=true'],
	...['-c', 'domain={"name":"api.utility.test","certificateArn":"arn:aws:acm:us-east-1:000000000000:certificate/one"}'],
];

describeAws('cfn-lint', () => {
	const output = mkdtempSync(join(tmpdir(), 'caudal-lint-'));
	afterAll(() => rmSync(output, { recursive: true, force: true }));

	test('finds nothing in the template of CloudFront', async () => {
		expect(await lintTemplates(['infra/aws/cloudfront.yaml'], root)).toBe('');
	}, 300_000);

	test.each([
		['dev', 'dev', []],
		['production', 'production', []],
		[
			'production behind a proxy, with backups',
			'production',
			['-c', `backup=${JSON.stringify({ copyTo: vault })}`, ...behindProxy],
		],
		['dev in a private network, with tracing', 'dev', ['-c', `vpc=${JSON.stringify(makeVpc())}`, '-c', 'tracing=true']],
	])(
		'finds nothing in the templates of %s',
		async (_, environment, settings) => {
			const args = ['synth', '-q', '--output', output, '-c', `env=${environment}`, ...settings];
			await runOnEmulator('node_modules/aws-cdk/bin/cdk', args);
			const { stack } = resourceNames(environment);
			const files = (['issuer', 'data', 'service'] as const).map((name) => join(output, `${stack(name)}.template.json`));
			expect(await lintTemplates(files, root)).toBe('');
		},
		300_000,
	);
});
