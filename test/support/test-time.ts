import * as v from 'valibot';
import { readConfig } from '#shared/config.ts';

/**
 * Lets each file of tests begin at the time that TEST_TIME names, such as `2026-10-25T00:10:00Z`. The clock runs on from there, in pages of
 * the console, too. Servers and programs that tests start keep the machine's time.
 */
const { TEST_TIME } = readConfig(v.object({ TEST_TIME: v.optional(v.pipe(v.string(), v.isoTimestamp())) }));

/** Whether the tests run at another time than the machine. */
export const isOtherTime = TEST_TIME !== undefined;

if (TEST_TIME !== undefined) startAt(Date.parse(TEST_TIME));

function startAt(startMs: number): void {
	// The files of a worker share the global Date.
	const MachineDate = Date.prototype.constructor as DateConstructor;
	const offsetMs = startMs - MachineDate.now();
	const now = (): number => MachineDate.now() + offsetMs;
	globalThis.Date = new Proxy(MachineDate, {
		get: (target, key, receiver) => (key === 'now' ? now : Reflect.get(target, key, receiver)),
		construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
	});
}
