import type { coloursFor } from './colours.ts';
import { print } from './print.ts';

/** What a check found. */
export interface CheckResult {
	/** The thing that was checked, and its state in a few words. */
	readonly subject: string;
	/** What is missing, and what to do. Each makes the service not start, or not work as it should. */
	readonly missing: readonly string[];
	/** What the operator should know. */
	readonly notes?: readonly string[];
}

/** Prints whether anything is missing, with what is. */
export function printCheck({ subject, missing, notes = [] }: CheckResult, pc: ReturnType<typeof coloursFor>): void {
	print(`${missing.length === 0 ? pc.green('OK') : pc.red('NO')}  ${subject}`);
	for (const message of missing) print(`    ${message}`);
	for (const note of notes) print(pc.dim(`    ${note}`));
}
