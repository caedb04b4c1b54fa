import { saveEntry } from '#domain/use-cases/save-entry.ts';
import { boardSaver } from '#http/board-handlers.ts';

/** POST /saveEntry: creates (id 0) or updates an entry of a report. */
export const createHandler = boardSaver('entry', {
	save: (deps, { schema }, board, match, createRecord) => saveEntry(deps, schema, board, match, createRecord),
});
