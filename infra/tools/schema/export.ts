import { jitteredPause } from '#adapters/jittered-pause.ts';
import type { BoardKind } from '#domain/board/board.ts';
import { readStoredSchema } from '#domain/integrity/stored-schema.ts';
import { noRows } from '#domain/ports/alarm-store.ts';
import type { BoardRow } from '#domain/ports/schema-store.ts';
import { boardToJson, panelToJson, variableToJson } from '#http/serialize.ts';
import { pluralize } from '#infra/cli/pluralize.ts';
import { writeWhole } from '#infra/cli/write-whole.ts';
import { ConfigError } from '#shared/config.ts';
import { countsOf, emptyNotice } from './check.ts';
import type { AlarmStores } from './evaluation.ts';

/**
 * Exports a schema as JSON in the form of the wire contract, as it was at one revision, to a file or to standard output. Beside it are
 * the databases and states of the alarms, read after that, without the journal. Prints the numbers of rows.
 * @throws ConfigError when nothing is stored or the file cannot be written
 * @throws DomainError `write_contention` when the schema is written to all the time
 */
export async function exportSchema({ store, alarms }: AlarmStores, schema: string, file: string | undefined): Promise<void> {
	const stored = await readStoredSchema({ store, pause: jitteredPause }, schema);
	const notice = emptyNotice(stored, schema);
	if (notice !== null) throw new ConfigError(notice);
	const { boards, panel, metadata } = stored;
	const variables = stored.variables.filter(({ deleting }) => !deleting);
	const ofKind = (kind: BoardKind) => boards.filter((row) => row.kind === kind).map(boardToJson);
	const exported = {
		schema,
		revision: metadata.revision,
		lastId: metadata.lastId,
		variables: variables.map(variableToJson),
		charts: ofKind('chart'),
		diagrams: ofKind('diagram'),
		alarms: ofKind('alarm'),
		corrections: ofKind('correction'),
		reports: ofKind('report'),
		panel: panel === null ? null : panelToJson(panel),
		evaluation: await evaluationOf(alarms, schema, boards),
	};
	const text = `${JSON.stringify(exported, null, '\t')}\n`;
	await (file === undefined ? writeOut(text) : writeWhole(file, text));
	const notices = file === undefined ? process.stderr : process.stdout;
	const target = file === undefined ? '' : ` to ${file}`;
	notices.write(`Exported ${countsOf({ ...stored, variables })} of schema ${schema}, revision ${metadata.revision}${target}.\n`);
	const left = stored.variables.length - variables.length;
	if (left > 0)
		notices.write(`Left out ${pluralize(left, 'variable')} with an unfinished deletion: check --repair finishes it.\n`);
}

/** Returns what is stored for the evaluation of a schema's alarms. A state that cannot be parsed is left out; `check` names it. */
async function evaluationOf(alarms: AlarmStores['alarms'], schema: string, boards: readonly BoardRow[]) {
	const { rows } = await alarms.rows(schema);
	const states = boards.flatMap(({ kind, board, database = null }) => {
		const { id } = board.content;
		return kind === 'alarm' ? [{ id, database, ...(rows.get(id) ?? noRows) }] : [];
	});
	return { progress: await alarms.progress(schema), alarms: states };
}

/** Writes to standard output. A reader that stops early (`| head`) is no error. */
const writeOut = (text: string): Promise<void> =>
	new Promise((resolve, reject) => {
		process.stdout.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EPIPE' ? resolve() : reject(error)));
		process.stdout.write(text, () => resolve());
	});
