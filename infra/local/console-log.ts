import { qualities } from '#domain/reading/quality.ts';
import type { Log, ReadingCounts, RequestRecord } from '#http/log.ts';
import { coloursFor } from '#infra/cli/colours.ts';
import { pluralize } from '#infra/cli/pluralize.ts';
import { printLines } from '#infra/cli/print.ts';

const pc = coloursFor(process.stderr);

const colours: Readonly<Record<RequestRecord['outcome'], typeof pc.red>> = { ok: pc.green, refused: pc.yellow, fault: pc.red };

/**
 * Creates a log for a person at a terminal.
 * @param print receives each line, by default standard error
 * @param now the clock for the time on each line (shown in UTC), epoch milliseconds
 */
export function createConsoleLog(
	print: (line: string) => void = (line) => printLines(line, process.stderr),
	now: () => number = Date.now,
): Log {
	const time = (): string => pc.dim(clockTimeOf(now()));
	return {
		info: (message, fields) => print(`${time()} ${message} ${formatFields(fields)}`),
		error: (message, fields) => print(`${time()} ${pc.red(message)} ${formatFields(fields)}`),
		request: (record) => print(`${time()} ${formatRequest(record)}`),
	};
}

/** A log that drops everything, for tests and for tools with their own messages. */
export const silentLog: Log = { info: () => undefined, error: () => undefined, request: () => undefined };

/** Returns the time of day in UTC, cut out of its ISO form: `10:00:05`. */
function clockTimeOf(timeMs: number): string {
	return new Date(timeMs).toISOString().slice('2026-11-21T'.length, '2026-11-21T10:00:05'.length);
}

function formatFields(fields: Readonly<Record<string, unknown>>): string {
	return (
		Object.entries(fields)
			.map(([name, value]) => `${pc.dim(`${name}=`)}${typeof value === 'string' ? value : JSON.stringify(value)}`)
			.join(' ')
			// So that no line of a value passes for a line of the log.
			.replaceAll('\n', '\n    ')
	);
}

function formatRequest({ routeKey, status, outcome, durationMs, readings }: RequestRecord): string {
	const line = `${routeKey} ${colours[outcome](String(status))} ${pc.dim(`${Math.round(durationMs)} ms`)}`;
	return readings === undefined ? line : `${line}  ${formatCounts(readings)}`;
}

/** Formats the counts of readings with the best quality first: `24 readings: 23 good, 1 stale`. Without readings: `0 readings`. */
function formatCounts(counts: ReadingCounts): string {
	const nonZero = qualities.toReversed().flatMap((quality) => {
		const count = counts[quality] ?? 0;
		return count === 0 ? [] : [{ count, text: `${count} ${quality.replace('_', ' ')}` }];
	});
	const total = nonZero.reduce((sum, { count }) => sum + count, 0);
	const readings = pluralize(total, 'reading');
	return total === 0 ? readings : `${readings}: ${nonZero.map(({ text }) => text).join(', ')}`;
}
