import { inTurn } from '../access/schemas-in-turn.ts';
import type { Report } from '../board/report.ts';
import { calendarOf, startOfDate, startOfDay } from '../calendar/days.ts';
import { DomainError } from '../errors.ts';
import { dayMs, minuteMs } from '../milliseconds.ts';
import type { NotifiedNumber, Notifier, ReportNotification } from '../ports/notifier.ts';
import type { Owners } from '../ports/owners.ts';
import type { ReportDays, ReportKey } from '../ports/report-days.ts';
import type { BoardRow, SchemaReader } from '../ports/schema-store.ts';
import { assembleDay } from '../report/assemble-day.ts';
import { compareDays, type FinishedDay } from '../report/compare-days.ts';
import { countDays } from '../report/count-days.ts';
import { type LoadedDays, loadDays, type ReportDeps } from '../report/load-report.ts';
import { provisionalMs } from '../report/provisional.ts';
import type { StoredDay } from '../report/stored-day.ts';
import type { WindowStates } from '../totals/fold-lines.ts';
import { usualDecimals } from '../variable/usual-decimals.ts';
import type { Range } from '../variable/window.ts';

/** The dependencies of the task that stores the days of reports. */
export interface CloseDeps extends ReportDeps {
	readonly store: Pick<SchemaReader, 'get' | 'list'>;
	readonly notifier: Pick<Notifier, 'notifyReport'>;
	/** Epoch milliseconds. */
	readonly now: () => number;
}

/** What a run did. */
export interface ClosedReports extends Omit<ClosedDays, 'errors'> {
	/** Number of schemas that were closed. */
	readonly schemas: number;
	/** The errors of schemas where something failed. */
	readonly failed: ReadonlyMap<string, readonly unknown[]>;
	/** Number of schemas that were not started because time was up. */
	readonly notStarted: number;
}

/** What was done for a schema so far. */
export interface ClosedDays {
	/** Number of days that were stored, for the first time or again. */
	stored: number;
	/** Number of days that were sealed. */
	sealed: number;
	sent: number;
	/** What went wrong, for the log. A report that fails does not keep the others from being closed. */
	readonly errors: unknown[];
}

/** How often the task runs, in milliseconds. */
const runMs = 15 * minuteMs;

/** A run starts no schema after this time, in milliseconds. Its function ends after 300 s. The next run begins with the schemas that were left. */
const startSchemasMs = 200_000;

/** How long after its end a day is first stored, in milliseconds. By then late samples have come and alarms are evaluated. */
const storeAfterMs = 15 * minuteMs;

/** Most days of one report that one run counts. After a longer outage the next runs go on. */
const daysPerRun = 31;

/** Number of days that are provisional at the same time. */
const provisionalDays = provisionalMs / dayMs;

/** Most messages about one day. A second one is sent only when nobody knows whether the first was accepted. */
const maxAttempts = 2;

/**
 * Closes the days of the reports of every schema that has an owner: whoever saves a report has signed in for one. One schema that fails or is
 * slow does not keep the others from being closed. Each run begins with another schema, so that none waits for ever.
 * @throws DomainError the errors of the store, where the owners cannot be listed
 */
export async function closeAllReportDays(deps: CloseDeps & { readonly owners: Pick<Owners, 'list'> }): Promise<ClosedReports> {
	const done = { schemas: 0, stored: 0, sealed: 0, sent: 0 };
	const failed = new Map<string, readonly unknown[]>();
	const left = await inTurn(deps, { runMs, startSchemasMs }, async (schema) => {
		const { errors, ...closed } = await closeReportDays(deps, schema);
		if (errors.length > 0) failed.set(schema, errors);
		done.schemas += 1;
		done.stored += closed.stored;
		done.sealed += closed.sealed;
		done.sent += closed.sent;
	});
	for (const [schema, error] of left.failed) failed.set(schema, [error]);
	return { ...done, failed, notStarted: left.notStarted };
}

/**
 * Stores the days of a schema's reports that are over, counts provisional days again that have changed, seals those whose time has come, and
 * sends the first numbers of a day (shared/domain/report/README.md#stored-days). Nothing is lost or doubled when it ends at any moment: the
 * next run goes on from what is stored.
 * @throws DomainError the errors of the store, where the reports cannot be listed
 */
export async function closeReportDays(deps: CloseDeps, schema: string): Promise<ClosedDays> {
	const done: ClosedDays = { stored: 0, sealed: 0, sent: 0, errors: [] };
	for (const row of await deps.store.list(schema, 'report'))
		try {
			await closeReport(deps, schema, row, done);
		} catch (error) {
			done.errors.push(error);
		}
	return done;
}

async function closeReport(deps: CloseDeps, schema: string, { board, database }: BoardRow, done: ClosedDays): Promise<void> {
	// A report has no database where it was restored by a tool: the next save binds it.
	if (board.kind !== 'report' || database === undefined || board.content.lines.length === 0) return;
	const report = board.content;
	const key = { schema, reportId: report.id };
	const newest = await deps.days.newest(key);
	const range = rangeToClose(report, newest, deps.now());
	if (range === null) return;
	const loaded = await loadDays(deps, { schema, database }, report, range);
	const days = compareDays(loaded, deps.now()).filter((day) => 'basis' in day);
	const needed = days.filter(({ kind }) => kind === 'unstored' || kind === 'outdated');
	const counted = await countDays(deps, loaded, needed);
	// Of a new report only the newest day is sent. It is stored first, so that no later run takes an older day for a new one.
	for (const day of newest === null ? days.toReversed() : days) {
		const mayBeSent = newest === null ? day === days.at(-1) : day.basis.date > newest;
		const stored = await storeDay(deps, loaded, day, { states: counted.get(day), mayBeSent }, done);
		if (stored !== null && isToBeSent(stored))
			await send(deps, key, report.title, stored, done).catch((error: unknown) => done.errors.push(error));
	}
}

/**
 * Returns the range of the days that are over and may not be sealed yet; null: there are none. The first is the day that became due for its
 * seal last. After an outage the first is an earlier day, which was provisional when the newest stored day was stored.
 */
function rangeToClose(report: Report, newest: string | null, now: number): Range | null {
	const calendar = calendarOf(report);
	const end = startOfDay(now - storeAfterMs, calendar);
	const lastDue = startOfDay(now - provisionalMs, calendar, { daysLater: -1 });
	const unsealed =
		newest === null ? lastDue : startOfDay(startOfDate(newest, calendar), calendar, { daysLater: -provisionalDays });
	const start = Math.min(lastDue, unsealed);
	const stop = Math.min(end, startOfDay(start, calendar, { daysLater: daysPerRun }));
	return start < stop ? { start, stop } : null;
}

/**
 * Stores a day that was counted, or seals it.
 * @param states the states that were counted now; undefined: the stored day needs no new count
 * @param mayBeSent whether the day is sent when it is stored for the first time
 * @returns the stored day; null where another run or person changed it meanwhile: then the next run handles it
 */
async function storeDay(
	deps: CloseDeps,
	loaded: LoadedDays,
	day: FinishedDay,
	{ states, mayBeSent }: { readonly states: WindowStates | undefined; readonly mayBeSent: boolean },
	done: ClosedDays,
): Promise<StoredDay | null> {
	const { basis, row } = day;
	const now = deps.now();
	const isDue = basis.to + provisionalMs <= now;
	if (states === undefined && (day.kind !== 'provisional' || !isDue)) return row;
	const unsealed = states === undefined ? row : assembleDay(loaded, day, states, now);
	if (unsealed === null) return null;
	const firstSending = loaded.report.send && mayBeSent && !isDue ? { attempts: 0, isAccepted: false } : null;
	const next: StoredDay = {
		...unsealed,
		rowVersion: (row?.rowVersion ?? 0) + 1,
		sending: row === null ? firstSending : row.sending,
		seal: isDue ? { at: now, by: null, reason: null } : null,
	};
	const { schema, report } = loaded;
	if (!(await deps.days.put({ schema, reportId: report.id }, next, row))) return null;
	done.stored += 1;
	if (isDue) done.sealed += 1;
	return next;
}

/** Whether the message about a day is still to be accepted. No message goes out about a sealed day. */
const isToBeSent = ({ sending, seal }: StoredDay): boolean => sending !== null && !sending.isAccepted && seal === null;

/**
 * Sends the numbers of a day. The attempt is stored first: after a crash nobody knows whether the message was accepted, so it is sent once more,
 * marked as repeated. A message that was refused does not count as an attempt.
 * @throws DomainError as `Notifier.notifyReport`, and the errors of the store
 */
async function send(deps: CloseDeps, key: ReportKey, title: string, day: StoredDay, done: ClosedDays): Promise<void> {
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

/** Returns the message that tells the numbers of a day. */
function notificationOf(
	{ schema, reportId }: ReportKey,
	title: string,
	{ date, from, to, timeZone, lines }: StoredDay,
	{ isRepeated }: { readonly isRepeated: boolean },
): ReportNotification {
	const numbers = lines.map(({ line, value: number }): NotifiedNumber => {
		const { group = null, name, unit, decimals = usualDecimals(line.function) } = line;
		const { value, low, high, known } = number;
		return { group, name, unit, decimals, value, low, high, known };
	});
	return { schema, reportId, title, date, from, to, timeZone, isRepeated, numbers };
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
