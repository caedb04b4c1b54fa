import pc from 'picocolors';
import type { Log } from '../../shared/http/log.ts';

const clock = (): string => new Date().toISOString().slice(11, 19);

const fieldsOf = (fields: Readonly<Record<string, unknown>>): string =>
	Object.entries(fields)
		.map(([name, value]) => `${pc.dim(`${name}=`)}${typeof value === 'string' ? value : JSON.stringify(value)}`)
		.join(' ');

/** Log lines for a person at a terminal, on standard error. */
export const createConsoleLog = (): Log => ({
	info: (message, fields) => console.error(`${pc.dim(clock())} ${message} ${fieldsOf(fields)}`),
	error: (message, fields) => console.error(`${pc.dim(clock())} ${pc.red(message)} ${fieldsOf(fields)}`),
});

/** Drops everything: for tests, and for tools that say what they have to say themselves. */
export const silentLog: Log = { info: () => undefined, error: () => undefined };
