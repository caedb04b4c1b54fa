import * as v from 'valibot';
import { describedObject } from '../component.ts';
import { actorsText } from './actor.ts';
import { savedBoardSchemas, sentCorrectionSchema, shownCorrectionSchema } from './board.ts';
import { totalNumberSchema } from './totals.ts';
import { savedTexts } from './variable.ts';

const triedDaySchema = v.object({ start: v.number(), end: v.number(), before: totalNumberSchema, after: totalNumberSchema });

/** The answer to a dry run of a correction. */
export const triedCorrectionSchema = v.object({
	correction: savedBoardSchemas.correction,
	function: v.string(),
	days: v.array(triedDaySchema),
});

const texts = {
	id: 'The id. In a save, 0 creates one and any other id replaces that one. Where several corrections cover a time, the one with the highest id counts.',
	varId: 'The id of an existing variable.',
	type: '`exclude`: what was measured then is invalid. `value`: it was this value then; of a counter, a reading by hand. `exchange`: the meter was replaced.',
	from: 'Of `exclude` and `value`: the beginning, ISO 8601 with `Z` or an offset, or epoch milliseconds. Answers have epoch milliseconds.',
	to: 'Of `exclude` and `value`: the end, which is not included; at most 366 days after `from`. After it, nothing is known until the next sample.',
	value: 'Of `value`: what the variable was.',
	at: 'Of `exchange`: when the meter was replaced. Samples from then on are of the new one.',
	oldFinal: 'Of `exchange`: what the old meter showed last.',
	newInitial: 'Of `exchange`: what the new meter showed first.',
	reason: 'Why, for everybody who reads the totals.',
	author: 'Who saved it last. What a client sends is ignored.',
	time: 'When it was saved last, epoch milliseconds. What a client sends is ignored.',
} as const;

/** The schemas of corrections. */
export const correctionComponents = {
	CorrectionInput: describedObject(
		sentCorrectionSchema,
		'A correction to save. It has the fields of its type and no other.',
		texts,
	),
	Correction: describedObject(savedBoardSchemas.correction, 'A saved correction of what totals count. Samples never change.', {
		...texts,
		actors: actorsText,
		...savedTexts,
	}),
	AppliedCorrection: describedObject(shownCorrectionSchema, 'A correction as it was when a day was stored.', {
		...texts,
		actors: actorsText,
	}),
	TriedDay: describedObject(triedDaySchema, 'A day without and with a correction.', {
		start: 'Where the day begins, epoch milliseconds.',
		end: 'Where it ends, or now.',
		before: 'The number without the correction.',
		after: 'The number with it.',
	}),
	TriedCorrection: describedObject(triedCorrectionSchema, 'A correction that was tried, and was not stored.', {
		correction: 'The correction as it would be stored; id 0 where it is new.',
		function: 'What the days count.',
		days: 'The days that the correction is about, and the next one where its number differs; at most the last 365.',
	}),
} as const;
