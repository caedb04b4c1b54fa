import { batch, computed, effect, signal, untracked } from '@preact/signals';
import { minuteMs } from '#domain/milliseconds.ts';
import type { Failure } from './api.ts';
import { currentTime, currentUptime, now, uptime } from './clock.ts';
import { type PollEvent, type PollPhase, phaseAfter } from './poll-phase.ts';
import { interval } from './preferences.ts';
import { createReadCheck } from './read-check.ts';
import { expired, isSignedIn, onTenantChange } from './session.ts';

/** A part of a poll, such as reading the alarms: resolves to why it failed, or null. */
export type PollTask = () => Promise<Failure | null>;

/** How much later than its interval a poll may succeed before the values on the screen count as out of date. */
export const graceMs = 2000;

/** The interval between readings of values while the tab is hidden. Alarms keep their own interval. */
const hiddenMs = 60_000;

/** How long a person may stop the values. */
const longestPauseMs = 10 * minuteMs;

/** The first wait before a failed poll is repeated; each further one is twice as long, up to the interval. */
const firstRetryMs = 2000;

/** The least time between the end of a poll and the start of the next one. */
const leastWaitMs = 1000;

/** The parts of a poll. Those of alarms run even while values are paused or the tab is hidden. */
const tasks = { alarms: new Set<PollTask>(), values: new Set<PollTask>() };

/** The polling: its phase, and what the last readings left. Times are milliseconds of `uptime`, but for `succeededAt`. */
interface Polling {
	readonly phase: PollPhase;
	/** When the newest reading began; 0 before the first. */
	readonly beganAt: number;
	/** When the newest reading of values began; 0 before the first. */
	readonly valuesBeganAt: number;
	/** When the next reading begins; null while one runs or none is planned. */
	readonly nextAt: number | null;
	/** When the values were last read, in epoch milliseconds; null before the first time. */
	readonly succeededAt: number | null;
	/** Why the last reading failed; null when it succeeded. */
	readonly failure: Failure | null;
	/** Number of readings in a row that have failed. */
	readonly failures: number;
}

const stopped: Polling = {
	phase: 'stopped',
	beganAt: 0,
	valuesBeganAt: 0,
	nextAt: null,
	succeededAt: null,
	failure: null,
	failures: 0,
};

/** Nothing but this file changes it. */
export const polling = signal(stopped);

// Nobody is signed in at the moment at which the tenant changes. The next session begins from here.
onTenantChange(() => {
	polling.value = stopped;
});

/** When the values were last read, in epoch milliseconds; null before the first time. */
export const succeededAt = computed(() => polling.value.succeededAt);

/** When the next poll begins, in milliseconds of `uptime`; null while a poll runs or none is planned. */
export const nextAt = computed(() => polling.value.nextAt);

/** When the pause ends by itself, in epoch milliseconds; null without a pause. */
export const pausedUntil = signal<number | null>(null);

/** Whether the person has paused the reading of values. Alarms are still read. */
export const paused = computed(() => pausedUntil.value !== null);

const failure = computed(() => polling.value.failure);

/** Whether the values on the screen are older than they should be. Then no value is shown as current. */
const isOutdated = computed(() => succeededAt.value !== null && now.value - succeededAt.value > interval.value * 1000 + graceMs);

/** When the present reading of values began, in milliseconds of `uptime`; null while none runs. */
const startedAt = computed(() => {
	const { phase, beganAt } = polling.value;
	return phase === 'values' || phase === 'valuesThenValues' ? beganAt : null;
});

/**
 * The state of the connection to the service. `lost`: the service does not answer, or its errors or delays have made the values out of
 * date. `failed`: the last answer was an error, but the values are not out of date yet. `starting`: values are being read for the first
 * time, or after the computer slept or the tab was hidden.
 */
export const connection = computed<'starting' | 'live' | 'failed' | 'lost' | 'paused'>(() => {
	// Nothing is read until somebody signs in again.
	if (expired.value) return 'paused';
	if (failure.value?.kind === 'unreachable') return 'lost';
	if (succeededAt.value === null) return failure.value === null ? 'starting' : 'failed';
	if (paused.value && startedAt.value === null) return failure.value === null ? 'paused' : 'failed';
	if (!isOutdated.value) return failure.value === null ? 'live' : 'failed';
	const isSlow = startedAt.value !== null && uptime.value - startedAt.value >= graceMs;
	return failure.value !== null || isSlow ? 'lost' : 'starting';
});

/**
 * Whether a save or a deletion can work now, and why not. It does not depend on the age of the values, because a person may have paused
 * them.
 */
export const canWrite = computed<{ readonly ok: true } | { readonly ok: false; readonly code: 'no_connection' }>(() =>
	connection.value === 'lost' ? { ok: false, code: 'no_connection' } : { ok: true },
);

/** Whether values are shown as out of date: hatched and grey, with ages that go on counting. */
export const showsOutdated = computed(() => expired.value || connection.value === 'lost' || isOutdated.value);

/** Begins the next reading. It is set in the phase `waiting` only. */
let timer: ReturnType<typeof setTimeout> | undefined;

/** Says whether an answer may be used: no later reading has begun, and the session is the same. */
const beginRead = createReadCheck();

/** Returns when values were last asked for, in milliseconds of `uptime`; 0 before the first time. */
export function lastPollStart(): number {
	return polling.peek().valuesBeganAt;
}

/** Adds a part to every poll of values, or of alarms. Returns a function that removes it. */
export function addPollTask(kind: keyof typeof tasks, task: PollTask): () => void {
	tasks[kind].add(task);
	return () => tasks[kind].delete(task);
}

/** Polls now, or right after a poll that already runs. */
export function pollNow(): void {
	send('valuesAsked');
}

/** Stops the reading of values for at most ten minutes, or resumes it with a poll at once. */
export function togglePause(): void {
	pausedUntil.value = paused.value ? null : now.value + longestPauseMs;
	if (paused.value) planAnew();
	else pollNow();
}

/** Polls at every interval while somebody is signed in, and at once when the network is back. Returns a function that stops it. */
export function startPolling(): () => void {
	const listeners = new AbortController();
	const { signal: ended } = listeners;
	const onVisibility = (): void => {
		if (document.hidden) planAnew();
		else send(paused.value ? 'alarmsAsked' : 'valuesAsked');
	};
	document.addEventListener('visibilitychange', onVisibility, { signal: ended });
	globalThis.addEventListener('online', () => failure.value !== null && pollNow(), { signal: ended });
	const stopSession = effect(() => {
		const event = isSignedIn.value ? 'signedIn' : 'signedOut';
		untracked(() => send(event));
	});
	// With a shorter interval, the values may be out of date at once.
	let lastInterval = interval.peek();
	const stopInterval = effect(() => {
		if (interval.value === lastInterval) return;
		lastInterval = interval.value;
		untracked(() => !paused.value && pollNow());
	});
	const stopEndOfPause = effect(() => {
		if (pausedUntil.value !== null && now.value >= pausedUntil.value) untracked(togglePause);
	});
	return () => {
		for (const stop of [stopSession, stopInterval, stopEndOfPause]) stop();
		listeners.abort();
		clearTimeout(timer);
	};
}

/** Goes on to the phase that follows an event (poll-phase.ts), and begins what it does. */
function send(event: PollEvent): void {
	const { phase: before } = polling.peek();
	const phase = phaseAfter(before, event);
	if (phase === before) return;
	clearTimeout(timer);
	change({ phase, nextAt: null });
	if (phase === 'waiting') plan();
	else if (phase === 'values' || phase === 'alarms') void read(phase);
}

function change(changes: Partial<Polling>): void {
	polling.value = { ...polling.peek(), ...changes };
}

/** Reads the alarms and, in the phase `values`, the values: all parts at once. */
async function read(phase: 'values' | 'alarms'): Promise<void> {
	const withValues = phase === 'values';
	const isNewest = beginRead();
	const beganAt = currentUptime();
	change({ beganAt, ...(withValues && { valuesBeganAt: beganAt }) });
	const parts = withValues ? [...tasks.values, ...tasks.alarms] : [...tasks.alarms];
	const failures = await Promise.all(parts.map((task) => task()));
	// A refused token is not a failure of the service. The sign-in form reports it.
	if (!isNewest() || !isSignedIn.value) return;
	const found = failures.find((each) => each !== null) ?? null;
	batch(() => {
		now.value = currentTime();
		change({
			failure: found,
			failures: found === null ? 0 : polling.peek().failures + 1,
			...(found === null && withValues && { succeededAt: now.value }),
		});
		send('read');
	});
}

/** Plans the next reading anew where one is planned, for example after the tab was hidden. */
function planAnew(): void {
	if (polling.peek().phase === 'waiting') plan();
}

/** Plans the next reading, in place of the one that was planned before. */
function plan(): void {
	clearTimeout(timer);
	const waitMs = waitOf(interval.value * 1000);
	change({ nextAt: currentUptime() + waitMs });
	timer = setTimeout(() => send(areValuesDue() ? 'valuesAsked' : 'alarmsAsked'), waitMs);
}

/** Returns the time until the next poll. The interval is measured from start to start, so that slow answers do not make values out of date. */
function waitOf(intervalMs: number): number {
	const { beganAt, failures } = polling.peek();
	const askedToWaitMs = failure.value?.retryAfterMs ?? 0;
	// A hidden tab repeats a failed poll only when the next one is due.
	if (failure.value !== null && !document.hidden) return Math.max(retryWaitOf(intervalMs, failures), askedToWaitMs);
	const alarmsDueAt = beganAt + intervalMs;
	const dueAt = document.hidden && !paused.value ? Math.min(alarmsDueAt, valuesDueAt()) : alarmsDueAt;
	return Math.max(leastWaitMs, dueAt - currentUptime(), askedToWaitMs);
}

/** Whether the next planned poll reads values, too: less often while the tab is hidden, and not during a pause. */
function areValuesDue(): boolean {
	return !paused.value && (!document.hidden || currentUptime() >= valuesDueAt());
}

/** Returns when a hidden tab reads the values next, in milliseconds of `uptime`. */
function valuesDueAt(): number {
	return lastPollStart() + Math.max(hiddenMs, interval.value * 1000);
}

/**
 * Returns the wait before a failed poll is repeated. Half of it is random, so that many screens do not return to a recovering service at
 * the same instant.
 */
function retryWaitOf(intervalMs: number, failures: number): number {
	const longestMs = Math.min(intervalMs, firstRetryMs * 2 ** (failures - 1));
	return longestMs * (0.5 + Math.random() / 2);
}
