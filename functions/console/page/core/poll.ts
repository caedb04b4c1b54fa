import { computed, effect, signal, untracked } from '@preact/signals';
import type { Failure } from './api.ts';
import { currentTime, now } from './clock.ts';
import { interval } from './preferences.ts';
import { isSignedIn } from './session.ts';

/** A part of a poll: resolves to why it failed, or null. */
export type PollTask = () => Promise<Failure | null>;

/** How much later than its interval a poll may succeed before the values on the screen count as out of date. */
const graceMs = 2000;

/** The interval while nobody looks at the tab. */
const hiddenMs = 60_000;

/** The first wait before a failed poll is repeated; each further one is twice as long, up to the interval. */
const firstRetryMs = 2000;

const tasks = new Set<PollTask>();

/** When the last poll succeeded, in epoch milliseconds; null before the first one. */
export const succeededAt = signal<number | null>(null);

/** Why the last poll failed; null when it succeeded. */
export const failure = signal<Failure | null>(null);

/** When the next poll begins, in epoch milliseconds; null while one runs or none will. */
export const nextAt = signal<number | null>(null);

/** Whether the person has stopped the polling. */
export const paused = signal(false);

/** Whether the values on the screen are older than they should be. No value looks current then. */
export const isOutdated = computed(
	() => succeededAt.value !== null && now.value - succeededAt.value > interval.value * 1000 + graceMs,
);

/**
 * How the service is reached: `lost` without an answer, and where none has come for longer than an interval; `failed` where the
 * last answer was an error, and its values are not yet out of date.
 */
export const connection = computed<'starting' | 'live' | 'failed' | 'lost' | 'paused'>(() => {
	if (failure.value?.kind === 'unreachable') return 'lost';
	if (succeededAt.value === null) return failure.value === null ? 'starting' : 'failed';
	if (paused.value) return 'paused';
	if (isOutdated.value) return 'lost';
	return failure.value === null ? 'live' : 'failed';
});

/** Whether values are shown as out of date: hatched, grey, with their ages running on. */
export const showsOutdated = computed(() => connection.value === 'lost' || isOutdated.value);

let timer: ReturnType<typeof setTimeout> | undefined;
let running: Promise<void> | null = null;
let isAskedAgain = false;
let retries = 0;

/** Adds a part to every poll. Returns a function that removes it. */
export function addPollTask(task: PollTask): () => void {
	tasks.add(task);
	return () => tasks.delete(task);
}

/** Polls now, or right after the poll that runs. */
export function pollNow(): Promise<void> {
	if (running !== null) {
		isAskedAgain = true;
		return running;
	}
	clearTimeout(timer);
	running = runPoll().finally(() => {
		running = null;
		if (isAskedAgain) {
			isAskedAgain = false;
			void pollNow();
		} else schedule();
	});
	return running;
}

/** Stops the polling, or goes on with a poll at once. */
export function togglePause(): void {
	paused.value = !paused.value;
	if (!paused.value) void pollNow();
}

/** Polls by the interval, from the moment somebody is signed in. Returns a function that stops it. */
export function startPolling(): () => void {
	const onVisible = (): void => {
		if (!document.hidden && !paused.value) void pollNow();
	};
	document.addEventListener('visibilitychange', onVisible);
	const stopFollowing = effect(() => {
		if (isSignedIn.value) untracked(() => void pollNow());
		else {
			clearTimeout(timer);
			nextAt.value = null;
		}
	});
	const stopRescheduling = effect(() => {
		// Both decide when the next poll is.
		void [interval.value, paused.value];
		untracked(() => {
			if (running === null) schedule();
		});
	});
	return () => {
		stopFollowing();
		stopRescheduling();
		document.removeEventListener('visibilitychange', onVisible);
		clearTimeout(timer);
	};
}

/** Forgets what was read: another tenant has signed in. */
export function resetPolling(): void {
	succeededAt.value = null;
	failure.value = null;
	retries = 0;
}

async function runPoll(): Promise<void> {
	if (!isSignedIn.value) return;
	nextAt.value = null;
	const failures = await Promise.all([...tasks].map((task) => task()));
	// A refused token is no fault of the service: the sign-in form says so.
	if (!isSignedIn.value) return;
	const found = failures.find((each) => each !== null) ?? null;
	now.value = currentTime();
	failure.value = found;
	if (found === null) {
		retries = 0;
		succeededAt.value = now.value;
	} else retries += 1;
}

function schedule(): void {
	clearTimeout(timer);
	nextAt.value = null;
	if (!isSignedIn.value || (paused.value && failure.value === null)) return;
	const intervalMs = document.hidden ? Math.max(hiddenMs, interval.value * 1000) : interval.value * 1000;
	const waitMs = failure.value === null ? intervalMs : Math.max(retryWaitOf(intervalMs), failure.value.retryAfterMs ?? 0);
	nextAt.value = currentTime() + waitMs;
	timer = setTimeout(() => void pollNow(), waitMs);
}

/** Half of the wait is random, so that many screens do not return to a recovering service at the same instant. */
function retryWaitOf(intervalMs: number): number {
	const longestMs = Math.min(intervalMs, firstRetryMs * 2 ** Math.min(10, retries - 1));
	return longestMs * (0.5 + Math.random() / 2);
}
