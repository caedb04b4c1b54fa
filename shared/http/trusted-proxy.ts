import { isIP } from 'node:net';
import type { ApiEvent } from './event.ts';
import { headerOf } from './request.ts';

/** A proxy in front of the gateway, such as CloudFront. It is trusted to say which address a request comes from. */
export type TrustedProxy = ProxyIdentity & {
	/** Number of proxies between the client and the gateway. Each adds the address that called it to X-Forwarded-For. */
	readonly hops: number;
};

/** How requests of the proxy are told from others. */
type ProxyIdentity =
	| {
			/** The header in which the proxy sends its secret, in lower case. */
			readonly header: string;
			/** Returns whether a text is the secret of the proxy. */
			readonly isSecret: (text: string) => Promise<boolean>;
	  }
	/** The gateway asks for a client certificate, and only the proxy has one that it accepts. */
	| { readonly header: null };

/**
 * Returns the client's network address: the one that the gateway saw, or behind a trusted proxy the one that the proxy saw. Without the
 * proxy's secret or certificate X-Forwarded-For can be forged, and never counts.
 * @param proxy null: there is none
 */
export async function sourceOf(event: ApiEvent, proxy: TrustedProxy | null): Promise<string> {
	const { sourceIp } = event.requestContext.http;
	if (proxy === null || !(await isSentBy(proxy, event))) return sourceIp;
	const addresses = (headerOf(event, 'x-forwarded-for') ?? '').split(',').map((each) => each.trim());
	// The gateway adds the address that called it.
	if (addresses.at(-1) === sourceIp) addresses.pop();
	const client = addresses.at(-proxy.hops) ?? '';
	return isIP(client) === 0 ? sourceIp : client;
}

async function isSentBy(proxy: ProxyIdentity, event: ApiEvent): Promise<boolean> {
	if (proxy.header === null) return (event.requestContext.authentication?.clientCert ?? null) !== null;
	const sent = headerOf(event, proxy.header);
	return sent !== undefined && (await proxy.isSecret(sent));
}
