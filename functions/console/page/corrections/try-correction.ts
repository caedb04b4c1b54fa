import { api, type Result, resultOf, type Schemas } from '#page/core/api.ts';
import { assumedHoldSeconds } from '#page/core/assumed-hold.ts';
import { variables } from '#page/core/definitions.ts';
import { viewZone } from '#page/core/time-zone.ts';
import { wrongAnswer } from '#page/core/wrong-answer.ts';
import { type CorrectionDraft, correctionBodyOf } from './correction-draft.ts';

/** The functions by which the days of a correction can be counted. */
export type CountedFunction = 'total' | 'mean' | 'min' | 'max' | 'onTime' | 'starts' | 'increase';

/** How the days are counted: the fields of a line of totals. */
export interface CountedLine {
	readonly function: CountedFunction;
	/** The time unit of the rate that is summed up. */
	readonly per?: 's' | 'min' | 'h' | 'd' | undefined;
	/** The reading at which the counter begins again at 0. */
	readonly size?: number | undefined;
}

/** The answer to a dry run of a correction: the days, each counted without and with it. */
export type TriedCorrection = Schemas['TriedCorrection'];

/** Returns for how many seconds a sample of a variable is assumed to hold; undefined when the variable's own period says it. */
export function assumedHoldOf(varId: number): number | undefined {
	return assumedHoldSeconds(variables.rows.value?.get(varId));
}

/**
 * Asks the service to count the days of a correction in the time zone of the view. Nothing is stored.
 * @param line how the days are counted; null: the service chooses
 */
export async function tryCorrection(draft: CorrectionDraft, line: CountedLine | null): Promise<Result<TriedCorrection>> {
	const holdSeconds = assumedHoldOf(draft.varId);
	const query = {
		dryRun: '1' as const,
		timeZone: viewZone().name,
		...(line === null ? {} : { function: line.function }),
		...(line?.per === undefined ? {} : { per: line.per }),
		...(line?.size === undefined ? {} : { size: String(line.size) }),
		...(holdSeconds === undefined ? {} : { holdSeconds: String(holdSeconds) }),
	};
	const result = await resultOf(api.POST('/saveCorrection', { params: { query }, body: correctionBodyOf(draft) }));
	if (!result.ok) return result;
	const { data } = result.data;
	if (!('correction' in data)) throw wrongAnswer('dry run');
	return { ...result, data };
}
