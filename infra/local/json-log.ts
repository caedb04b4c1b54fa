import type { Log, RequestRecord } from '#http/log.ts';

/** The levels of the log, the least urgent first. */
export const logLevels = ['info', 'warn', 'error'] as const;

/** A level of the log. */
export type LogLevel = (typeof logLevels)[number];

const levelOf: Readonly<Record<RequestRecord['outcome'], LogLevel>> = { ok: 'info', refused: 'warn', fault: 'error' };

/**
 * Creates a log of JSON lines: `{"level":"info","time":"2026-11-29T01:16:16.123Z","message":"request",…}`.
 * @param least lines of lower levels are left out
 * @param write receives each line, by default standard error
 * @param now epoch milliseconds
 */
export function createJsonLog(
	least: LogLevel,
	write: (line: string) => void = (line) => process.stderr.write(`${line}\n`),
	now: () => number = Date.now,
): Log {
	const print = (level: LogLevel, message: string, fields: object): void => {
		if (logLevels.indexOf(level) < logLevels.indexOf(least)) return;
		write(JSON.stringify({ level, time: new Date(now()).toISOString(), message, ...fields }));
	};
	return {
		info: (message, fields) => print('info', message, fields),
		error: (message, fields) => print('error', message, fields),
		request: (record) => print(levelOf[record.outcome], 'request', record),
	};
}
