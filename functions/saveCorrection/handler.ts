import * as v from 'valibot';
import { saveCorrection } from '#domain/use-cases/save-correction.ts';
import { type TriedLine, type TryCorrectionDeps, tryCorrection } from '#domain/use-cases/try-correction.ts';
import { optionalField } from '#domain/validation/field.ts';
import { parse } from '#domain/validation/parse.ts';
import { ok } from '#http/api-response.ts';
import { boardSaver } from '#http/board-handlers.ts';
import { callerOf } from '#http/caller.ts';
import type { ApiEvent } from '#http/event.ts';
import type { WriteHandlerDeps } from '#http/handler-deps.ts';
import { queryOf } from '#http/sent-input.ts';
import { boardToJson } from '#http/serialize.ts';
import { numberToJson } from '#http/serialize-totals.ts';

/** A number of a query. Other text becomes NaN, which `tryCorrection` refuses under the name of its field. */
const queryNumber = optionalField(v.pipe(v.string(), v.transform(Number)));

/** How the days of a dry run are counted: the fields of `TriedLine`. */
const querySchema = v.object({
	// The functions of a line whose fields are in this query.
	function: v.optional(v.picklist(['total', 'mean', 'min', 'max', 'onTime', 'starts', 'increase'])),
	per: v.optional(v.string()),
	holdSeconds: queryNumber,
	size: queryNumber,
	dip: queryNumber,
	timeZone: v.optional(v.string()),
	dayStart: v.optional(v.string()),
});

/**
 * POST /saveCorrection: creates (id 0) or updates a correction. With ?dryRun=1 it stores nothing, and answers with the days that the
 * correction affects, each with its number before and after.
 */
export const createHandler = boardSaver<WriteHandlerDeps & Omit<TryCorrectionDeps, 'origin'>>('correction', {
	save: (deps, { schema }, board, match, createRecord) => saveCorrection(deps, schema, board, match, createRecord),
	dryRun: async (deps, event, board, match) => {
		if (board.kind !== 'correction') throw new RangeError('A saver of corrections saves no other board.');
		const { row, days, ...tried } = await tryCorrection(deps, callerOf(event), board.content, triedLineOf(event), match);
		return ok({
			data: {
				correction: boardToJson(row),
				...tried,
				// The days do not say when their minimum or maximum was reached.
				days: days.map(({ start, end, before, after }) => ({
					start,
					end,
					before: numberToJson(before, []),
					after: numberToJson(after, []),
				})),
			},
		});
	},
});

const triedLineOf = (event: ApiEvent): TriedLine => parse(querySchema, queryOf(event, Object.keys(querySchema.entries)));
