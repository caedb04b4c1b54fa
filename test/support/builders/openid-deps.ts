import * as v from 'valibot';
import { digest, sessionIds } from '#adapters/session-ids.ts';
import type { TenantRefusal } from '#domain/access/own-tenant.ts';
import { toolOrigin } from '#domain/changes/change-entry.ts';
import type { DomainError } from '#domain/errors.ts';
import { grantChange } from '#domain/identity/grant-change.ts';
import type { Grant } from '#domain/identity/grants.ts';
import { interactiveProvider, type OpenIdProvider, openIdProviderSchema } from '#domain/identity/provider-settings.ts';
import type { GrantChange } from '#domain/ports/grants.ts';
import type { LogoutClaims, OpenIdProviders, ProviderTokens, VerifiedClaims } from '#domain/ports/openid-providers.ts';
import type { OpenIdTokenClaims } from '#domain/ports/token-signer.ts';
import type { OpenIdRenewDeps } from '#domain/use-cases/renew-openid.ts';
import type { OpenIdSignInDeps, openIdSignInSchema } from '#domain/use-cases/sign-in-openid.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteGrants } from '#infra/local/adapters/sqlite/sqlite-grants.ts';
import {
	createSqliteOpenIdSessions,
	createSqliteOpenIdSessionTokens,
} from '#infra/local/adapters/sqlite/sqlite-openid-sessions.ts';
import { createSqliteOwners } from '#infra/local/adapters/sqlite/sqlite-owners.ts';
import { createSqlitePeople } from '#infra/local/adapters/sqlite/sqlite-people.ts';
import { createSqliteSignInAttempts } from '#infra/local/adapters/sqlite/sqlite-sign-in-attempts.ts';
import { scopes } from '#shared/endpoint.ts';
import { makeGrant } from './identity.ts';

/** The provider of `makeOpenIdDeps`. */
export const entra = makeProvider({});

/** Returns the settings of a provider, with those that a test names. */
export function makeProvider(settings: Readonly<Record<string, unknown>>): OpenIdProvider {
	const common = { name: 'entra', label: 'Plant account', issuer: 'https://idp.example', clientId: 'caudal' };
	return v.parse(openIdProviderSchema, { ...common, ...settings });
}

/** A grant of `plant_a`, with what a test names. */
export function makePlantGrant(grant: Partial<Grant> = {}): Grant {
	const tenant = { schema: 'plant_a', database: 'series_a', owner: 3 };
	return makeGrant({ where: { groups: 'ops' }, ...tenant, role: 'engineer', ...grant });
}

/** Returns the function that makes the entry of the journal for a grant that is added or removed (`after`: null). */
export function changeTo(after: Grant | null, at: number, removed = makePlantGrant()): GrantChange {
	return (before) =>
		grantChange(
			digest,
			{ before: before ?? (after === null ? { grant: removed, rowVersion: 1 } : null), after, lastVersion: 0 },
			toolOrigin('test'),
			at,
		);
}

/** What the page sends after a sign-in at the provider. */
export const sentCode: v.InferOutput<typeof openIdSignInSchema> = {
	provider: 'entra',
	code: 'code',
	codeVerifier: 'v'.repeat(43),
	nonce: 'n'.repeat(43),
	schemaName: undefined,
	tsdb_name: undefined,
};

/** What the provider of `makeOpenIdDeps` says. Tests replace it. */
interface ProviderAnswers {
	/** Of the person who signs in, or whose session is refreshed. */
	claims: Readonly<Record<string, unknown>>;
	userinfo: Readonly<Record<string, unknown>>;
	redeem: () => Promise<ProviderTokens | 'invalid_grant'>;
	refresh: (refreshToken: string) => Promise<ProviderTokens | 'invalid_grant'>;
	verify: () => Promise<void>;
	askUserinfo: () => Promise<void>;
	/** Of a logout token. */
	logout: Partial<LogoutClaims>;
}

/** Creates the dependencies of OpenID sessions on SQLite in memory. Every call of a dependency that matters for the order is recorded. */
export function makeOpenIdDeps(at: number, providers: readonly OpenIdProvider[] = [entra]) {
	const calls: string[] = [];
	const signed: OpenIdTokenClaims[] = [];
	const told: (readonly [string, string, string | null])[] = [];
	const refusals: TenantRefusal[] = [];
	const outages: DomainError[] = [];
	const withoutRefreshToken: string[] = [];
	const revoked: string[] = [];
	const clock = { now: at };
	let refreshes = 0;
	const newTokens = (): ProviderTokens => {
		refreshes += 1;
		return { idToken: `id-${refreshes}`, accessToken: 'access', refreshToken: `refresh-${refreshes}` };
	};
	const answers: ProviderAnswers = {
		claims: { sub: 'ada', groups: ['ops'], email: 'ada@plant.example', email_verified: true },
		userinfo: {},
		redeem: async () => newTokens(),
		refresh: async () => newTokens(),
		verify: async () => undefined,
		askUserinfo: async () => undefined,
		logout: {},
	};
	const verified = async (): Promise<VerifiedClaims> => {
		await answers.verify();
		const seconds = Math.floor(clock.now / 1000);
		return { iss: 'https://idp.example', sub: '', iat: seconds, exp: seconds + 3600, ...answers.claims };
	};
	const recorded = <Args extends readonly unknown[], Result>(name: string, call: (...args: Args) => Promise<Result>) => {
		return async (...args: Args): Promise<Result> => {
			calls.push(name);
			return call(...args);
		};
	};
	const openId: OpenIdProviders = {
		providers,
		authorization: async () => ({ authorizationEndpoint: 'https://idp.example/authorize', requiresIssuer: true }),
		redeem: recorded('redeem', () => answers.redeem()),
		refresh: recorded('refresh', (_, refreshToken) => answers.refresh(refreshToken)),
		verifyIdToken: recorded('verifyIdToken', verified),
		userinfo: recorded('userinfo', async () => {
			await answers.askUserinfo();
			return answers.userinfo;
		}),
		revoke: recorded('revoke', async (_, refreshToken) => {
			revoked.push(refreshToken);
		}),
		endSessionEndpoint: async () => 'https://idp.example/logout?theme=dark',
		verifyLogoutToken: async () => {
			const issuedAt = Math.floor(clock.now / 1000);
			const provider = interactiveProvider(providers, 'entra');
			if (provider === null) throw new Error('The provider has no button.');
			return { provider, claims: { issuer: 'https://idp.example', subject: 'ada', session: null, issuedAt, ...answers.logout } };
		},
		verifyForeign: async () => ({ provider: providers[0] ?? entra, claims: await verified() }),
	};
	const database = openDatabase(':memory:');
	const grants = createSqliteGrants(database);
	const people = createSqlitePeople(database);
	const sessions = createSqliteOpenIdSessions(database);
	const tokens = createSqliteOpenIdSessionTokens(database);
	const owners = createSqliteOwners(database);
	let ids = 0;
	const deps: OpenIdSignInDeps & OpenIdRenewDeps = {
		openId,
		grants: { list: recorded('grants', grants.list) },
		owners,
		people: { find: people.find, noteOpenIdSignIn: recorded('person', people.noteOpenIdSignIn) },
		openIdSessions: { ...sessions, create: recorded('session', sessions.create) },
		sessionTokens: { ...tokens, put: recorded('tokens', tokens.put) },
		sessionIds,
		digest,
		attempts: createSqliteSignInAttempts(database),
		signer: {
			sign: recorded('sign', async (claims) => {
				if ('sid' in claims) signed.push(claims);
				return `token-${signed.length}`;
			}),
		},
		newId: () => {
			ids += 1;
			return `id-${ids}`;
		},
		random: () => 0,
		token: { issuer: 'https://issuer', audience: 'aud', scopes, lifetimeSeconds: 3600, sessionSeconds: 43_200 },
		consoleUrl: 'https://caudal.example/console',
		tell: recorded('tell', async (schema, { actor, refusal }) => {
			told.push([schema, actor.id, refusal]);
		}),
		reportTenantRefusal: (refusal) => refusals.push(refusal),
		reportOutage: (outage) => outages.push(outage),
		reportNoRefreshToken: (provider) => withoutRefreshToken.push(provider),
		now: () => clock.now,
		wait: async (milliseconds) => {
			clock.now += milliseconds;
		},
		hasTimeToRefresh: () => true,
		accounts: null,
	};
	/** Stores a grant, and makes its owner the owner of its tenant. */
	const grant = async (changes: Partial<Grant> = {}): Promise<void> => {
		const added = makePlantGrant(changes);
		await grants.add(added, changeTo(added, at));
		await owners.set({ kind: 'schema', name: added.schema, clientId: added.owner });
		await owners.set({ kind: 'database', name: added.database, clientId: added.owner });
	};
	return {
		deps,
		grants,
		people,
		sessions,
		tokens,
		owners,
		answers,
		clock,
		calls,
		signed,
		told,
		refusals,
		outages,
		withoutRefreshToken,
		revoked,
		grant,
	};
}
