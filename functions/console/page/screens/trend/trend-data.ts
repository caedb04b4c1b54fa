import { batch, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Failure } from '#page/core/api.ts';
import { currentTime, currentUptime } from '#page/core/clock.ts';
import { noteValues } from '#page/core/decimals.ts';
import { useWhileLive } from '#page/core/past/past-store.ts';
import { type History, readHistory } from '#page/core/past/read-history.ts';
import { lastPollStart } from '#page/core/poll.ts';
import { isSignedIn } from '#page/core/session.ts';
import { viewZone } from '#page/core/time-zone.ts';
import { type ComparedHistory, type Comparison, comparedSpan } from './comparison.ts';
import { spanOf, type TimeRange, type TimeSpan } from './time-range.ts';
import { trendAggregates } from './trend-model.ts';

/** The most windows of a trend. A screen cannot show more points than this as separate ones. */
const mostWindows = 400;

/**
 * A poll reads again only if the last request is older than this. So a poll that starts together with a change does not repeat the
 * request of the change.
 */
const freshMs = 5000;

/** The data of a trend: the newest answer, and the state of the present request. */
export interface TrendData {
	/** The newest answer; null before the first one. It stays while another range is read. */
	readonly history: History | null;
	/** The history of the compared range, which was read together with `history`; null without one. */
	readonly compared: ComparedHistory | null;
	/** Whether `history` still is of another range or of other variables than those that are being read, or is read anew by `reload`. */
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

/** The number of the newest request. The answer to an earlier one is dropped. */
let newestRequest = 0;
let isReading = false;

/** When the last request was sent, in milliseconds of `uptime`. */
let askedAt = Number.NEGATIVE_INFINITY;

/**
 * Reads the history of variables, and that of the compared range with a second request. It reads whenever the variables or the range
 * change. A range that follows the present time is read again with every poll, and so is a range that could not be read.
 */
export function useTrendData(ids: readonly number[], range: TimeRange, comparison: Comparison | null): TrendData {
	const reload = (): void => {
		isChanging.value = true;
		// While nobody is signed in, nothing is read. `isChanging` makes the first poll after the sign-in read it.
		if (isSignedIn.value) void read(ids, range, comparison);
	};
	useEffect(() => {
		reload();
		return () => {
			// An answer that comes later is dropped, and the next poll reads.
			newestRequest += 1;
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

/** Reads the history. A late answer to an earlier request is dropped. */
async function read(ids: readonly number[], range: TimeRange, comparison: Comparison | null): Promise<void> {
	newestRequest += 1;
	if (ids.length === 0) return forget();
	const ownRequest = newestRequest;
	isReading = true;
	askedAt = currentUptime();
	const span = spanOf(range, currentTime());
	const [result, other] = await Promise.all([
		readSpan(ids, span),
		comparison === null ? null : readSpan(ids, comparedSpan(comparison, span)),
	]);
	if (ownRequest !== newestRequest) return;
	isReading = false;
	const failed = [result, other].find((answer) => answer?.ok === false);
	batch(() => {
		failure.value = failed?.ok === false ? failed.failure : null;
		// After a failure the curves stay, and the failure is shown beside them.
		if (!result.ok || other?.ok === false) return;
		isChanging.value = false;
		// Means are not recorded, because the mean of a count may be a value that the count never had.
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
		points: mostWindows,
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
