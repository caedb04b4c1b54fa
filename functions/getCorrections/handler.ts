import * as v from 'valibot';
import { overlaps } from '#domain/board/correction.ts';
import { idOfRow } from '#domain/ports/schema-store.ts';
import { correctionRowsOf } from '#domain/use-cases/corrections-of.ts';
import { integerFrom, optionalField } from '#domain/validation/field.ts';
import { parse } from '#domain/validation/parse.ts';
import { queryTimeSchema } from '#domain/validation/time.ts';
import { callerOf } from '#http/caller.ts';
import type { ApiHandler } from '#http/event.ts';
import type { StoreHandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import { listingResponse, queryIntegerSchema, readListing } from '#http/listing.ts';
import { queryOf } from '#http/sent-input.ts';
import { boardToJson } from '#http/serialize.ts';

const querySchema = v.object({
	varId: optionalField(v.pipe(queryIntegerSchema, integerFrom(1, Number.MAX_SAFE_INTEGER))),
	start: optionalField(queryTimeSchema),
	end: optionalField(queryTimeSchema),
});

/**
 * GET /getCorrections: lists corrections, all by ascending id, a page, some by id, or those of one variable; with a range, only those
 * that overlap it.
 */
export function createHandler(deps: StoreHandlerDeps): ApiHandler {
	return createLambdaHandler(deps.log, async (event) => {
		const { schema } = callerOf(event);
		const asked = parse(querySchema, queryOf(event, Object.keys(querySchema.entries)));
		const listing =
			asked.varId === undefined
				? await readListing(event, deps.store, schema, 'correction')
				: { rows: await correctionRowsOf(deps.store, schema, [asked.varId]) };
		const range = { start: asked.start ?? 0, stop: asked.end ?? Number.POSITIVE_INFINITY };
		const rows = listing.rows.filter(({ board }) => board.kind === 'correction' && overlaps(board.content, range));
		return listingResponse(
			listing,
			rows.map((row) => ({ id: idOfRow(row), json: boardToJson(row) })),
		);
	});
}
