import { computed, effect, signal, untracked } from '@preact/signals';
import { minuteMs } from '#domain/milliseconds.ts';
import { access, api, type Result, resultOf, type Schemas } from './api.ts';
import { now, uptime } from './clock.ts';
import type { OpenIdAnswer } from './openid-api.ts';
import { isSignedIn, renewSession, session, sessionCheck } from './session.ts';
import { type TokenTimes, timesOf } from './token-times.ts';

/** How long before the end of the session the console warns. */
const warningMs = 10 * minuteMs;

/**
 * The longest wait before the next try to renew, after a failure or while another tab renews. A tenth of the token's lifetime is the
 * limit, too.
 */
const longestRetryMs = 60_000;

/** The times of the session's token; null without a session, or for a token that has none. */
const times = computed(() => (session.value === null ? null : timesOf(session.value.token)));

/** The token that could not be renewed, because the service refused it or did not answer. */
const unrenewed = signal<{ readonly token: string; readonly isRefused: boolean } | null>(null);

/** When the session ends, in epoch milliseconds, from 10 minutes before its end. Null before that, and while the token can be renewed. */
export const endsSoonAt = computed(() => {
	if (times.value === null || !isSignedIn.value) return null;
	const { expiresAt } = times.value;
	const willBeRenewed = isRenewable(times.value) && unrenewed.value?.token !== session.value?.token;
	return willBeRenewed || now.value < expiresAt - warningMs ? null : expiresAt;
});

/**
 * Renews the token after half of its lifetime. After its end it still asks once a minute, so that the console learns that the session is
 * over even on a screen that reads nothing. Of several tabs with the same session, only one renews. Returns a function that stops it.
 */
export function startRenewal(): () => void {
	/** The token whose renewal is planned. */
	let plannedToken: string | null = null;
	/** Not before this time it is tried again, in milliseconds of `uptime`. */
	let retryAt = 0;
	return effect(() => {
		if (!isSignedIn.value || session.value === null || times.value === null) return;
		const { issuedAt, expiresAt } = times.value;
		const retryMs = Math.min(longestRetryMs, (expiresAt - issuedAt) / 10);
		if (plannedToken !== session.value.token) {
			plannedToken = session.value.token;
			retryAt = 0;
		}
		if (now.value < (issuedAt + expiresAt) / 2 || uptime.value < retryAt) return;
		const isOver = now.value >= expiresAt;
		const isRefused = unrenewed.value?.token === plannedToken && unrenewed.value.isRefused;
		if (!isOver && (isRefused || !isRenewable(times.value))) return;
		retryAt = uptime.value + retryMs;
		untracked(() => void inOneTab(renew));
	});
}

/** Renews the token of the session, or notes that this token could not be renewed. */
async function renew(): Promise<void> {
	const { token } = access;
	const isSameSession = sessionCheck();
	const result = await requestRenewal();
	// Another tab may have renewed it meanwhile, or the person signed out.
	if (token === null || !isSameSession() || access.token !== token) return;
	if (result.ok) renewSession(result.data);
	else unrenewed.value = { token, isRefused: result.failure.status === 403 };
}

/** Asks for a new token: the OpenID provider, or the identity provider of the specification, is asked again. */
function requestRenewal(): Promise<Result<Schemas['Session'] | OpenIdAnswer>> {
	if (session.value?.tenants === undefined) return resultOf(api.POST('/renewToken'));
	const { schema: schemaName, database: tsdb_name } = session.value;
	return resultOf(api.POST('/renewOpenId', { body: { schemaName, tsdb_name } }));
}

/** Runs `work` unless another tab of this browser runs it now. Browsers have locks only on pages loaded by https or from localhost. */
async function inOneTab(work: () => Promise<void>): Promise<void> {
	if (!('locks' in navigator)) return work();
	let isDenied = true;
	try {
		await navigator.locks.request('caudal.renewal', { ifAvailable: true }, async (lock) => {
			isDenied = false;
			if (lock !== null) await work();
		});
	} catch (error) {
		// A browser that denies storage may deny locks, too.
		if (!isDenied) throw error;
		await work();
	}
}

/** Whether a new token would be valid for longer than this one. */
function isRenewable({ expiresAt, sessionEndsAt }: TokenTimes): boolean {
	return expiresAt < sessionEndsAt;
}
