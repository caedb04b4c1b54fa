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

test('every rule of the web ACL has a priority and a metric of its own', () => {
	for (const field of [/Priority: (\d+)\n {10}\w/g, /MetricName: (.+)/g]) {
		const found = [...template.matchAll(field)].map(([, value]) => value);
		expect(found.length).toBeGreaterThan(2);
		expect(new Set(found).size).toBe(found.length);
	}
});
