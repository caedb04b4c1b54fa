import * as v from 'valibot';
import { type BoardRow, idOfRow } from '#domain/ports/schema-store.ts';
import { optionalField } from '#domain/validation/field.ts';
import { parse } from '#domain/validation/parse.ts';
import { callerOf } from '#http/caller.ts';
import type { ApiHandler } from '#http/event.ts';
import type { StoreHandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import { listingResponse, queryPositiveSchema, readListing } from '#http/listing.ts';
import { queryOf } from '#http/sent-input.ts';
import { boardToJson } from '#http/serialize.ts';

const querySchema = v.object({ reportId: optionalField(queryPositiveSchema) });

/**
 * GET /getEntries: lists entries of reports, all by ascending id, a page, or some by id; with `reportId` only those of this report. Entries of a
 * deleted report are there again when it is restored, and are not listed until then.
 */
export function createHandler(deps: StoreHandlerDeps): ApiHandler {
	return createLambdaHandler(deps.log, async (event) => {
		const { schema } = callerOf(event);
		const { reportId } = parse(querySchema, queryOf(event, Object.keys(querySchema.entries)));
		const reports = new Set((await deps.store.list(schema, 'report')).map(idOfRow));
		// Of one that cannot be read, nobody knows the report.
		const isListed = ({ board, unread }: BoardRow): boolean =>
			board.kind === 'entry' &&
			(reportId === undefined || board.content.reportId === reportId) &&
			(unread !== undefined || reports.has(board.content.reportId));
		const listing = await readListing(event, deps.store, schema, 'entry', { isListed });
		return listingResponse(
			listing,
			listing.rows.map((row) => ({ id: idOfRow(row), json: boardToJson(row) })),
		);
	});
}
