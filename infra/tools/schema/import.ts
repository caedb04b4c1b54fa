import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { jitteredPause } from '#adapters/jittered-pause.ts';
import { DomainError, messageOf } from '#domain/errors.ts';
import { readStoredSchema } from '#domain/integrity/stored-schema.ts';
import { coloursFor } from '#infra/cli/colours.ts';
import { pluralize } from '#infra/cli/pluralize.ts';
import { print } from '#infra/cli/print.ts';
import type { Stores } from '#infra/local/wiring/stores.ts';
import { ConfigError } from '#shared/config.ts';
import { toJsonValue } from '../plant/json.ts';
import { rowCountsText } from './check.ts';
import { contentsOf, exportOf, exportText, type SchemaContents } from './contents.ts';
import { checkDatabaseOwners } from './database-owners.ts';
import { differencesOf } from './differences.ts';
import { notExported } from './export.ts';
import { parseExport } from './import-file.ts';
import { commitsOf, putAlarmRows, putRows, resumeEvaluation } from './restore-rows.ts';

const pc = coloursFor(process.stdout);

/** The stores that an import reads and writes. */
export type ImportStores = Pick<Stores, 'store' | 'imports' | 'alarms' | 'reportDays' | 'owners'>;

/** The largest file, in bytes. */
const maxFileBytes = 400_000_000;

/**
 * Reads an export from a file, or prints its faults.
 * @param options.schema the schema to import into, in place of the one that the file names
 * @param options.withoutRefusedDrawings leaves out each drawing that a save refuses, and prints why
 * @returns null when the file has faults
 * @throws ConfigError when the file cannot be read
 */
export async function readExport(
	file: string,
	{ schema, withoutRefusedDrawings }: { readonly schema?: string | undefined; readonly withoutRefusedDrawings: boolean },
): Promise<SchemaContents | null> {
	const parsed = parseExport(await textOf(file), Date.now(), { withoutRefusedDrawings });
	if ('contents' in parsed) {
		for (const { path, message } of parsed.leftOut) print(pc.yellow(`${file}: ${path} is left out. ${message}`));
		return { ...parsed.contents, schema: schema ?? parsed.contents.schema };
	}
	for (const { path, message } of parsed.faults) print(pc.red(`${file}: ${path}: ${message}`));
	if (parsed.faults.some(({ path }) => /^diagrams\.\d+\.background$/.test(path)))
		print('--without-refused-drawings imports these diagrams without their drawings.');
	print(pc.red(`${pluralize(parsed.faults.length, 'fault')}. Nothing was written.`));
	return null;
}

/**
 * Stores the contents of an export in an empty schema, or continues an interrupted import of the same contents
 * (infra/tools/schema/README.md#importing). Prints what was done.
 * @returns the exit code: 1 when a stored row differs from the file, because somebody saved it meanwhile
 * @throws ConfigError when the schema is not empty, or its owner does not own each database of the file
 * @throws DomainError `store_failed`, `outcome_unknown` or `write_contention`, after which the import can be run again
 */
export async function importSchema(stores: ImportStores, contents: SchemaContents, now: () => number): Promise<0 | 1> {
	const { store, imports, alarms } = stores;
	const { schema } = contents;
	const commits = commitsOf(contents);
	await checkDatabaseOwners(stores, schema, new Set(contents.boards.flatMap(({ database }) => database ?? [])));
	const importId = createHash('sha256').update(exportText(contents)).digest('hex');
	await begin(stores, contents, { importId, commits: commits.length });
	const savedMeanwhile: string[] = [];
	for (const rows of commits) savedMeanwhile.push(...(await putRows(store, schema, rows)));
	// Once a schema is evaluated, its states are the evaluator's.
	if ((await alarms.progress(schema)) === null)
		for (const [id, rows] of contents.alarmRows)
			if (!(await putAlarmRows(alarms, schema, id, rows))) savedMeanwhile.push(`the state of alarm#${id}`);
	const stored = await contentsOf(alarms, schema, await readStoredSchema({ store, pause: jitteredPause }, schema));
	const differingPaths = differencesOf(definitionsOf(contents), definitionsOf(stored));
	await resumeEvaluation(alarms, contents, now());
	await imports.end(schema, importId);
	print(`Imported ${rowCountsText(contents)} into schema ${schema}, revision ${stored.revision}.`);
	for (const item of savedMeanwhile) print(pc.yellow(`${item} was saved by somebody meanwhile, and stays so.`));
	for (const path of differingPaths) print(pc.yellow(`${path} differs from the file: somebody saved meanwhile.`));
	if (contents.progress !== null) print('The evaluation of its alarms goes on; stop-evaluation ends it.');
	await printOwner(stores, contents);
	print(notExported);
	const isWhole = savedMeanwhile.length === 0 && differingPaths.length === 0;
	if (isWhole) print(pc.green('All that was imported was read back and is the same.'));
	return isWhole ? 0 : 1;
}

/** Marks the schema, unless an import of the same contents has done that. */
async function begin(
	stores: ImportStores,
	contents: SchemaContents,
	{ importId, commits }: { readonly importId: string; readonly commits: number },
): Promise<void> {
	const { schema, lastId } = contents;
	const current = await stores.imports.current(schema);
	if (current === importId) return print('Goes on with the import of this file that was interrupted.');
	if (current !== null)
		throw new ConfigError(
			`An import of another file into schema ${schema} was interrupted: finish it first, with that file. The hash of its contents begins with ${current.slice(0, 12)}, the one of this file with ${importId.slice(0, 12)}.`,
		);
	const found = await storedThings(stores, contents);
	if (found.length > 0)
		throw new ConfigError(
			`Schema ${schema} is not empty: ${found.join('; ')}. Nothing was written: import into a schema that holds nothing (--schema names another one).`,
		);
	// With its commits, the import ends at the revision of the export. A function that cached that revision before has the same definitions.
	const revision = Math.max(0, contents.revision - commits);
	if (await stores.imports.begin(schema, { importId, revision, lastId })) return;
	throw new DomainError('write_contention', { retryAfterMs: 1000 });
}

/** Returns in words what is stored in a schema, except journals, people, machines and its owner. */
async function storedThings({ store, alarms, reportDays }: ImportStores, contents: SchemaContents): Promise<readonly string[]> {
	const { schema, boards } = contents;
	const stored = await readStoredSchema({ store, pause: jitteredPause }, schema);
	const { revision, lastId } = stored.metadata;
	const { rows, unreadable } = await alarms.rows(schema);
	const states = [...rows.keys(), ...unreadable];
	const reportIds = boards.flatMap(({ kind, board }) => (kind === 'report' ? [board.content.id] : []));
	const newestDays = await Promise.all(reportIds.map((reportId) => reportDays.newest({ schema, reportId })));
	const reportsWithDays = newestDays.filter((day) => day !== null).length;
	const isEvaluated = (await alarms.progress(schema)) !== null;
	const holdsRows = stored.variables.length + stored.boards.length > 0 || stored.panel !== null;
	return [
		...(holdsRows ? [`it has ${rowCountsText(stored)}`] : []),
		...(!holdsRows && revision > 0 ? [`it had definitions that were deleted (revision ${revision})`] : []),
		...(lastId > 0 ? [`ids up to ${lastId} were assigned`] : []),
		...(states.length > 0 ? [`it has states of ${pluralize(states.length, 'alarm')}`] : []),
		...(reportsWithDays > 0 ? [`it has stored days of ${pluralize(reportsWithDays, 'report')}`] : []),
		...(isEvaluated ? ['it is in the list of evaluated schemas (stop-evaluation takes it out)'] : []),
	];
}

/** Returns the contents without the fields that the service itself changes. */
function definitionsOf(contents: SchemaContents) {
	const { revision: _revision, evaluation: _evaluation, schema: _schema, ...definitions } = exportOf(contents);
	return toJsonValue(definitions);
}

async function printOwner({ owners }: ImportStores, { schema }: SchemaContents): Promise<void> {
	if ((await owners.find({ kind: 'schema', name: schema })) !== null) return;
	print(`The schema belongs to nobody: set its owner before anybody signs in (owner --schema ${schema} --set CLIENT).`);
}

async function textOf(file: string): Promise<string> {
	try {
		const { size } = await stat(file);
		if (size > maxFileBytes) throw new RangeError(`it has ${size} bytes, and no export has more than ${maxFileBytes}`);
		return await readFile(file, 'utf8');
	} catch (cause) {
		throw new ConfigError(`${file} cannot be read: ${messageOf(cause)}.`, { cause });
	}
}
