import { createFormBrowser, type FormBrowser } from './form-browser.ts';

/** What a page sends to the authorization endpoint of a provider (OpenID Connect Core, section 3.1.2.1). */
export interface AuthorizationRequest {
	readonly clientId: string;
	readonly redirectUri: string;
	/** By default `openid email profile`. */
	readonly scope?: string;
	readonly nonce: string;
	readonly codeChallenge: string;
	readonly parameters?: Readonly<Record<string, string>>;
}

/** Signs in at a provider by its pages, and returns the query with which it sends the person back. `fields` are those of its forms. */
export async function authorize(
	endpoint: string,
	request: AuthorizationRequest,
	fields: Readonly<Record<string, string>>,
	browser: FormBrowser = createFormBrowser(),
): Promise<URLSearchParams> {
	const query = new URLSearchParams({
		response_type: 'code',
		client_id: request.clientId,
		redirect_uri: request.redirectUri,
		scope: request.scope ?? 'openid email profile',
		state: 'state',
		nonce: request.nonce,
		code_challenge: request.codeChallenge,
		code_challenge_method: 'S256',
		...request.parameters,
	});
	let page = await browser.open(`${endpoint}?${query}`);
	while (page.html !== null) page = await browser.submit(page, fields);
	return new URL(page.address).searchParams;
}
