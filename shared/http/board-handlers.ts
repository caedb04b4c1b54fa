import { type Board, type BoardKind, boardOf, parseBoard } from '#domain/board/board.ts';
import { type BoardRow, idOfRow } from '#domain/ports/schema-store.ts';
import type { VersionMatch } from '#domain/transaction/checks.ts';
import { deleteBoard } from '#domain/use-cases/delete-board.ts';
import { saveBoard } from '#domain/use-cases/save-board.ts';
import { type ApiResponse, ok } from './api-response.ts';
import { callerOf } from './caller.ts';
import { etagOf, ifMatchOf } from './etag.ts';
import type { ApiEvent, ApiHandler } from './event.ts';
import type { StoreHandlerDeps, WriteHandlerDeps } from './handler-deps.ts';
import { checkIdempotencyKey, idempotent } from './idempotent.ts';
import { createLambdaHandler } from './lambda-handler.ts';
import { listingResponse, readListing } from './listing.ts';
import { bodyOf, checkBody, isDryRun, pathIdOf, refuseDryRun } from './request.ts';
import { boardToJson } from './serialize.ts';

/** Returns the `createHandler` of an endpoint that lists the boards of one kind, all by ascending id or a page. */
export function boardLister(kind: BoardKind): (deps: StoreHandlerDeps) => ApiHandler {
	return (deps) =>
		createLambdaHandler(deps.log, async (event) => {
			const listing = await readListing(event, deps.store, callerOf(event).schema, kind);
			const entries = listing.rows.map((row) => ({ id: idOfRow(row), json: boardToJson(row) }));
			return listingResponse(listing, entries);
		});
}

/** Answers a dry run of a save, which stores nothing. */
export type DryRun<Deps> = (deps: Deps, event: ApiEvent, board: Board, match: VersionMatch) => Promise<ApiResponse>;

/**
 * Returns the `createHandler` of an endpoint that saves a board of one kind; id 0 creates one.
 * @param dryRun answers a dry run; left out: the endpoint has none
 */
export function boardSaver<Deps extends WriteHandlerDeps = WriteHandlerDeps>(
	kind: BoardKind,
	dryRun?: DryRun<Deps>,
): (deps: Deps) => ApiHandler {
	return (deps) =>
		createLambdaHandler(deps.log, async (event) => {
			const { schema } = callerOf(event);
			if (dryRun === undefined) refuseDryRun(event);
			const isDry = isDryRun(event);
			const match = ifMatchOf(event);
			const board = boardOf(kind, parseBoard(kind, bodyOf(event)));
			if (dryRun !== undefined && isDry) {
				checkIdempotencyKey(event);
				return dryRun(deps, event, board, match);
			}
			return idempotent<BoardRow>(
				deps,
				event,
				(createRecord) => saveBoard(deps, schema, board, match, createRecord),
				(row) => ok({ data: boardToJson(row) }, etagOf(row)),
			);
		});
}

/** Returns the `createHandler` of an endpoint that deletes a board of one kind. The response says whether the board existed. */
export function boardDeleter(kind: BoardKind): (deps: WriteHandlerDeps) => ApiHandler {
	return (deps) =>
		createLambdaHandler(deps.log, async (event) => {
			const { schema } = callerOf(event);
			refuseDryRun(event);
			const id = pathIdOf(event);
			checkBody(event);
			const match = ifMatchOf(event);
			return idempotent<boolean>(
				deps,
				event,
				(createRecord) => deleteBoard(deps, schema, { kind, id }, match, createRecord),
				(deleted) => ok({ data: { [kind]: deleted } }),
			);
		});
}
