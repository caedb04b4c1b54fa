import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { endpoints } from '#shared/contract.ts';

const template = readFileSync(new URL('../../../infra/aws/cloudfront.yaml', import.meta.url), 'utf8');

test('the web ACL limits each address on the routes that give tokens, and only there', () => {
	const [, pattern = ''] = /RegexString: '(.+)'/.exec(template) ?? [];
	const limited = new RegExp(pattern);
	const matching = endpoints.filter(({ path }) => limited.test(path)).map(({ name }) => name);
	const giving = endpoints.filter(({ uses }) => 'signingKey' in uses && uses.signingKey[0] === 'sign').map(({ name }) => name);
	expect(matching).toEqual(giving);
	expect(matching.length).toBeGreaterThan(2);
	for (const path of ['//token', '/token/', '/loginSso//']) expect(limited.test(path), path).toBe(true);
	for (const path of ['/token2', '/x/token', '/']) expect(limited.test(path), path).toBe(false);
});

test('the access log has the addresses of clients, and nothing that signs somebody in', () => {
	const [, list = ''] = /RecordFields: \[([^\]]+)\]/.exec(template) ?? [];
	const fields = list.split(/,\s+/);
	expect(fields).toEqual(expect.arrayContaining(['c-ip', 'cs-method', 'cs-uri-stem', 'sc-status']));
	// A path has names of routes, boards and plants. The code of a sign-in is in a query, and so in a referrer.
	for (const field of fields) expect(field).not.toMatch(/cookie|query|referer|header|authorization/i);
	expect(template).toMatch(/LogGroupName: .+\n {6}RetentionInDays: !Ref LogRetentionDays\n/);
	expect(template).toMatch(/LogRetentionDays:\n(?: {4}.+\n)*? {4}Default: 90\n/);
});

test('CloudFront shows a certificate, or sends the secret in a header', () => {
	const [, properties = ''] = /Origins:\n([\s\S]+?)DefaultCacheBehavior:/.exec(template) ?? [];
	const [certificate = '', header = ''] = properties.split('OriginCustomHeaders:');
	expect(certificate).toMatch(
		/OriginMtlsConfig: !If\n\s+- ShowsCertificate\n\s+- ClientCertificateArn: .+\n\s+- !Ref AWS::NoValue\n/,
	);
	expect(header).toMatch(/^ !If\n\s+- ShowsCertificate\n\s+- !Ref AWS::NoValue\n\s+- - HeaderName/);
	expect(template).toContain("ShowsCertificate: !Not [!Equals [!Ref OriginClientCertificateArn, '']]");
});

test('every rule of the web ACL has a priority and a metric of its own', () => {
	for (const field of [/Priority: (\d+)\n {10}\w/g, /MetricName: (.+)/g]) {
		const found = [...template.matchAll(field)].map(([, value]) => value);
		expect(found.length).toBeGreaterThan(2);
		expect(new Set(found).size).toBe(found.length);
	}
});
