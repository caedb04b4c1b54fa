import { definitionOf, type Report } from '../board/report.ts';
import { dateAfter } from '../calendar/day-range.ts';
import { calendarOf, startOfDate, startOfDay } from '../calendar/days.ts';
import { DomainError } from '../errors.ts';
import { dayMs, minuteMs } from '../milliseconds.ts';
import type { NotifiedNumber, Notifier, ReportNotification } from '../ports/notifier.ts';
import type { ReportDays, ReportKey } from '../ports/report-days.ts';
import { assembleDay } from '../report/assemble-day.ts';
import { compareDays, type FinishedDay, type ReportDay } from '../report/compare-days.ts';
import { type CountedDays, countDays } from '../report/count-days.ts';
import { type LoadedDays, loadDays, type ReportDeps } from '../report/load-report.ts';
import { raisedWatch, watchedDays } from '../report/night-watch.ts';
import { provisionalMs } from '../report/provisional.ts';
import { type References, readReferences } from '../report/reference-nights.ts';
import { isRead, type StoredDay } from '../report/stored-day.ts';
import type { WindowStates } from '../totals/fold-lines.ts';
import { usualDecimals } from '../variable/usual-decimals.ts';
import type { Range } from '../variable/window.ts';

/** The dependencies of the task that stores the days of reports. */
export interface CloseDeps extends ReportDeps {
	readonly notifier: Pick<Notifier, 'notifyReport'>;
	/** Epoch milliseconds. */
	readonly now: () => number;
}

/** What was done for a schema so far. */
export interface ClosedDays {
	/** Number of days that were stored, for the first time or again. */
	stored: number;
	/** Number of days that were sealed. */
	sealed: number;
	sent: number;
	/** When the next day of a report is to be stored, epoch milliseconds; infinite: there is no report. */
	nextDayAt: number;
	/** What went wrong, for the log. A report that fails does not keep the others from being closed. */
	readonly errors: unknown[];
}

/** How long after its end a day is first stored, in milliseconds. By then late samples have come and alarms are evaluated. */
const storeAfterMs = 15 * minuteMs;

/** Most days of one report that one run counts. After a longer outage the next runs go on. */
const daysPerRun = 31;

/** Number of days that are provisional at the same time. */
const provisionalDays = provisionalMs / dayMs;

/** Most messages about one day. A second one is sent only when nobody knows whether the first was accepted. */
const maxAttempts = 2;

/**
 * Stores the days of a schema's reports that are over, counts provisional days again that have changed, seals those whose time has come, and
 * sends the first numbers of a day (shared/domain/report/README.md#stored-days). Nothing is lost or doubled when it ends at any moment: the
 * next run goes on from what is stored. The reports whose last stored day is the oldest come first.
 * @param signal begins no further report once it is aborted
 * @throws DomainError the errors of the store, where the reports or their last days cannot be read
 */
export async function closeReportDays(deps: CloseDeps, schema: string, signal?: AbortSignal): Promise<ClosedDays> {
	const done: ClosedDays = { stored: 0, sealed: 0, sent: 0, nextDayAt: Number.POSITIVE_INFINITY, errors: [] };
	const reports: ReportToClose[] = [];
	for (const { board, database } of await deps.store.list(schema, 'report')) {
		// A report has no database where it was restored by a tool: the next save binds it.
		if (board.kind !== 'report' || database === undefined || board.content.lines.length === 0) continue;
		const report = board.content;
		reports.push({ report, database, newest: await deps.days.newest({ schema, reportId: report.id }) });
		done.nextDayAt = Math.min(done.nextDayAt, nextDayAt(report, deps.now()));
	}
	for (const each of reports.toSorted(longestWaitingFirst)) {
		if (signal?.aborted) break;
		await closeReport(deps, schema, each, done).catch((error: unknown) => done.errors.push(error));
	}
	return done;
}

/** A report that is bound to a database. `newest`: the date of its last stored day; null: there is none. */
interface ReportToClose {
	readonly report: Report;
	readonly database: string;
	readonly newest: string | null;
}

/** Compares two reports by their last stored days. Dates sort as text. */
function longestWaitingFirst(a: ReportToClose, b: ReportToClose): number {
	const [first, second] = [a.newest ?? '', b.newest ?? ''];
	return first < second ? -1 : Number(first > second);
}

/** Returns when the next day of a report is to be stored. */
function nextDayAt(report: Report, now: number): number {
	return startOfDay(now - storeAfterMs, calendarOf(report), { daysLater: 1 }) + storeAfterMs;
}

async function closeReport(
	deps: CloseDeps,
	schema: string,
	{ report, database, newest }: ReportToClose,
	done: ClosedDays,
): Promise<void> {
	const key = { schema, reportId: report.id };
	const range = rangeToClose(report, newest, deps.now());
	if (range === null) return;
	const loaded = await loadDays(deps, { schema, database }, report, range);
	const days = compareDays(loaded, deps.now()).filter((day) => 'basis' in day);
	const needed = days.filter(({ kind }) => kind === 'unstored' || kind === 'outdated');
	const counted = await countInParts(deps, loaded, needed);
	const isWatched = needed.length > 0 && report.lines.some(({ watch }) => watch !== undefined);
	const references: References = isWatched ? await readReferences(deps, { schema, database }, report, deps.now()) : new Map();
	// Of a new report only the newest day is sent. It is stored first, so that no later run takes an older day for a new one.
	for (const day of newest === null ? days.toReversed() : days) {
		const mayBeSent = newest === null ? day === days.at(-1) : day.basis.date > newest;
		const stored = await storeDay(deps, loaded, day, { states: counted.get(day), references, mayBeSent }, done);
		if (stored !== null && isToBeSent(stored))
			await send(deps, key, report, stored, done).catch((error: unknown) => done.errors.push(error));
	}
}

/** Counts days in one read; in halves, where they have more samples together than one read may. @throws DomainError as `countDays` */
async function countInParts(deps: CloseDeps, loaded: LoadedDays, days: readonly ReportDay[]): Promise<CountedDays> {
	try {
		return await countDays(deps, loaded, days);
	} catch (error) {
		if (!(error instanceof DomainError && error.code === 'too_large') || days.length === 1) throw error;
		const half = Math.ceil(days.length / 2);
		const first = await countInParts(deps, loaded, days.slice(0, half));
		return new Map([...first, ...(await countInParts(deps, loaded, days.slice(half)))]);
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
 * @returns the stored day; null where it cannot be read, or another run or person changed it meanwhile: then the next run handles it
 */
async function storeDay(
	deps: CloseDeps,
	loaded: LoadedDays,
	day: FinishedDay,
	{
		states,
		references,
		mayBeSent,
	}: { readonly states: WindowStates | undefined; readonly references: References; readonly mayBeSent: boolean },
	done: ClosedDays,
): Promise<StoredDay | null> {
	// Nobody knows whether it is sealed.
	if (day.kind === 'unreadable') return null;
	const { basis, row } = day;
	const now = deps.now();
	const isDue = basis.to + provisionalMs <= now;
	if (states === undefined && (day.kind !== 'provisional' || !isDue)) return row;
	const unsealed = states === undefined ? row : assembleDay(loaded, day, states, now);
	if (unsealed === null) return null;
	const { schema, report } = loaded;
	const isFirst = row === null && mayBeSent && !isDue;
	const watches =
		states === undefined ? unsealed.watches : await watchesOf(deps, { schema, report }, unsealed, references, isFirst);
	const isTold = report.send || watches?.some(({ toldOn }) => toldOn === unsealed.date);
	const firstSending = isFirst && isTold ? { attempts: 0, isAccepted: false } : null;
	const next: StoredDay = {
		...unsealed,
		rowVersion: (row?.rowVersion ?? 0) + 1,
		sending: row === null ? firstSending : row.sending,
		seal: isDue ? { at: now, by: null, reason: null } : null,
		...(watches === undefined ? {} : { watches }),
	};
	if (!(await deps.days.put({ schema, reportId: report.id }, next, row))) return null;
	done.stored += 1;
	if (isDue) done.sealed += 1;
	return next;
}

/**
 * Returns the rises that last at a day (shared/domain/totals/LIMITS.md#watch); undefined: no line is watched. One that the day before has already is
 * told of no more.
 * @param isFirst whether the day is stored for the first time, and may be told of
 */
async function watchesOf(
	{ days }: Pick<CloseDeps, 'days'>,
	{ schema, report }: Pick<LoadedDays, 'schema' | 'report'>,
	day: StoredDay,
	references: References,
	isFirst: boolean,
): Promise<StoredDay['watches']> {
	const watched = report.lines.filter(({ watch }) => watch !== undefined);
	if (watched.length === 0) return undefined;
	const from = dateAfter(day.date, { days: 1 - watchedDays });
	const earlier = (await days.list({ schema, reportId: report.id }, from, dateAfter(day.date, { days: -1 }))).filter(isRead);
	return watched.flatMap(({ watch, ...line }) => {
		const reference = references.get(line.key) ?? null;
		const definition = JSON.stringify(definitionOf(line));
		const nights = [...earlier, day].flatMap(({ date, lines }) => {
			// A line with another definition had other nights.
			const stored = lines.find((each) => JSON.stringify(definitionOf(each.line)) === definition);
			return stored === undefined ? [] : [{ date, value: stored.value.value, low: stored.value.low }];
		});
		const raised = reference === null || watch === undefined ? null : raisedWatch(nights, reference, watch);
		if (raised === null) return [];
		const before = [...(earlier.at(-1)?.watches ?? []), ...(day.watches ?? [])].find(
			({ key, toldOn }) => key === line.key && toldOn !== null,
		);
		return [{ key: line.key, ...raised, toldOn: before?.toldOn ?? (isFirst ? day.date : null) }];
	});
}

/** Whether the message about a day is still to be accepted. No message goes out about a sealed day. */
const isToBeSent = ({ sending, seal }: StoredDay): boolean => sending !== null && !sending.isAccepted && seal === null;

/**
 * Sends the numbers of a day. The attempt is stored first: after a crash nobody knows whether the message was accepted, so it is sent once more,
 * marked as repeated. A message that was refused does not count as an attempt.
 * @throws DomainError as `Notifier.notifyReport`, and the errors of the store
 */
async function send(deps: CloseDeps, key: ReportKey, report: Report, day: StoredDay, done: ClosedDays): Promise<void> {
	const { attempts } = day.sending ?? { attempts: 0 };
	if (attempts >= maxAttempts) return;
	const started = await changeSending(deps.days, key, day, { attempts: attempts + 1, isAccepted: false });
	if (started === null) return;
	try {
		await deps.notifier.notifyReport(notificationOf(key, report, day, { isRepeated: attempts > 0 }));
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
	{ title, send: sendsNumbers }: Report,
	{ date, from, to, timeZone, lines, watches = [] }: StoredDay,
	{ isRepeated }: { readonly isRepeated: boolean },
): ReportNotification {
	const told = watches.filter(({ toldOn }) => toldOn === date);
	// A report that sends no numbers tells those that rose.
	const shown = sendsNumbers ? lines : lines.filter(({ line }) => told.some(({ key }) => key === line.key));
	const raised = told.map(({ key, toldOn: _toldOn, ...rise }) => ({
		name: lines.find(({ line }) => line.key === key)?.line.name ?? key,
		...rise,
	}));
	const numbers = shown.map(({ line, value: number }): NotifiedNumber => {
		const { group = null, name, unit, decimals = usualDecimals(line.function) } = line;
		const { value, low, high, known } = number;
		return { group, name, unit, function: line.function, decimals, value, low, high, known };
	});
	return { schema, reportId, title, date, from, to, timeZone, isRepeated, numbers, ...(raised.length === 0 ? {} : { raised }) };
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
