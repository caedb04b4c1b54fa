import pc from 'picocolors';
import { qualities } from '#domain/reading/quality.ts';
import type { Log, ReadingCounts, RequestRecord } from '#http/log.ts';

type Paint = (text: string) => string;

/** An outcome's colour, so that a screen of requests can be read at a glance. */
const paints: Readonly<Record<RequestRecord['outcome'], Paint>> = { ok: pc.green, refused: pc.yellow, fault: pc.red };

/**
 * Log lines for a person at a terminal, on standard error unless `print` says otherwise.
 * @param now the clock that lines are stamped with, epoch milliseconds; shown in UTC
 */
export function createConsoleLog(print: (line: string) => void = printLine, now: () => number = Date.now): Log {
	const clock = (): string => pc.dim(new Date(now()).toISOString().slice(11, 19));
	return {
		info: (message, fields) => print(`${clock()} ${message} ${fieldsOf(fields)}`),
		error: (message, fields) => print(`${clock()} ${pc.red(message)} ${fieldsOf(fields)}`),
		request: (record) => print(`${clock()} ${requestLine(record)}`),
	};
}

/** Drops everything: for tests, and for tools that say what they have to say themselves. */
export const silentLog: Log = { info: () => undefined, error: () => undefined, request: () => undefined };

const printLine = (line: string): void => console.error(line);

const fieldsOf = (fields: Readonly<Record<string, unknown>>): string =>
	Object.entries(fields)
		.map(([name, value]) => `${pc.dim(`${name}=`)}${typeof value === 'string' ? value : JSON.stringify(value)}`)
		.join(' ');

function requestLine({ routeKey, status, outcome, durationMs, readings }: RequestRecord): string {
	const took = pc.dim(`${Math.round(durationMs)} ms`);
	const line = `${routeKey} ${paints[outcome](String(status))} ${took}`;
	return readings === undefined ? line : `${line}  ${readingsOf(readings)}`;
}

/** `24 readings: 23 good, 1 stale`, the best first. */
function readingsOf(counts: ReadingCounts): string {
	const parts = qualities.toReversed().flatMap((quality) => {
		const count = counts[quality] ?? 0;
		return count === 0 ? [] : [{ count, text: `${count} ${quality.replace('_', ' ')}` }];
	});
	const total = parts.reduce((sum, { count }) => sum + count, 0);
	const what = `${total} ${total === 1 ? 'reading' : 'readings'}`;
	return parts.length === 0 ? what : `${what}: ${parts.map(({ text }) => text).join(', ')}`;
}
