import * as v from 'valibot';
import { overlaps } from '#domain/board/correction.ts';
import { type BoardRow, idOfRow } from '#domain/ports/schema-store.ts';
import { correctionRowsOf } from '#domain/totals/corrections-of.ts';
import { optionalField } from '#domain/validation/field.ts';
import { checkStartBeforeEnd, parse, ValidationIssues } from '#domain/validation/parse.ts';
import { queryTimeSchema } from '#domain/validation/time.ts';
import { callerOf } from '#http/caller.ts';
import type { ApiEvent, ApiHandler } from '#http/event.ts';
import type { StoreHandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import { listingResponse, queryPositiveSchema, readListing } from '#http/listing.ts';
import { queryOf } from '#http/sent-input.ts';
import { boardToJson } from '#http/serialize.ts';

const querySchema = v.object({
	varId: optionalField(queryPositiveSchema),
	start: optionalField(queryTimeSchema),
	end: optionalField(queryTimeSchema),
});

/**
 * GET /getCorrections: lists corrections, all by ascending id, a page, or some by id. With a variable or a range, only the corrections of
 * that variable and those that overlap that range.
 */
export function createHandler(deps: StoreHandlerDeps): ApiHandler {
	return createLambdaHandler(deps.log, async (event) => {
		const { schema } = callerOf(event);
		const { varId, start = 0, end: stop = Number.POSITIVE_INFINITY } = selectionOf(event);
		// What a correction is about that cannot be read is not known, so it is always listed.
		const isListed = ({ board, unread }: BoardRow): boolean =>
			unread !== undefined ||
			(board.kind === 'correction' &&
				(varId === undefined || board.content.varId === varId) &&
				overlaps(board.content, { start, stop }));
		// The row of a variable refers to its corrections, so the others need not be read.
		const readAll = varId === undefined ? undefined : () => correctionRowsOf(deps.store, schema, [varId]);
		const listing = await readListing(event, deps.store, schema, 'correction', { readAll, isListed });
		return listingResponse(
			listing,
			listing.rows.map((row) => ({ id: idOfRow(row), json: boardToJson(row) })),
		);
	});
}

/** Returns which corrections the query selects. `start` and `end`: epoch milliseconds. */
function selectionOf(event: ApiEvent): v.InferOutput<typeof querySchema> {
	const selection = parse(querySchema, queryOf(event, Object.keys(querySchema.entries)));
	const issues = new ValidationIssues();
	if (selection.start !== undefined && selection.end !== undefined)
		checkStartBeforeEnd(issues, 'start', { start: selection.start, stop: selection.end });
	issues.throwIfAny();
	return selection;
}
