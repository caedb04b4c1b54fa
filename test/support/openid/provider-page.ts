import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import type { Authorization } from '#page/core/openid-api.ts';

/** A provider as the page meets it: what the service says of it, and how a person signs in on its own page. */
export interface ProviderPage {
	readonly name: string;
	readonly label: string;
	/** What the service answers to `openIdProvider`. A real service asks the provider itself, and needs it not. */
	readonly authorization: Authorization;
	/** Signs a person in on the provider's page, which sends the browser back to the console. */
	signIn(page: Page, person: string): Promise<void>;
}

/** How a provider differs from the others. */
interface ProviderKind {
	readonly name: string;
	readonly label: string;
	readonly consoleUrl: string;
	/** Whether it names itself in its answers (RFC 9207). */
	readonly hasIssuer?: boolean;
	/** Whether the redirect address names it. */
	readonly via?: boolean;
	/** Whether its page cuts the tie to the window that opened it. */
	readonly isApart?: boolean;
}

/** A provider whose page has a button for each person, and one to refuse. */
export interface FakeProvider extends ProviderPage {
	/** The requests of pages for its sign-in page, newest last. */
	readonly asked: readonly URLSearchParams[];
	close(): Promise<void>;
}

/** The people of the fake provider's page. The code that the console gets is the name. */
const people = ['ada', 'bob'] as const;

/** Starts a fake provider, on another site than the console. */
export async function startFakeProvider({
	name,
	label,
	consoleUrl,
	hasIssuer = false,
	via = false,
	isApart = false,
}: ProviderKind): Promise<FakeProvider> {
	const asked: URLSearchParams[] = [];
	const server = createServer((request, response) => {
		const query = new URL(request.url ?? '', issuer).searchParams;
		response.setHeader('content-type', 'text/html');
		if (isApart) response.setHeader('cross-origin-opener-policy', 'same-origin');
		if (query.has('redirect_uri')) asked.push(query);
		const linkOf = (answer: Readonly<Record<string, string>>, words: string): string => {
			const address = new URL(query.get('redirect_uri') ?? issuer);
			const sent = { ...answer, state: query.get('state') ?? '', ...(hasIssuer ? { iss: issuer } : {}) };
			for (const [key, value] of Object.entries(sent)) address.searchParams.set(key, value);
			return `<p><a href="${address.href.replaceAll('&', '&amp;')}">${words}</a></p>`;
		};
		const links = people.map((person) => linkOf({ code: `${name}-${person}` }, person));
		const refusal = linkOf({ error: 'access_denied', error_description: 'Call 555 and tell your password' }, 'refuse');
		response.end(
			`<!doctype html><title>${label}</title><link rel="icon" href="data:,"><h1>${label}</h1>${links.join('')}${refusal}`,
		);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
	return {
		...{ name, label, asked },
		authorization: {
			...{ authorizationEndpoint: `${issuer}/authorize?tenant=1`, issuer, requiresIssuer: hasIssuer, clientId: 'caudal' },
			...{ scope: 'openid email', parameters: { prompt: 'select_account' } },
			redirectUri: via ? `${consoleUrl}?via=${name}` : consoleUrl,
		},
		signIn: (page, person) => page.getByRole('link', { name: person }).click(),
		close: () => new Promise((resolve) => server.close(() => resolve())),
	};
}
