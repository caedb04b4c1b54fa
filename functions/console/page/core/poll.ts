import { batch, computed, effect, signal, untracked } from '@preact/signals';
import { minuteMs } from '#domain/milliseconds.ts';
import type { Failure } from './api.ts';
import { currentTime, now } from './clock.ts';
import { interval } from './preferences.ts';
import { expired, isSignedIn, onTenantChange, sessionCheck } from './session.ts';

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

/** When the values were last read, in epoch milliseconds; null before the first one. */
export const succeededAt = signal<number | null>(null);

/** Why the last poll failed; null when it succeeded. */
export const failure = signal<Failure | null>(null);

/** When the next poll begins, in epoch milliseconds; null while a poll runs or none is planned. */
export const nextAt = signal<number | null>(null);

/** Whether the person has paused the reading of values. Alarms are still read. */
export const paused = signal(false);

/** When the pause ends by itself, in epoch milliseconds; null without a pause. */
export const pausedUntil = signal<number | null>(null);

/** Whether the values on the screen are older than they should be. Then no value is shown as current. */
const isOutdated = computed(() => succeededAt.value !== null && now.value - succeededAt.value > interval.value * 1000 + graceMs);

/** When the present reading of values began, in epoch milliseconds; null while none runs. */
const startedAt = signal<number | null>(null);

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
	const isSlow = startedAt.value !== null && now.value - startedAt.value >= graceMs;
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

/** Starts the next poll. */
let timer: ReturnType<typeof setTimeout> | undefined;
/** The poll that runs now; null while none runs. */
let running: Promise<void> | null = null;
/** The poll of values that begins when the running poll ends; null if none was asked for. */
let following: Promise<void> | null = null;
/** When the last poll began, in epoch milliseconds; 0 before the first. */
let lastStartMs = 0;
/** When the last poll of values began, by the browser's clock; 0 before the first. An answer may show that this clock is wrong. */
let valuesStartMs = 0;
/** When a hidden tab reads the values next, in epoch milliseconds. */
let valuesDueMs = 0;
/** Number of polls in a row that have failed. */
let retries = 0;

onTenantChange(() => {
	succeededAt.value = null;
	failure.value = null;
	startedAt.value = null;
	running = null;
	following = null;
	retries = 0;
});

/** Returns when values were last asked for, in epoch milliseconds; about 0 before the first time. */
export function lastPollStart(): number {
	return currentTime(valuesStartMs);
}

/** Adds a part to every poll of values, or of alarms. Returns a function that removes it. */
export function addPollTask(kind: keyof typeof tasks, task: PollTask): () => void {
	tasks[kind].add(task);
	return () => tasks[kind].delete(task);
}

/** Polls now, or right after a poll that already runs. Resolves when this poll is done. */
export function pollNow(): Promise<void> {
	return begin({ withValues: true });
}

/** Whether a poll reads values, too, or only alarms. */
interface PollScope {
	readonly withValues: boolean;
}

/** Starts a poll of alarms and, if wanted, of values. If a poll already runs, a poll of values follows it. */
function begin({ withValues }: PollScope): Promise<void> {
	if (running !== null) {
		if (!withValues) return running;
		following ??= running.then(pollNow);
		return following;
	}
	clearTimeout(timer);
	following = null;
	const run = runPoll({ withValues }).then(() => {
		// Another tenant may have signed in meanwhile.
		if (running !== run) return;
		running = null;
		if (following === null) schedule();
	});
	running = run;
	return run;
}

/** Stops polling for at most ten minutes, or resumes it with a poll at once. */
export function togglePause(): void {
	paused.value = !paused.value;
	if (!paused.value) void pollNow();
}

/** Polls at every interval while somebody is signed in, and at once when the network is back. Returns a function that stops it. */
export function startPolling(): () => void {
	const onVisibility = (): void => {
		if (document.hidden) {
			valuesDueMs = currentTime() + hiddenWaitMs();
			reschedule();
		} else void begin({ withValues: !paused.value });
	};
	document.addEventListener('visibilitychange', onVisibility);
	const onOnline = (): void => {
		if (failure.value !== null) void pollNow();
	};
	globalThis.addEventListener('online', onOnline);
	const stopSession = effect(() => {
		if (isSignedIn.value) untracked(() => void pollNow());
		else {
			clearTimeout(timer);
			nextAt.value = null;
		}
	});
	let lastInterval = interval.peek();
	const stopInterval = effect(() => {
		if (interval.value === lastInterval) return;
		lastInterval = interval.value;
		// With a shorter interval, the values may be out of date at once.
		untracked(() => !paused.value && void pollNow());
	});
	const stopPause = effect(() => {
		pausedUntil.value = paused.value ? untracked(() => now.value) + longestPauseMs : null;
		if (paused.value) untracked(reschedule);
	});
	const stopEndOfPause = effect(() => {
		if (pausedUntil.value !== null && now.value >= pausedUntil.value) untracked(togglePause);
	});
	return () => {
		stopSession();
		stopInterval();
		stopPause();
		stopEndOfPause();
		document.removeEventListener('visibilitychange', onVisibility);
		globalThis.removeEventListener('online', onOnline);
		clearTimeout(timer);
	};
}

/** Runs one poll: all of its parts at once. */
async function runPoll({ withValues }: PollScope): Promise<void> {
	if (!isSignedIn.value) return;
	const isSameSession = sessionCheck();
	nextAt.value = null;
	lastStartMs = currentTime();
	if (withValues) {
		valuesDueMs = lastStartMs + hiddenWaitMs();
		valuesStartMs = Date.now();
		startedAt.value = lastStartMs;
	}
	const parts = withValues ? [...tasks.values, ...tasks.alarms] : [...tasks.alarms];
	const failures = await Promise.all(parts.map((task) => task()));
	// A refused token is not a failure of the service. The sign-in form reports it.
	if (!isSameSession() || !isSignedIn.value) return;
	batch(() => {
		startedAt.value = null;
		now.value = currentTime();
		failure.value = failures.find((found) => found !== null) ?? null;
		if (failure.value === null && withValues) succeededAt.value = now.value;
	});
	retries = failure.value === null ? 0 : retries + 1;
}

/** Plans the next poll anew, for example after the tab was hidden. A running poll plans it at its end. */
function reschedule(): void {
	if (running === null) schedule();
}

/** Plans the next poll, in place of the poll that was planned before. */
function schedule(): void {
	clearTimeout(timer);
	nextAt.value = null;
	startedAt.value = null;
	if (!isSignedIn.value) return;
	const waitMs = waitOf(interval.value * 1000);
	nextAt.value = currentTime() + waitMs;
	timer = setTimeout(() => void begin({ withValues: areValuesDue() }), waitMs);
}

/** Returns the time until the next poll. The interval is measured from start to start, so that slow answers do not make values out of date. */
function waitOf(intervalMs: number): number {
	const askedToWaitMs = failure.value?.retryAfterMs ?? 0;
	// A hidden tab repeats a failed poll only when the next one is due.
	if (failure.value !== null && !document.hidden) return Math.max(retryWaitOf(intervalMs), askedToWaitMs);
	const alarmsDueMs = lastStartMs + intervalMs;
	const dueMs = document.hidden && !paused.value ? Math.min(alarmsDueMs, valuesDueMs) : alarmsDueMs;
	return Math.max(leastWaitMs, dueMs - currentTime(), askedToWaitMs);
}

/** Whether the next planned poll reads values, too: less often while the tab is hidden, and not during a pause. */
function areValuesDue(): boolean {
	return !paused.value && (!document.hidden || currentTime() >= valuesDueMs);
}

/** Returns the time between two readings of values in a hidden tab. */
function hiddenWaitMs(): number {
	return Math.max(hiddenMs, interval.value * 1000);
}

/**
 * Returns the wait before a failed poll is repeated. Half of it is random, so that many screens do not return to a recovering service at
 * the same instant.
 */
function retryWaitOf(intervalMs: number): number {
	const longestMs = Math.min(intervalMs, firstRetryMs * 2 ** (retries - 1));
	return longestMs * (0.5 + Math.random() / 2);
}
