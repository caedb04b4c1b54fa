import { inParallel } from '#domain/alarm/in-parallel.ts';
import { messageOf } from '#domain/errors.ts';
import { coloursFor } from '#infra/cli/colours.ts';
import { pluralize } from '#infra/cli/pluralize.ts';
import { print } from '#infra/cli/print.ts';
import { createProgressBar } from '#infra/cli/progress-bar.ts';
import { operatorMessage } from '#infra/cli/run-tool.ts';
import type { Stores } from '#infra/local/wiring/stores.ts';
import { type CheckedStores, findInconsistent, totalsText } from './check.ts';

const pc = coloursFor(process.stdout);

/** Most schemas that are checked at the same time. */
const maxConcurrentSchemas = 4;

/**
 * Checks every schema that has an owner or rows, and repairs them when asked. Prints a line for each schema with inconsistencies and for each
 * that could not be checked, then the totals. Shows its progress on a terminal.
 * @returns the exit code: 1 when an inconsistency is left or a schema could not be checked, else 0
 * @throws DomainError the errors of the store, where the schemas cannot be listed
 */
export async function checkAllSchemas(
	stores: CheckedStores & Pick<Stores, 'owners' | 'writtenSchemas'>,
	{ repair }: { readonly repair: boolean },
): Promise<0 | 1> {
	const [ownerships, written] = await Promise.all([stores.owners.list(), stores.writtenSchemas.list()]);
	const owned = ownerships.flatMap(({ kind, name }) => (kind === 'schema' ? [name] : []));
	const schemas = [...new Set([...owned, ...written])].sort();
	const bar = createProgressBar(process.stdout, 'Checking');
	let [checked, failed, found, repaired] = [0, 0, 0, 0];
	await inParallel(maxConcurrentSchemas, schemas, async (schema) => {
		try {
			const { totals } = await findInconsistent(stores, { schema, repair, tell: () => undefined });
			found += totals.found;
			repaired += totals.repaired;
			if (totals.found > 0) bar.note(`${schema}: ${totalsText(totals, { repair })}`);
		} catch (error) {
			failed += 1;
			bar.note(`${schema}: ${pc.red(`not checked: ${operatorMessage(error) ?? messageOf(error)}`)}`);
		}
		checked += 1;
		bar.update(checked, schemas.length);
	}).finally(bar.stop);
	const totals = found === 0 ? pc.green('nothing found') : totalsText({ found, repaired }, { repair });
	const unchecked = failed === 0 ? '' : `, and ${pc.red(`${failed} could not be checked`)}`;
	print(`Checked ${pluralize(schemas.length, 'schema')}: ${totals}${unchecked}.`);
	if (found > repaired || failed > 0) {
		print(`Check a schema by itself for what it is: --schema NAME${repair ? '' : '; --repair repairs what it can'}.`);
		return 1;
	}
	return 0;
}
