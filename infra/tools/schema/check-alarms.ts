import pc from 'picocolors';
import { DomainError } from '#domain/errors.ts';
import { pluralize } from '#infra/cli/pluralize.ts';
import { print } from '#infra/cli/print.ts';
import type { Stores } from '#infra/local/wiring/stores.ts';

/** Numbers of inconsistencies. */
export interface CheckTotals {
	readonly found: number;
	readonly repaired: number;
}

/**
 * Checks what is stored for the evaluation of a schema's alarms, and repairs it when asked: an index row that is lost (a restored
 * backup may lack it) is written again. Prints a line for each inconsistency.
 */
export async function checkAlarms(alarms: Stores['alarms'], schema: string, repair: boolean): Promise<CheckTotals> {
	const { alarms: saved } = await alarms.alarms(schema);
	const bound = saved.filter(({ database }) => database !== undefined);
	const { unreadable } = await alarms.rows(schema);
	for (const id of [...unreadable].sort((a, b) => a - b))
		print((repair ? pc.red : pc.yellow)(`${repair ? 'left    ' : 'found'} alarm#${id}: a row of its state cannot be read`));
	const lost = bound.length === 0 ? null : await lostEvaluation(alarms, schema, bound.length);
	if (lost !== null && repair) {
		await alarms.stopEvaluation(schema);
		await alarms.startEvaluation(schema, Date.now());
	}
	if (lost !== null) print(repair ? pc.green(`repaired ${lost}: started again`) : pc.yellow(`found ${lost}`));
	const unbound = saved.length - bound.length;
	if (unbound > 0)
		print(pc.yellow(`${pluralize(unbound, 'alarm')} saved before alarms were evaluated: bind-alarms starts their evaluation.`));
	return { found: unreadable.size + (lost === null ? 0 : 1), repaired: lost !== null && repair ? 1 : 0 };
}

/** Returns why a schema is not evaluated; null where it is. */
async function lostEvaluation(alarms: Stores['alarms'], schema: string, count: number): Promise<string | null> {
	try {
		if ((await alarms.progress(schema)) !== null) return null;
		return `the schema has ${pluralize(count, 'alarm')} to evaluate, but is not in the list of evaluated schemas`;
	} catch (error) {
		if (error instanceof DomainError) throw error;
		return 'the progress of the evaluation cannot be read';
	}
}
