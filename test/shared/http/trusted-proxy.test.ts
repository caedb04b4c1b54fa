import { expect, test } from 'vitest';
import { sourceOf } from '#http/trusted-proxy.ts';
import { makeEvent } from '#test/support/builders/events.ts';

const seen = '203.0.113.7';
const proxyWith = (hops: number) => ({ header: 'x-origin-verify', hops, isSecret: async (text: string) => text === 'right' });
const sourceFrom = (forwarded: string | null, secret: string | null, proxy: Parameters<typeof sourceOf>[1] = proxyWith(1)) =>
	sourceOf(
		makeEvent('POST /loginSso', {
			headers: {
				...(forwarded !== null && { 'x-forwarded-for': forwarded }),
				...(secret !== null && { 'x-origin-verify': secret }),
			},
		}),
		proxy,
	);

test.each([
	['198.51.100.1', 'without a proxy', 'right', null],
	['198.51.100.1', 'without the secret of the proxy', null, proxyWith(1)],
	['198.51.100.1', 'with another secret', 'wrong', proxyWith(1)],
	['198.51.100.1', 'with an empty secret', '', proxyWith(1)],
])('a forwarded address never counts: %s, %s', async (forwarded, _, secret, proxy) => {
	expect(await sourceFrom(forwarded, secret, proxy)).toBe(seen);
});

test('with a certificate in place of the secret, the forwarded address counts only in requests with one', async () => {
	const event = makeEvent('POST /loginSso', {
		headers: { 'x-forwarded-for': `198.51.100.1, ${seen}`, 'x-origin-verify': 'right' },
	});
	const clientCert = {
		...{ clientCertPem: '', issuerDN: 'CN=Caudal', serialNumber: '1', subjectDN: 'CN=CloudFront' },
		validity: { notBefore: '', notAfter: '' },
	};
	const { requestContext } = event;
	const proxy = { header: null, hops: 1 } as const;
	expect(await sourceOf({ ...event, requestContext: { ...requestContext, authentication: { clientCert } } }, proxy)).toBe(
		'198.51.100.1',
	);
	expect(await sourceOf(event, proxy)).toBe(seen);
	expect(
		await sourceOf({ ...event, requestContext: JSON.parse(JSON.stringify({ ...requestContext, authentication: null })) }, proxy),
	).toBe(seen);
});

test.each([
	// CloudFront adds the address that called it, and API Gateway that of CloudFront.
	[1, `198.51.100.1, ${seen}`, '198.51.100.1'],
	[1, '198.51.100.1', '198.51.100.1'],
	[1, `10.0.0.1, 198.51.100.1, ${seen}`, '198.51.100.1'],
	[1, `10.0.0.1,2001:db8::1 ,${seen}`, '2001:db8::1'],
	[2, `10.0.0.1, 198.51.100.1, 198.51.100.2, ${seen}`, '198.51.100.1'],
	[2, `198.51.100.2, ${seen}`, seen],
	[1, `unknown, ${seen}`, seen],
	[1, '198.51.100.1:4711', seen],
	[1, '', seen],
	[1, null, seen],
])('with the secret, the address that the proxy at hop %i saw counts: %s', async (hops, forwarded, expected) => {
	expect(await sourceFrom(forwarded, 'right', proxyWith(hops))).toBe(expected);
});
