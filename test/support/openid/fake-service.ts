import type { BrowserContext, Route } from 'playwright-core';
import type { OpenIdAnswer } from '#page/core/openid-api.ts';
import type { ProviderPage } from './provider-page.ts';

/** What the fake part of the service answers. A test may change the properties. */
export interface FakeOpenIdService {
	readonly consoleUrl: string;
	credentials: boolean;
	readonly providers: readonly ProviderPage[];
	/** The answers to codes. Any other code is refused. */
	answers: Readonly<Record<string, OpenIdAnswer | Refusal>>;
	/** The answers to renewals, by the schema that was asked for. */
	renewals: Readonly<Record<string, OpenIdAnswer | Refusal>>;
	/** Where a person who signs out goes. */
	signOutAddress: string | null;
	/** The bodies of the requests so far. */
	readonly sent: {
		readonly path: string;
		readonly body: Readonly<Record<string, unknown>>;
		readonly authorization: string | null;
	}[];
}

/** An error as the service answers it. */
export interface Refusal {
	readonly status: number;
	readonly code: string;
	readonly params?: Readonly<Record<string, unknown>>;
	readonly message?: string;
}

/** Answers the requests of signing in with a provider, in place of the service, in all windows of a browser context. */
export async function answerOpenId(context: BrowserContext, service: FakeOpenIdService): Promise<void> {
	const note = (route: Route): Readonly<Record<string, unknown>> => {
		const request = route.request();
		const body = request.postDataJSON() ?? {};
		service.sent.push({ path: new URL(request.url()).pathname, body, authorization: request.headers()['authorization'] ?? null });
		return body;
	};
	const answer = (route: Route, found: OpenIdAnswer | Refusal): Promise<void> =>
		'token' in found
			? route.fulfill({ json: found })
			: route.fulfill({
					status: found.status,
					json: { request: { code: found.code, message: found.message ?? found.code, params: found.params ?? {} } },
				});
	const refused: Refusal = {
		status: 401,
		code: 'sign_in_refused',
		message: 'The provider did not confirm this sign-in: begin it again.',
	};
	await context.route('**/openIdProviders', (route) => {
		const { credentials, consoleUrl, providers } = service;
		return route.fulfill({
			json: {
				data: { credentials, accounts: false, consoleUrl, providers: providers.map(({ name, label }) => ({ name, label })) },
			},
		});
	});
	await context.route('**/openIdProvider?*', (route) => {
		const name = new URL(route.request().url()).searchParams.get('name');
		const provider = service.providers.find((each) => each.name === name);
		if (provider === undefined) return answer(route, { status: 404, code: 'no_such_provider' });
		return route.fulfill({ json: { data: provider.authorization } });
	});
	await context.route('**/signInOpenId', (route) => answer(route, service.answers[String(note(route)['code'])] ?? refused));
	await context.route('**/renewOpenId', (route) => answer(route, service.renewals[String(note(route)['schemaName'])] ?? refused));
	await context.route('**/signOut', (route) => {
		note(route);
		return route.fulfill({ json: { address: service.signOutAddress } });
	});
}
