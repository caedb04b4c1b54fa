import { api, type Result, resultOf, type Schemas } from '#page/core/api.ts';
import { assumedHoldSeconds } from '#page/core/assumed-hold.ts';
import { variables } from '#page/core/definitions.ts';
import { viewZone } from '#page/core/time-zone.ts';
import { type CorrectionDraft, correctionBodyOf } from './correction-draft.ts';

/** What the days of a correction count. */
export type CountedFunction = 'total' | 'mean' | 'min' | 'max' | 'onTime' | 'starts' | 'increase';

/** How the days are counted: the fields of a line of totals. */
export interface CountedLine {
	readonly function: CountedFunction;
	readonly per?: 's' | 'min' | 'h' | 'd' | undefined;
	readonly size?: number | undefined;
}

/** A correction that was tried: its days, without and with it. */
export type TriedCorrection = Schemas['TriedCorrection'];

/** Returns for how long a sample of a variable is assumed to be known; undefined where the variable says it: it reads no windows. */
export function assumedHoldOf(varId: number): number | undefined {
	return assumedHoldSeconds(variables.rows.value?.get(varId));
}

/** Has the service count the days of a correction, without storing it, in the time zone of the view. */
export async function tryCorrection(draft: CorrectionDraft, asked: CountedLine | null): Promise<Result<TriedCorrection>> {
	const line = { ...asked, holdSeconds: assumedHoldOf(draft.varId) };
	const query = {
		dryRun: '1' as const,
		timeZone: viewZone().name,
		...(line.function === undefined ? {} : { function: line.function }),
		...(line.per === undefined ? {} : { per: line.per }),
		...(line.size === undefined ? {} : { size: String(line.size) }),
		...(line.holdSeconds === undefined ? {} : { holdSeconds: String(line.holdSeconds) }),
	};
	const result = await resultOf(api.POST('/saveCorrection', { params: { query, header: {} }, body: correctionBodyOf(draft) }));
	if (!result.ok) return result;
	const { data } = result.data;
	if (!('correction' in data)) throw new Error('The service answered a dry run like a save.');
	return { ...result, data };
}
