import { batch, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { dateOfDay } from '#domain/calendar/days.ts';
import { api, type Failure, type Result, resultOf } from '#page/core/api.ts';
import { currentTime } from '#page/core/clock.ts';
import type { StoredReport } from '#page/core/definitions.ts';
import { isDue, useWhileLive } from '#page/core/past/past-store.ts';
import { isSignedIn } from '#page/core/session.ts';
import type { ReadPeriod, ReadReport } from './report-model.ts';
import { comparedSpan, type ReportSpan, rowLengths, spanAt, storedCalendar } from './report-periods.ts';
import type { ReportView } from './report-view.ts';

/** After this time, a period that is not over is read again. It is not shorter, because each reading counts the last day from samples. */
const renewMs = 300_000;

/** The data of a report: the newest answer, and the state of the present request. */
export interface ReportData {
	/** The newest answer; null before the first one. It stays while another period is read. */
	readonly read: ReadPeriod | null;
	/**
	 * Whether another report or period is being read, or the same one again after `reload`. It stays false while the shown period is renewed
	 * by itself.
	 */
	readonly isChanging: boolean;
	/** Why the newest request failed; null when it did not. */
	readonly failure: Failure | null;
	/** Reads again. */
	readonly reload: () => Promise<void>;
}

/** The state of the one report that is shown. It is kept here, and forgotten when the screen is left. */
const read = signal<ReadPeriod | null>(null);
const failure = signal<Failure | null>(null);
const isChanging = signal(false);
/** The number of the newest request. An answer to an earlier one is dropped. */
let newestRequest = 0;
/** Whether the newest request still runs. */
let isReading = false;
/** When the newest request was sent, in epoch milliseconds. */
let askedAt = Number.NEGATIVE_INFINITY;

/** Returns the period that a view shows at the time `now`. */
export function shownSpan(
	{ length, date }: ReportView,
	report: Pick<StoredReport, 'timeZone' | 'dayStart'>,
	now: number,
): ReportSpan {
	const calendar = storedCalendar(report);
	return spanAt(length, date ?? dateOfDay(now, calendar), calendar);
}

/**
 * Reads a period of a report, and the compared period with a second request. A period that is not over is read again every five minutes,
 * and a period that could not be read with the next poll.
 */
export function useReportData(report: StoredReport, view: ReportView): ReportData {
	const reload = async (): Promise<void> => {
		isChanging.value = true;
		if (isSignedIn.value) await readPeriod(report, view);
	};
	useEffect(() => {
		void reload();
		return () => {
			// An answer that comes later is dropped.
			newestRequest += 1;
			isReading = false;
		};
	}, [JSON.stringify([report.id, report.version, view])]);
	useWhileLive((nowMs) => {
		// A period that had ended when it was read is not renewed. It was read after `nowMs` if the clock was ahead then.
		const hasNotEnded = shownSpan(view, report, nowMs).end > Math.min(nowMs, read.peek()?.at ?? nowMs);
		const hasFailed = failure.peek() !== null;
		const mayRenew = (hasNotEnded || hasFailed) && isDue({ askedAt, hasFailed }, renewMs, nowMs);
		// What was asked for while nobody was signed in is read after the sign-in.
		if (!isReading && (isChanging.peek() || mayRenew)) void readPeriod(report, view);
	});
	useEffect(() => forget, []);
	return { read: read.value, isChanging: isChanging.value, failure: failure.value, reload };
}

/** Reads the periods. A late answer to an earlier request is dropped. */
async function readPeriod(report: StoredReport, view: ReportView): Promise<void> {
	newestRequest += 1;
	const ownRequest = newestRequest;
	isReading = true;
	askedAt = currentTime();
	const calendar = storedCalendar(report);
	const span = shownSpan(view, report, askedAt);
	const other = comparedSpan(view, span, askedAt, calendar);
	const [shown, compared] = await Promise.all([
		readSpan(report.id, span, rowLengths[view.length]),
		other === null ? null : readSpan(report.id, other, view.length),
	]);
	if (ownRequest !== newestRequest) return;
	isReading = false;
	batch(() => {
		isChanging.value = false;
		const failed = [shown, compared].find((result) => result?.ok === false);
		failure.value = failed?.ok === false ? failed.failure : null;
		if (!shown.ok) return;
		read.value = {
			view,
			span,
			report: shown.data,
			compared: other === null || compared?.ok !== true ? null : { span: other, report: compared.data },
			at: askedAt,
		};
	});
}

/** Reads the numbers of a report over a span, in windows of a length. */
async function readSpan(id: number, { start, end }: ReportSpan, period: ReadReport['period']): Promise<Result<ReadReport>> {
	const result = await resultOf(api.POST('/readReport', { body: { id, start, end, period } }));
	return result.ok ? { ...result, data: result.data.data } : result;
}

/** Forgets everything, so that the next report does not begin with the numbers of this one. */
function forget(): void {
	batch(() => {
		read.value = null;
		failure.value = null;
		isChanging.value = false;
	});
	askedAt = Number.NEGATIVE_INFINITY;
}
