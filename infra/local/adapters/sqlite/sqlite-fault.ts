import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { DomainError, messageOf } from '#domain/errors.ts';

/** How long a call is repeated while another process holds the lock of the file. */
const maxBusyMs = 400;

/** The pause between two attempts. */
const pauseMs = 20;

/** SQLite's primary result codes (sqlite.org/rescode.html) for faults of the file or the disk. Any other code is a bug. */
const fileFaults = {
	5: 'busy',
	8: 'unusable',
	10: 'io',
	11: 'damaged',
	13: 'full',
	14: 'unusable',
	15: 'busy',
	26: 'damaged',
} as const;

/**
 * What is wrong with the file or the disk. `busy`: another process holds a lock. `unusable`: it cannot be opened or written to. `io`: the
 * disk failed.
 */
export type FileFault = (typeof fileFaults)[keyof typeof fileFaults];

/** The codes of file faults by their number. */
const faultsByCode: ReadonlyMap<number, FileFault> = new Map(
	Object.entries(fileFaults).map(([code, fault]) => [Number(code), fault]),
);

const sqliteErrorSchema = v.object({ code: v.literal('ERR_SQLITE_ERROR'), errcode: v.number() });

/** Returns the fault of the file or the disk that an error of SQLite reports; undefined for any other error. */
export function fileFaultOf(error: unknown): FileFault | undefined {
	const parsed = v.safeParse(sqliteErrorSchema, error);
	// The low byte of an extended code is its primary code.
	const lowByte = 0xff;
	return parsed.success ? faultsByCode.get(parsed.output.errcode & lowByte) : undefined;
}

/**
 * Calls `work` again while another process holds the lock of the file, for at most 0.4 s. It waits outside SQLite, so that the event
 * loop runs on: SQLite's own busy timeout would block it.
 * @param work must change nothing when it finds the file locked
 * @throws the last error of `work`
 */
export async function whileBusy<Result>(work: () => Result): Promise<Awaited<Result>> {
	const deadline = performance.now() + maxBusyMs;
	for (;;) {
		try {
			return await work();
		} catch (error) {
			if (fileFaultOf(error) !== 'busy' || performance.now() >= deadline) throw error;
			await sleep(pauseMs);
		}
	}
}

/**
 * Returns the same port on SQLite, with `whileBusy` for every call. A call that fails for a fault of the file or the disk throws
 * DomainError `store_failed`. Every call of the port must be one statement, or one transaction, or harmless when it is repeated.
 */
export function withFileFaults<Port extends object>(port: Port): Port {
	return new Proxy(port, {
		get: (target, property) => {
			const member: unknown = Reflect.get(target, property);
			if (typeof member !== 'function') return member;
			return (...args: readonly unknown[]): Promise<unknown> =>
				whileBusy(() => Reflect.apply(member, target, args)).catch((error: unknown) => {
					throw fileFaultOf(error) === undefined ? error : storeFailed(error);
				});
		},
	});
}

/** Builds the domain's error for a fault of the file. It means that nothing was written. */
function storeFailed(error: unknown): DomainError {
	return new DomainError('store_failed', { cause: messageOf(error) }, { cause: error });
}
