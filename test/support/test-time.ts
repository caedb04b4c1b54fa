import * as v from 'valibot';
import { readConfig } from '#shared/config.ts';

/**
 * Lets each file of tests begin at the time that TEST_TIME names, such as `2026-10-25T00:10:00Z`. The clock runs on from there, in pages of
 * the console and in the programs that tests start, too. Servers that are not ours keep the machine's time.
 */
const { TEST_TIME, TEST_TIME_AHEAD_MS } = readConfig(
	v.object({
		TEST_TIME: v.optional(v.pipe(v.string(), v.isoTimestamp())),
		/** For a program that a test starts: how far its clock is ahead of the machine's. */
		TEST_TIME_AHEAD_MS: v.optional(v.pipe(v.string(), v.toNumber(), v.integer())),
	}),
);

const aheadMs = TEST_TIME === undefined ? TEST_TIME_AHEAD_MS : Date.parse(TEST_TIME) - machineNow();

/** Whether the tests run at another time than the machine. */
export const isOtherTime = aheadMs !== undefined;

if (aheadMs !== undefined) setAhead(aheadMs);

/** Returns what lets a program run at the time of the tests. Each file begins anew, so it follows from the global clock. */
export const timeEnvironment = (): Readonly<Record<string, string>> =>
	isOtherTime ? { NODE_OPTIONS: `--import=${import.meta.filename}`, TEST_TIME_AHEAD_MS: String(Date.now() - machineNow()) } : {};

/** Returns the machine's time: the files of a worker share the global Date. */
function machineNow(): number {
	return (Date.prototype.constructor as DateConstructor).now();
}

function setAhead(offsetMs: number): void {
	const MachineDate = Date.prototype.constructor as DateConstructor;
	const now = (): number => machineNow() + offsetMs;
	globalThis.Date = new Proxy(MachineDate, {
		get: (target, key, receiver) => (key === 'now' ? now : Reflect.get(target, key, receiver)),
		construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
	});
}
