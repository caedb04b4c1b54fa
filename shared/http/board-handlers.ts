import { type Board, boardOf, boardSchema } from '#domain/board/board.ts';
import type { BoardKind } from '#domain/board/board-kinds.ts';
import { type BoardRow, idOfRow } from '#domain/ports/schema-store.ts';
import type { VersionMatch } from '#domain/transaction/checks.ts';
import type { IdempotencyRecordFactory, WriteDeps } from '#domain/transaction/run-transaction.ts';
import { deleteBoard } from '#domain/use-cases/delete-board.ts';
import { saveBoard } from '#domain/use-cases/save-board.ts';
import { createRoleHandler } from './admission.ts';
import { type ApiResponse, ok } from './api-response.ts';
import { type Caller, callerOf, changeOriginOf } from './caller.ts';
import { etagOf, ifMatchOf } from './etag.ts';
import type { ApiEvent, ApiHandler } from './event.ts';
import type { StoreHandlerDeps, WriteHandlerDeps } from './handler-deps.ts';
import { checkIdempotencyKey, idempotent } from './idempotent.ts';
import { createLambdaHandler } from './lambda-handler.ts';
import { listingResponse, readListing } from './listing.ts';
import { bodyOf, checkBody, isDryRun, pathIdOf, refuseDryRun } from './request.ts';
import { parseSent } from './sent-input.ts';
import { boardToJson } from './serialize.ts';

/** Returns the `createHandler` of an endpoint that lists the boards of one kind, all by ascending id, a page, or some by id. */
export function boardLister(kind: BoardKind): (deps: StoreHandlerDeps) => ApiHandler {
	return (deps) =>
		createLambdaHandler(deps.log, async (event) => {
			const listing = await readListing(event, deps.store, callerOf(event).schema, kind);
			const entries = listing.rows.map((row) => ({ id: idOfRow(row), json: boardToJson(row) }));
			return listingResponse(listing, entries);
		});
}

/** The rules of a kind of board that differ from those of the others when it is saved. */
export interface SaveRules<Deps> {
	/** Returns the schema for a board that a client sends, if it demands more than the schema of stored boards. Left out: the schema of the kind. */
	readonly schemaFor?: (deps: Deps, caller: Caller, body: object) => Promise<ReturnType<typeof boardSchema>>;
	/** Parses a body, if a schema alone cannot name all its issues at once. Left out: parses by the schema. */
	readonly parse?: (body: object) => Board['content'];
	/** Saves a board. Left out: `saveBoard`. */
	readonly save?: (
		deps: Deps & WriteDeps,
		caller: Caller,
		board: Board,
		match: VersionMatch,
		createRecord: IdempotencyRecordFactory<BoardRow>,
	) => Promise<BoardRow>;
	/** Answers a dry run of a save, which stores nothing. Left out: the endpoint has none. */
	readonly dryRun?: (deps: Deps & WriteDeps, event: ApiEvent, board: Board, match: VersionMatch) => Promise<ApiResponse>;
}

/** Returns the `createHandler` of an endpoint that saves a board of one kind; id 0 creates one. */
export function boardSaver<Deps extends WriteHandlerDeps = WriteHandlerDeps>(
	kind: BoardKind,
	{ schemaFor = async () => boardSchema(kind), parse, save = savePlain, dryRun }: SaveRules<Deps> = {},
): (deps: Deps) => ApiHandler {
	return (deps) =>
		createRoleHandler(deps, async (event) => {
			const caller = callerOf(event);
			if (dryRun === undefined) refuseDryRun(event);
			const answerDryRun = isDryRun(event) ? dryRun : undefined;
			const match = ifMatchOf(event);
			const body = bodyOf(event);
			const schema = await schemaFor(deps, caller, body);
			const board = boardOf(kind, parse === undefined ? parseSent(schema, body) : parseSent(schema, body, parse));
			if (answerDryRun !== undefined) {
				checkIdempotencyKey(event);
				return answerDryRun({ ...deps, origin: changeOriginOf(event) }, event, board, match);
			}
			return idempotent<BoardRow>(
				deps,
				event,
				(createRecord) => save({ ...deps, origin: changeOriginOf(event) }, caller, board, match, createRecord),
				(row) => ok({ data: boardToJson(row) }, etagOf(row)),
			);
		});
}

/** Returns the `createHandler` of an endpoint that deletes a board of one kind. The response says whether the board existed. */
export function boardDeleter(kind: BoardKind): (deps: WriteHandlerDeps) => ApiHandler {
	return (deps) =>
		createRoleHandler(deps, async (event) => {
			const { schema } = callerOf(event);
			refuseDryRun(event);
			const id = pathIdOf(event);
			checkBody(event);
			const match = ifMatchOf(event);
			return idempotent<boolean>(
				deps,
				event,
				(createRecord) => deleteBoard({ ...deps, origin: changeOriginOf(event) }, schema, { kind, id }, match, createRecord),
				(deleted) => ok({ data: { [kind]: deleted } }),
			);
		});
}

function savePlain(
	deps: WriteDeps,
	{ schema }: Caller,
	board: Board,
	match: VersionMatch,
	createRecord: IdempotencyRecordFactory<BoardRow>,
): Promise<BoardRow> {
	return saveBoard(deps, schema, board, match, createRecord);
}
