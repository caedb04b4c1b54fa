import { type BoardKind, boardOf, parseBoard } from '#domain/board/board.ts';
import type { BoardRow, SchemaStore } from '#domain/ports/schema-store.ts';
import type { WriteDeps } from '#domain/transaction/run-transaction.ts';
import { deleteBoard, saveBoard } from '#domain/use-cases/save-board.ts';
import { ok } from './api-response.ts';
import { callerOf } from './caller.ts';
import { etagOf, ifMatchOf } from './etag.ts';
import type { ApiHandler } from './event.ts';
import { type IdempotentDeps, idempotent } from './idempotent.ts';
import { createLambdaHandler } from './lambda-handler.ts';
import type { Log } from './log.ts';
import { bodyOf, optionalBodyOf, pathIdOf, refuseDryRun } from './request.ts';
import { boardToJson } from './serialize.ts';

interface ReadDeps {
	readonly log: Log;
	readonly store: SchemaStore;
}

/** What saving and deleting a board needs. */
export type BoardWriteDeps = WriteDeps & IdempotentDeps & { readonly log: Log };

/** Answers every board of a kind, by ascending id. */
export function listBoards(kind: BoardKind, deps: ReadDeps): ApiHandler {
	return createLambdaHandler(deps.log, async (event) => {
		const rows = await deps.store.list(callerOf(event).schema, kind);
		return ok({ data: rows.map(boardToJson) });
	});
}

/** Saves a board of a kind: id 0 creates one. */
export function saveBoardOf(kind: BoardKind, deps: BoardWriteDeps): ApiHandler {
	return createLambdaHandler(deps.log, async (event) => {
		const caller = callerOf(event);
		refuseDryRun(event);
		const match = ifMatchOf(event);
		const board = boardOf(kind, parseBoard(kind, bodyOf(event)));
		return idempotent<BoardRow>(
			deps,
			event,
			caller,
			(receipted) => saveBoard(deps, caller.schema, board, match, receipted),
			(row) => ok({ data: boardToJson(row) }, etagOf(row)),
		);
	});
}

/** Deletes a board of a kind; false where there was none. */
export function deleteBoardOf(kind: BoardKind, deps: BoardWriteDeps): ApiHandler {
	return createLambdaHandler(deps.log, async (event) => {
		const caller = callerOf(event);
		refuseDryRun(event);
		const id = pathIdOf(event);
		optionalBodyOf(event);
		const match = ifMatchOf(event);
		return idempotent<boolean>(
			deps,
			event,
			caller,
			(receipted) => deleteBoard(deps, caller.schema, { kind, id }, match, receipted),
			(deleted) => ok({ data: { [kind]: deleted } }),
		);
	});
}
