import { findInconsistencies } from '#domain/integrity/find-inconsistencies.ts';
import { keyText } from '#domain/transaction/read-set.ts';
import { coloursFor } from '#infra/cli/colours.ts';
import { pluralize } from '#infra/cli/pluralize.ts';
import { print, printable } from '#infra/cli/print.ts';
import { writeWhole } from '#infra/cli/write-whole.ts';
import { ConfigError } from '#shared/config.ts';
import { emptyNotice, rowCountsText } from './check.ts';
import { type ContentStores, exportText, readContents } from './contents.ts';

/** The sentence that says what an export leaves out. */
export const notExported =
	'Not in an export: the journals, the stored days of reports, people, machines and owners (infra/tools/schema/README.md).';

/**
 * Exports a schema as JSON, in the form of the API and as it was at one revision, to a file or to standard output. The export also
 * contains the databases and states of the alarms, which are read after the schema, but not the journal. Prints the numbers of rows.
 * @throws ConfigError when nothing is stored, an import is not finished, or the file cannot be written
 * @throws DomainError `write_contention` when the schema is written to all the time
 */
export async function exportSchema(stores: ContentStores, schema: string, file: string | undefined): Promise<void> {
	const { contents, stored } = await readContents(stores, schema);
	const notice = emptyNotice(stored, schema);
	if (notice !== null) throw new ConfigError(notice);
	const text = exportText(contents);
	await (file === undefined ? writeOut(text) : writeWhole(file, text));
	// Standard output is the export itself where there is no file.
	const messages = file === undefined ? process.stderr : process.stdout;
	const target = file === undefined ? '' : ` to ${file}`;
	print(`Exported ${rowCountsText(contents)} of schema ${schema}, revision ${contents.revision}${target}.`, messages);
	const inconsistencies = findInconsistencies(stored);
	const unread = inconsistencies.flatMap((found) => (found.kind === 'unread_row' ? [keyText(found.key)] : []));
	if (unread.length > 0) {
		const told = `Left out what cannot be read, with the references to it: ${unread.join(', ')} (check names the rows).`;
		print(coloursFor(messages).yellow(told), messages);
	}
	const leftOut = stored.variables.filter(({ deleting }) => deleting).length;
	if (leftOut > 0)
		print(`Left out ${pluralize(leftOut, 'variable')} with an unfinished deletion: check --repair finishes it.`, messages);
	const wrongReferences = inconsistencies.filter(({ kind }) => kind === 'missing_variable' || kind === 'undefined_bit');
	if (wrongReferences.length > 0) {
		const found = pluralize(wrongReferences.length, 'wrong reference');
		const refused = `An import would refuse this export for ${found}: check --repair, then export again.`;
		print(coloursFor(messages).yellow(refused), messages);
	}
	print(notExported, messages);
}

/** Writes to standard output. A reader that stops early (`| head`) is no error. At a terminal, control characters are escaped. */
const writeOut = (text: string): Promise<void> =>
	new Promise((resolve, reject) => {
		process.stdout.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EPIPE' ? resolve() : reject(error)));
		const shown = process.stdout.isTTY ? text.split('\n').map(printable).join('\n') : text;
		process.stdout.write(shown, () => resolve());
	});
