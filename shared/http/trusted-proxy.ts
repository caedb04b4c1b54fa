import { isIP } from 'node:net';
import type { ApiEvent } from './event.ts';
import { headerOf } from './request.ts';

/** A proxy in front of the gateway, such as CloudFront. It is trusted to say which address a request comes from. */
export interface TrustedProxy {
	/** The header in which the proxy sends its secret, in lower case. */
	readonly header: string;
	/** Number of proxies between the client and the gateway. Each adds the address that called it to X-Forwarded-For. */
	readonly hops: number;
	/** Returns whether a text is the secret of the proxy. */
	readonly isSecret: (text: string) => Promise<boolean>;
}

/**
 * Returns the client's network address: the one that the gateway saw, or behind a trusted proxy the one that the proxy saw. Without the
 * proxy's secret X-Forwarded-For can be forged, and never counts.
 * @param proxy null: there is none
 */
export async function sourceOf(event: ApiEvent, proxy: TrustedProxy | null): Promise<string> {
	const { sourceIp } = event.requestContext.http;
	const sent = proxy === null ? undefined : headerOf(event, proxy.header);
	if (proxy === null || sent === undefined || !(await proxy.isSecret(sent))) return sourceIp;
	const addresses = (headerOf(event, 'x-forwarded-for') ?? '').split(',').map((each) => each.trim());
	// The gateway adds the address that called it.
	if (addresses.at(-1) === sourceIp) addresses.pop();
	const client = addresses.at(-proxy.hops) ?? '';
	return isIP(client) === 0 ? sourceIp : client;
}
