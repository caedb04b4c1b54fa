import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { constantTimeEqual } from '#adapters/constant-time-equal.ts';
import { createIdpClient } from '#adapters/idp-client.ts';
import { jitteredPause } from '#adapters/jittered-pause.ts';
import { machineSecrets } from '#adapters/machine-secrets.ts';
import { createOpenIdProviders } from '#adapters/openid/openid-providers.ts';
import { staticSecret } from '#adapters/secret.ts';
import { digest, sessionIds } from '#adapters/session-ids.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import type { SharedReads } from '#domain/reading/shared-reads.ts';
import { admissionTo } from '#http/admission.ts';
import { createAuthorizer } from '#http/authorizer.ts';
import type { Log } from '#http/log.ts';
import { createOwnAuthorization } from '#http/own-authorization.ts';
import { tenantRefusalReporter } from '#http/tenant-refusals.ts';
import { type EndpointName, endpointNamed } from '#shared/contract.ts';
import { tokenSettingsOf } from '#wiring/token-settings.ts';
import type { createJwkTokenSigner } from '../adapters/jwk-token-signer.ts';
import { createScryptPasswords } from '../adapters/scrypt-passwords.ts';
import type { SqliteTimeSeries } from '../adapters/sqlite-time-series/sqlite-time-series.ts';
import { totp } from '../adapters/totp.ts';
import type { LocalSettings } from './settings.ts';
import type { LocalStores } from './stores.ts';

/** The base URL of the service, which is also the issuer of its tokens, and the URL of the identity provider. */
export interface ServiceAddresses {
	readonly baseUrl: string;
	readonly authUrl: string;
	/** The address of the console, to which OpenID providers send people back. */
	readonly consoleUrl: string;
}

/** The opened adapters of this machine, with the settings, the log and the clock. */
export interface LocalAdapters {
	readonly settings: LocalSettings;
	readonly addresses: ServiceAddresses;
	readonly stores: LocalStores;
	readonly series: SqliteTimeSeries;
	/** Reads `series` for polls, which may share what one of them read. */
	readonly sharedReads: SharedReads;
	readonly signer: ReturnType<typeof createJwkTokenSigner>;
	readonly metrics: Metrics;
	readonly log: Log;
	/** Epoch milliseconds. */
	readonly now: () => number;
}

/** The dependencies of handlers: a group for each kind of work. */
export type EndpointDeps = ReturnType<typeof createEndpointDeps>;

/** Groups the adapters by what handlers do with them. A group that depends on the role of the caller is a function of the endpoint's name. */
export function createEndpointDeps(adapters: LocalAdapters) {
	const { settings, addresses, stores, series, sharedReads, signer, log, now } = adapters;
	const { store, people, machines, alarms } = stores;
	const { openIdSessions } = stores;
	const callerRoles = { people, machines, openIdSessions, sessionIds, defaultRole: settings.DEFAULT_ROLE, now };
	const admission = (name: EndpointName) => ({ admit: admissionTo(endpointNamed(name), callerRoles) });
	const write = (name: EndpointName) => ({
		log,
		now,
		store,
		idempotency: stores.idempotency,
		newId: randomUUID,
		pause: jitteredPause,
		...admission(name),
	});
	const read = { log, store, definitions: createDefinitionCache(store), timeSeries: sharedReads, now };
	const { definitions } = read;
	const counting = { log, now, store, definitions, samples: series, alarms };
	const signIn = signInDeps(adapters);
	return {
		adapters,
		/** The answer whether the caller may use an endpoint. */
		admission,
		/** For saves and deletions. */
		write,
		/** For listings and polls. */
		read,
		/** For acknowledging and shelving alarms. */
		operate: (name: EndpointName) => ({ ...write(name), ...read, alarms }),
		/** For sums over samples. */
		counting,
		/** For the days of reports. */
		reports: { ...counting, spans: series, days: stores.reportDays },
		/** For what the database holds. */
		topics: { log, now, definitions, catalog: series },
		/** For the journal of changes. */
		journal: { log, store, changes: stores.changes, grants: stores.grants, ...callerRoles },
		/** For changes of machines. */
		machineDeps: { log, now, pause: jitteredPause, machines, secrets: machineSecrets },
		signIn,
		/** For tables: the check of credentials. */
		authorization: createOwnAuthorization({
			...signIn,
			machines,
			secrets: machineSecrets,
			authorizer: createAuthorizer({
				issuer: addresses.baseUrl,
				audience: settings.TOKEN_AUDIENCE,
				keys: signer,
				now,
			}),
		}),
		openId: openIdDeps(adapters),
		/** For people with accounts of the service itself. */
		accounts: {
			accounts: stores.accounts,
			passwords: createScryptPasswords(),
			totp,
			requiresSecondFactor: settings.ACCOUNTS_SECOND_FACTOR === 'required',
		},
	};
}

/** The dependencies of sign-in with OpenID providers. */
function openIdDeps(adapters: LocalAdapters) {
	const { settings, addresses, stores } = adapters;
	const { openIdProviders: providers, openIdSecrets } = settings;
	const openId = createOpenIdProviders({
		providers,
		secrets: (name) => staticSecret(openIdSecrets.get(name) ?? ''),
		timeoutMs: settings.OPENID_TIMEOUT_MS,
		httpToo: false,
		now: adapters.now,
	});
	return {
		...signInDeps(adapters),
		reportTenantRefusal: tenantRefusalReporter({ log: adapters.log, metrics: adapters.metrics }),
		openId,
		providers,
		credentials: settings.AUTH_URL !== undefined || settings.hasDemoIdp,
		consoleUrl: addresses.consoleUrl,
		grants: stores.grants,
		openIdSessions: stores.openIdSessions,
		sessionTokens: stores.openIdSessionTokens,
		sessionIds,
		digest,
		wait: (milliseconds: number) => setTimeout(milliseconds),
		hasTimeToRefresh: () => true,
		accounts: settings.ACCOUNTS === 'on' ? stores.accounts : null,
	};
}

/** The dependencies of sign-in, for people and machines. */
function signInDeps({ settings, addresses, stores, signer, metrics, log, now }: LocalAdapters) {
	return {
		log,
		now,
		newId: randomUUID,
		random: Math.random,
		metrics,
		trustedProxy: null,
		sessions: stores.sessions,
		users: stores.users,
		people: stores.people,
		defaultRole: settings.DEFAULT_ROLE,
		attempts: stores.attempts,
		owners: stores.owners,
		writtenSchemas: stores.writtenSchemas,
		unownedData: settings.UNOWNED_DATA,
		identityProvider: createIdpClient({
			url: addresses.authUrl,
			token: staticSecret(settings.IDP_TOKEN),
			timeoutMs: settings.IDP_TIMEOUT_MS,
		}),
		signer,
		constantTimeEqual,
		productId: settings.IDP_PRODUCT_ID,
		token: tokenSettingsOf(addresses.baseUrl, settings),
	};
}
