import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { jitteredPause } from '#adapters/jittered-pause.ts';
import type { BoardKind } from '#domain/board/board.ts';
import { readStored, type Stored } from '#domain/integrity/read-stored.ts';
import type { SchemaStore } from '#domain/ports/schema-store.ts';
import { boardToJson, panelToJson, variableToJson } from '#http/serialize.ts';
import { ConfigError } from '#shared/config.ts';
import { pluralize } from '../replay/summary.ts';
import { countsOf } from './messages.ts';
import { createBars } from './progress-bars.ts';

/** What is exported, in the wire's form: as the service lists it, ids and versions included; a variable that is going is not. */
export function exportOf(schema: string, { variables, boards, panel, head }: Stored) {
	const ofKind = (kind: BoardKind) => boards.filter((row) => row.kind === kind).map(boardToJson);
	return {
		schema,
		revision: head.revision,
		lastId: head.lastId,
		variables: variables.map(variableToJson),
		charts: ofKind('chart'),
		diagrams: ofKind('diagram'),
		alarms: ofKind('alarm'),
		panel: panel === null ? null : panelToJson(panel),
	};
}

/**
 * Exports a schema as JSON: all of one moment, in a file or on standard output. Says how many of each at its end.
 * Throws ConfigError where there is nothing to export, or where writes keep coming between.
 */
export async function exportSchema(store: SchemaStore, schema: string, file: string | undefined): Promise<void> {
	const bars = createBars(process.stderr, Date.now);
	const stored = await readStored({ store, pause: jitteredPause }, schema, bars.onPart).finally(bars.stop);
	const { variables, boards, panel, head, together } = stored;
	if (head.revision === 0 && variables.length + boards.length === 0 && panel === null)
		throw new ConfigError(`Nothing is stored for schema ${schema}: is that its name?`);
	if (!together)
		throw new ConfigError(`Schema ${schema} is written to all the time, and was never read as a whole: try again later.`);
	const exported = { ...stored, variables: variables.filter(({ deleting: going }) => !going) };
	const text = `${JSON.stringify(exportOf(schema, exported), null, '\t')}\n`;
	await (file === undefined ? writeOut(text) : writeWhole(file, text));
	const said = file === undefined ? process.stderr : process.stdout;
	const target = file === undefined ? '' : ` to ${file}`;
	said.write(`Exported ${countsOf(exported)} of schema ${schema}, revision ${head.revision}${target}.\n`);
	const going = variables.length - exported.variables.length;
	if (going > 0)
		said.write(`Left out ${pluralize(going, 'variable')}, deleted but not to the end: check --repair finishes that.\n`);
}

/** Writes to standard output; whoever reads it may stop before its end. */
const writeOut = (text: string): Promise<void> =>
	new Promise((resolve, reject) => {
		process.stdout.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EPIPE' ? resolve() : reject(error)));
		process.stdout.write(text, () => resolve());
	});

/** Writes a file whole or not at all: interrupted, it leaves the one before. Throws ConfigError where it cannot. */
async function writeWhole(file: string, text: string): Promise<void> {
	const beside = `${file}.partial`;
	try {
		if (await isSpecial(file)) return await writeFile(file, text);
		await writeFile(beside, text, { flush: true });
		await rename(beside, file);
	} catch (cause) {
		await rm(beside, { force: true }).catch(() => undefined);
		throw new ConfigError(`${file} cannot be written: ${reasonOf(cause)}`, { cause });
	}
}

/** Whether something other than a file has that name: a pipe or a device is written to, not replaced. */
async function isSpecial(file: string): Promise<boolean> {
	const found = await stat(file).catch(() => undefined);
	return found !== undefined && !found.isFile();
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
