import { batch, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Failure } from '#page/core/api.ts';
import { currentTime } from '#page/core/clock.ts';
import { noteValues } from '#page/core/decimals.ts';
import { type History, readHistory } from '#page/core/past/read-history.ts';
import { addPollTask } from '#page/core/poll.ts';
import { isSignedIn } from '#page/core/session.ts';
import { spanOf, type TimeRange } from './time-range.ts';
import { trendAggregates } from './trend-model.ts';

/** The most windows of a trend: more than that many points are no longer told apart on a screen. */
const points = 400;

/** How soon after an answer a poll reads again: a poll that begins with a change must not repeat the request of the change. */
const freshMs = 5000;

/** What a trend shows: the newest answer, and what is being read. */
export interface TrendData {
	/** The newest answer; null before the first one. It stays while another range is read. */
	readonly history: History | null;
	/** Whether another range or other variables are being read than those of `history`. */
	readonly isChanging: boolean;
	/** Why the newest request failed; null when it did not. */
	readonly failure: Failure | null;
	/** Reads again. */
	readonly reload: () => void;
}

const history = signal<History | null>(null);
const failure = signal<Failure | null>(null);
const isChanging = signal(false);
let newest = 0;
let running: Promise<Failure | null> | null = null;
let answeredAt = Number.NEGATIVE_INFINITY;

/**
 * Reads the history of variables, with one request for each change of them or of the range. A range that follows now is read anew with
 * every poll.
 */
export function useTrendData(ids: readonly number[], range: TimeRange): TrendData {
	const key = JSON.stringify([ids, range]);
	useEffect(() => {
		const subject = { ids, range };
		isChanging.value = true;
		if (isSignedIn.value) void read(subject);
		const stopPolling = addPollTask(async () => {
			if (running !== null) return pollFailure(await running);
			const isFresh = failure.value === null && currentTime() - answeredAt < freshMs;
			return isFresh || (!range.follows && failure.value === null) ? null : pollFailure(await read(subject));
		});
		return () => {
			stopPolling();
			newest += 1;
			running = null;
			answeredAt = Number.NEGATIVE_INFINITY;
		};
	}, [key]);
	useEffect(() => forget, []);
	const reload = (): void => {
		isChanging.value = true;
		void read({ ids, range });
	};
	return { history: history.value, isChanging: isChanging.value, failure: failure.value, reload };
}

interface Subject {
	readonly ids: readonly number[];
	readonly range: TimeRange;
}

/** Answers of an earlier request that come late are dropped. */
function read({ ids, range }: Subject): Promise<Failure | null> {
	newest += 1;
	const started = newest;
	const request = readOnce(ids, range, () => started === newest);
	running = request;
	return request.finally(() => {
		if (running === request) running = null;
	});
}

async function readOnce(ids: readonly number[], range: TimeRange, isNewest: () => boolean): Promise<Failure | null> {
	if (ids.length === 0) {
		forget();
		return null;
	}
	const { start, end } = spanOf(range, currentTime());
	const result = await readHistory({
		ids: [...ids],
		start: Math.round(start),
		end: Math.round(end),
		points,
		aggregates: [...trendAggregates],
	});
	if (!isNewest()) return null;
	batch(() => {
		failure.value = result.ok ? null : result.failure;
		// A failed poll of the same range keeps its curves: the shell marks them as out of date.
		if (!result.ok) return;
		answeredAt = currentTime();
		isChanging.value = false;
		// Not the means: those of a count are no values that it has had.
		for (const { id, unit, values } of result.data.data.variables)
			noteValues(id, unit, [...(values.own ?? []), ...(values.min ?? []), ...(values.max ?? [])]);
		history.value = result.data.data;
	});
	return result.ok ? null : result.failure;
}

/** A request that this range makes impossible is no fault of the connection. */
function pollFailure(found: Failure | null): Failure | null {
	if (found === null) return null;
	return found.kind === 'refused' && found.status < 500 && found.status !== 429 ? null : found;
}

function forget(): void {
	batch(() => {
		history.value = null;
		failure.value = null;
		isChanging.value = false;
	});
}
