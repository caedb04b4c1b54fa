import type { Report } from '../board/report.ts';
import { startOfDate, startOfDay } from '../calendar/days.ts';
import { DomainError } from '../errors.ts';
import { dayMs, minuteMs } from '../milliseconds.ts';
import type { Notifier } from '../ports/notifier.ts';
import type { ReportDays, ReportKey } from '../ports/report-days.ts';
import type { BoardRow, SchemaReader } from '../ports/schema-store.ts';
import { provisionalMs } from '../report/provisional.ts';
import { notificationOf } from '../report/report-notification.ts';
import { countingRules, type StoredDay } from '../report/stored-day.ts';
import type { WindowStates } from '../totals/fold-lines.ts';
import { type ComparedDay, compareDays, countRuns, isIncomplete } from './inspect-days.ts';
import { calendarOf, daysIn, type OpenedReport, openReport, type ReportDeps, storedLines } from './open-report.ts';

/** The dependencies of the task that stores the days of reports. */
export interface CloseDeps extends ReportDeps {
	readonly store: Pick<SchemaReader, 'get' | 'list'>;
	readonly notifier: Pick<Notifier, 'notifyReport'>;
	/** Epoch milliseconds. */
	readonly now: () => number;
}

/** What was done for a schema. */
export interface ClosedDays {
	/** Number of days that were stored, for the first time or again. */
	readonly stored: number;
	/** Number of days that were sealed. */
	readonly sealed: number;
	readonly sent: number;
	/** What went wrong, for the log. A report that fails does not keep the others from being closed. */
	readonly errors: readonly unknown[];
}

/** How long after its end a day is first stored, in milliseconds. By then late samples have come and alarms are evaluated. */
export const settleMs = 15 * minuteMs;

/** Most days of one report that one run counts. After a longer outage the next runs go on. */
const daysPerRun = 31;

/** Number of days that are provisional at the same time. */
const provisionalDays = provisionalMs / dayMs;

/** Most messages about one day. A second one is sent only when nobody knows whether the first was accepted. */
const maxAttempts = 2;

/**
 * Stores the days of a schema's reports that are over, counts provisional days again that have changed, seals those whose time has come, and
 * sends the first numbers of a day (shared/domain/report/README.md#stored-days). Nothing is lost or doubled when it ends at any moment: the
 * next run goes on from what is stored.
 * @throws DomainError the errors of the store, where the reports cannot be listed
 */
export async function closeReportDays(deps: CloseDeps, schema: string): Promise<ClosedDays> {
	const done: Progress = { stored: 0, sealed: 0, sent: 0, errors: [] };
	for (const row of await deps.store.list(schema, 'report'))
		try {
			await closeReport(deps, schema, row, done);
		} catch (error) {
			done.errors.push(error);
		}
	return done;
}

/** The counts of a run, while it runs. */
interface Progress {
	stored: number;
	sealed: number;
	sent: number;
	readonly errors: unknown[];
}

async function closeReport(deps: CloseDeps, schema: string, { board, database }: BoardRow, done: Progress): Promise<void> {
	// A report has no database where it was restored by a tool: the next save binds it.
	if (board.kind !== 'report' || database === undefined || board.content.lines.length === 0) return;
	const report = board.content;
	const key = { schema, reportId: report.id };
	const newest = await deps.days.newest(key);
	const bounds = boundsToClose(report, newest, deps.now());
	if (bounds.length < 2) return;
	const opened = await openReport(deps, { schema, database }, report);
	const days = await compareDays(deps, opened, bounds);
	const needed = days.filter(
		({ stored, causes }) => stored === null || (stored.seal === null && (causes.size > 0 || isIncomplete(stored, deps.now()))),
	);
	const counted = await countRuns(
		deps,
		opened,
		bounds,
		needed.map(({ index }) => index),
	);
	// Of a new report only the newest day is sent. It is stored first, so that no later run takes an older day for a new one.
	for (const day of newest === null ? days.toReversed() : days) {
		const mayBeSent = newest === null ? day === days.at(-1) : day.basis.date > newest;
		const stored = await storeDay(deps, opened, day, { states: counted.get(day.index), mayBeSent }, done);
		if (stored !== null && isToBeSent(stored))
			await send(deps, key, report.title, stored, done).catch((error: unknown) => done.errors.push(error));
	}
}

/**
 * Returns the bounds of the days that are over and may not be sealed yet. The first is the day that became due for its seal last. After
 * an outage the first is an earlier day, which was provisional when the newest stored day was stored.
 */
function boundsToClose(report: Report, newest: string | null, now: number): readonly number[] {
	const calendar = calendarOf(report);
	const end = startOfDay(now - settleMs, calendar);
	const lastDue = startOfDay(now - provisionalMs, calendar, { daysLater: -1 });
	const unsealed =
		newest === null ? lastDue : startOfDay(startOfDate(newest, calendar), calendar, { daysLater: -provisionalDays });
	const start = Math.min(lastDue, unsealed);
	return start < end ? daysIn({ start, stop: end }, calendar).slice(0, daysPerRun + 1) : [];
}

/**
 * Stores a day that was counted, or seals it.
 * @param states the states that were counted now; undefined: the stored day needs no new count
 * @param mayBeSent whether the day is sent when it is stored for the first time
 * @returns the stored day; null where another run or person changed it meanwhile: then the next run handles it
 */
async function storeDay(
	deps: CloseDeps,
	opened: OpenedReport,
	{ basis, stored, row }: ComparedDay,
	{ states, mayBeSent }: { readonly states: WindowStates | undefined; readonly mayBeSent: boolean },
	done: Progress,
): Promise<StoredDay | null> {
	const now = deps.now();
	const isDue = basis.to + provisionalMs <= now;
	if (stored !== null && (stored.seal !== null || (states === undefined && !isDue))) return stored;
	const firstSending = opened.report.send && mayBeSent && !isDue ? { attempts: 0, isAccepted: false } : null;
	const unsealed = states === undefined ? stored : countedDay(opened, basis, states, row, now);
	// This cannot be: a day that is not stored was counted.
	if (unsealed === null) return null;
	const day: StoredDay = {
		...unsealed,
		rowVersion: (row?.rowVersion ?? 0) + 1,
		sending: row === null ? firstSending : row.sending,
		seal: isDue ? { at: now, by: null, reason: null } : null,
	};
	const { schema, report } = opened;
	if (!(await deps.days.put({ schema, reportId: report.id }, day, row))) return null;
	done.stored += 1;
	if (isDue) done.sealed += 1;
	return day;
}

/** Whether the message about a day is still to be accepted. No message goes out about a sealed day. */
const isToBeSent = ({ sending, seal }: StoredDay): boolean => sending !== null && !sending.isAccepted && seal === null;

/** Returns a day as it is counted now, not sealed. It continues the versions of the stored row. `now`: epoch milliseconds. */
export function countedDay(
	opened: OpenedReport,
	basis: ComparedDay['basis'],
	states: WindowStates,
	row: StoredDay | null,
	now: number,
): StoredDay {
	return {
		...basis,
		lines: storedLines(opened, basis, states),
		revision: row === null ? 1 : row.revision + (row.seal === null ? 0 : 1),
		rowVersion: (row?.rowVersion ?? 0) + 1,
		countedAt: now,
		rules: countingRules,
		seal: null,
		sending: row?.sending ?? null,
	};
}

/**
 * Sends the numbers of a day. The attempt is stored first: after a crash nobody knows whether the message was accepted, so it is sent once more,
 * marked as repeated. A message that was refused does not count as an attempt.
 * @throws DomainError as `Notifier.notifyReport`, and the errors of the store
 */
async function send(deps: CloseDeps, key: ReportKey, title: string, day: StoredDay, done: Progress): Promise<void> {
	const { attempts } = day.sending ?? { attempts: 0 };
	if (attempts >= maxAttempts) return;
	const started = await changeSending(deps.days, key, day, { attempts: attempts + 1, isAccepted: false });
	if (started === null) return;
	try {
		await deps.notifier.notifyReport(notificationOf(key, title, day, { isRepeated: attempts > 0 }));
	} catch (error) {
		// After any other error the message may have been accepted.
		const isRefused = error instanceof DomainError && error.code === 'dependency_failed';
		if (isRefused) await changeSending(deps.days, key, started, { attempts, isAccepted: false });
		throw error;
	}
	await changeSending(deps.days, key, started, { attempts: attempts + 1, isAccepted: true });
	done.sent += 1;
}

/** Stores how far the sending of a day has come. Returns the day as stored; null where it was changed meanwhile. */
async function changeSending(
	days: Pick<ReportDays, 'put'>,
	key: ReportKey,
	day: StoredDay,
	sending: StoredDay['sending'],
): Promise<StoredDay | null> {
	const next = { ...day, rowVersion: day.rowVersion + 1, sending };
	return (await days.put(key, next, day)) ? next : null;
}
