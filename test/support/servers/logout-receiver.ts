import { listen } from './http-server.ts';

/** Starts a server that takes logout tokens (OpenID Connect Back-Channel Logout 1.0, section 2.5), and resolves to the first of them. */
export async function startLogoutReceiver(): Promise<{ url: string; token: Promise<string>; close: () => void }> {
	const { promise: token, resolve } = Promise.withResolvers<string>();
	const { url, close } = await listen((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			resolve(new URLSearchParams(Buffer.concat(chunks).toString()).get('logout_token') ?? '');
			response.end();
		});
	});
	return { url, token, close };
}
