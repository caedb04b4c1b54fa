import type { EvaluationFault } from '../equation/functions.ts';
import type { PointFault, SeriesFault } from '../ports/time-series.ts';
import type { DifferingTag } from '../totals/join-sources.ts';
import type { Duration } from '../variable/duration.ts';

/** The qualities of a reading, worst first (shared/domain/reading/README.md#qualities). */
export const qualities = ['bad', 'missing_reference', 'skipped', 'no_data', 'stale', 'good'] as const;

/** The quality of a reading. */
export type Quality = (typeof qualities)[number];

/** The codes of reasons whose messages are always the same (shared/domain/reading/README.md#qualities). */
export type FaultCode =
	| Exclude<Quality, 'good' | 'bad' | 'skipped'>
	| PointFault
	| SeriesFault
	| EvaluationFault
	| 'not_a_byte'
	| 'samples_ahead'
	| 'no_common_window';

/** The codes of skipped readings. Their messages say how much was too much. */
export const skipCodes = ['too_many_variables', 'too_many_windows', 'too_many_series', 'answer_too_large'] as const;

/** The code of a skipped reading. */
export type SkipCode = (typeof skipCodes)[number];

/** The codes of reasons. */
export type ReasonCode = FaultCode | SkipCode;

/** Why a reading is not good. `inputs` are the names of the inputs at fault. */
export interface Reason {
	readonly code: ReasonCode;
	readonly message: string;
	readonly inputs: readonly string[];
	/** Of `several_series`, as far as they were read: the tags in which the sources differ. */
	readonly tags?: readonly DifferingTag[];
}

/** What is wrong, and what a user should check, by the code of the reason. */
export const reasonMessages: Readonly<Record<FaultCode, string>> = {
	missing_reference: 'There is no such variable: it was deleted, or never existed.',
	no_data: 'No sample within the lookback: check that the source is sending, its topic and its field, or look further back.',
	samples_ahead: 'The only samples are ahead of the clock: check the clock of the source, and the unit of its times.',
	stale:
		'The newest sample is older than twice the period (at least 60 s), or than the lookback: the source may have stopped sending.',
	no_common_window:
		'No recent window has a value of every input: check that the named inputs are sampled in each period, or take a longer period.',
	not_numeric: 'The field holds text, not numbers.',
	type_changed: 'The type of the field changed within the time that is read, so its values cannot be compared.',
	several_series: 'Several sources, which differ in their tags, write to this topic and field within one window.',
	// Also the reason when the mean of a window is infinite or not a number.
	precision: 'The value is an integer beyond 2^53, which cannot be shown exactly.',
	not_a_byte: 'The value is not a byte: a whole number from 0 to 255.',
	division_by_zero: 'The formula divides by zero with the present values.',
	domain: 'The formula takes a root, a logarithm or a power that the present values do not have.',
	outside_curve: 'A value is outside of the points of a curve of the formula.',
	stored_row_invalid:
		'What is stored cannot be read: it is damaged, or a newer release wrote it. Save it anew, restore an earlier version, or delete it.',
	overflow: 'A step of the formula is too large to be a number with the present values.',
};

/** Creates the reason of a reading that is not good. */
export function reasonOf(code: FaultCode, inputs: readonly string[]): Reason {
	return { code, message: reasonMessages[code], inputs };
}

/** The quality of one input; `code` is null only when it is good. */
export interface QualityAssessment {
	readonly quality: Quality;
	readonly code: FaultCode | null;
}

/** The assessment of an input without faults. */
export const good: QualityAssessment = { quality: 'good', code: null };

/** The assessment of an input whose newest sample is too old. */
export const stale: QualityAssessment = { quality: 'stale', code: 'stale' };

/** Creates the assessment of an input without a usable number. */
export function bad(code: FaultCode): QualityAssessment {
	return { quality: 'bad', code };
}

/** Returns whether a quality is worse than another one. */
export function isWorse(quality: Quality, than: Quality): boolean {
	return qualities.indexOf(quality) < qualities.indexOf(than);
}

/** Returns the age in milliseconds beyond which values of this period are stale: twice the period, at least 60 s. */
export function maxAgeOf(period: Duration): number {
	return Math.max(60_000, 2 * period.ms);
}

/** A quality with its reason; `reason` is null only when it is good. */
export interface QualityWithReason {
	readonly quality: Quality;
	readonly reason: Reason | null;
}

/** Returns the worst quality of some inputs. The reason names every input of that quality. */
export function worstOf(inputs: readonly (QualityAssessment & { readonly name: string })[]): QualityWithReason {
	for (const quality of qualities) {
		const culprits = inputs.filter((input) => input.quality === quality);
		const code = culprits[0]?.code;
		const names = culprits.map(({ name }) => name);
		if (code !== undefined && code !== null) return { quality, reason: reasonOf(code, names) };
	}
	return { quality: 'good', reason: null };
}
