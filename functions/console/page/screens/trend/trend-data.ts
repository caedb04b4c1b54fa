import { batch, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Failure } from '#page/core/api.ts';
import { currentTime } from '#page/core/clock.ts';
import { noteValues } from '#page/core/decimals.ts';
import { useWhileLive } from '#page/core/past/past-store.ts';
import { type History, readHistory } from '#page/core/past/read-history.ts';
import { lastPollStart } from '#page/core/poll.ts';
import { isSignedIn } from '#page/core/session.ts';
import { viewZone } from '#page/core/time-zone.ts';
import { type ComparedHistory, type Comparison, comparedSpan } from './comparison.ts';
import { spanOf, type TimeRange, type TimeSpan } from './time-range.ts';
import { trendAggregates } from './trend-model.ts';

/** The most windows of a trend: more than that many points are no longer told apart on a screen. */
const points = 400;

/** How soon after a request a poll reads again: a poll that begins with a change must not repeat the request of the change. */
const freshMs = 5000;

/** What a trend shows: the newest answer, and what is being read. */
export interface TrendData {
	/** The newest answer; null before the first one. It stays while another range is read. */
	readonly history: History | null;
	/** The history of the compared range, of the same answer; null without one. */
	readonly compared: ComparedHistory | null;
	/** Whether another range or other variables are being read than those of `history`. */
	readonly isChanging: boolean;
	/** Why the newest request failed; null when it did not. */
	readonly failure: Failure | null;
	/** Reads again. */
	readonly reload: () => void;
}

const history = signal<History | null>(null);
const compared = signal<ComparedHistory | null>(null);
const failure = signal<Failure | null>(null);
const isChanging = signal(false);
let newest = 0;
let isReading = false;
let askedAt = Number.NEGATIVE_INFINITY;

/**
 * Reads the history of variables, with one request for each change of them or of the range, and one for the range that it is compared
 * with. A range that follows now is read anew with
 * every poll, and so is what could not be read.
 */
export function useTrendData(ids: readonly number[], range: TimeRange, comparison: Comparison | null): TrendData {
	const reload = (): void => {
		isChanging.value = true;
		if (isSignedIn.value) void read(ids, range, comparison);
	};
	useEffect(() => {
		reload();
		return () => {
			newest += 1;
			isReading = false;
			askedAt = Number.NEGATIVE_INFINITY;
		};
	}, [JSON.stringify([ids, range, comparison, viewZone().name])]);
	useWhileLive(() => {
		const isWanted = range.follows || isChanging.peek() || failure.peek() !== null;
		if (isWanted && !isReading && lastPollStart() - askedAt >= freshMs) void read(ids, range, comparison);
	});
	useEffect(() => forget, []);
	return { history: history.value, compared: compared.value, isChanging: isChanging.value, failure: failure.value, reload };
}

/** Answers of an earlier request that come late are dropped. */
async function read(ids: readonly number[], range: TimeRange, comparison: Comparison | null): Promise<void> {
	newest += 1;
	if (ids.length === 0) return forget();
	const started = newest;
	isReading = true;
	askedAt = currentTime();
	const span = spanOf(range, askedAt);
	const [result, other] = await Promise.all([
		readSpan(ids, span),
		comparison === null ? null : readSpan(ids, comparedSpan(comparison, span)),
	]);
	if (started !== newest) return;
	isReading = false;
	batch(() => {
		failure.value = !result.ok ? result.failure : other?.ok === false ? other.failure : null;
		// The curves of the same range stay, beside the reason why they are not the newest ones.
		if (!result.ok || other?.ok === false) return;
		isChanging.value = false;
		// Not the means: those of a count are no values that it has had.
		for (const { id, unit, values } of result.data.data.variables)
			noteValues(id, unit, [...(values.own ?? []), ...(values.min ?? []), ...(values.max ?? [])]);
		history.value = result.data.data;
		compared.value = comparison === null || other === null ? null : { comparison, history: other.data.data };
	});
}

function readSpan(ids: readonly number[], { start, end }: TimeSpan) {
	return readHistory({
		ids: [...ids],
		start: Math.round(start),
		end: Math.round(end),
		points,
		aggregates: [...trendAggregates],
	});
}

function forget(): void {
	batch(() => {
		history.value = null;
		compared.value = null;
		failure.value = null;
		isChanging.value = false;
	});
}
