import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { openIdProvidersSchema, providerFaults, redirectAddress } from '#domain/identity/provider-settings.ts';

const text = readFileSync(new URL('../../../infra/aws/SIGN-IN.md', import.meta.url), 'utf8');
const entrySchema = v.pipe(v.string(), v.parseJson());

/** The entries of the document, by the headings above them. */
const entries = new Map(
	[...text.matchAll(/^### (.+)\n[\s\S]*?```json\n(.+)\n```/gm)].map(([, heading = '', entry = '']) => [heading, entry]),
);
const consoleUrl = 'https://caudal.utility.example/console';

test('has an entry for each known provider, which the settings accept', () => {
	expect([...entries.keys()]).toEqual([
		...['Entra', 'Google', 'Okta', 'Auth0', 'Keycloak', 'Cognito', 'Zitadel', 'authentik', 'Dex'],
		...['GitHub Actions', 'Kubernetes', 'AWS'],
	]);
	expect(text.match(/```json/g)).toHaveLength(entries.size);
	for (const [heading, entry] of entries) {
		const providers = v.parse(openIdProvidersSchema, [v.parse(entrySchema, entry)]);
		expect(providerFaults(providers, { ownIssuer: '', consoleUrl, httpToo: false }), heading).toEqual([]);
	}
});

test('people have a button and a client with a secret, and programs neither', () => {
	for (const [heading, entry] of entries) {
		const [provider] = v.parse(openIdProvidersSchema, [v.parse(entrySchema, entry)]);
		const isProgram = ['GitHub Actions', 'Kubernetes', 'AWS'].includes(heading);
		expect([heading, provider?.actors, provider?.clientId === undefined, provider?.secret]).toEqual([
			...[heading, isProgram ? 'programs' : 'people', isProgram, !isProgram],
		]);
	}
});

test('tells the redirect address as the service sends it', () => {
	expect(text).toContain(`\`${redirectAddress({ name: 'entra', via: false }, consoleUrl)}\``);
	expect(redirectAddress({ name: 'entra', via: true }, consoleUrl)).toBe(`${consoleUrl}?via=entra`);
});
