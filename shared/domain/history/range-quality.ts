import type { SeriesFault } from '../ports/time-series.ts';
import { type QualityWithReason, reasonOf } from '../reading/quality.ts';
import type { WindowFault } from './history.ts';

/** The quality of a range with a value. */
export const goodRange: QualityWithReason = { quality: 'good', reason: null };

/** Creates the quality of a range with samples and without a usable number. */
export function badRange(code: WindowFault | SeriesFault, inputs: readonly string[]): QualityWithReason {
	return { quality: 'bad', reason: reasonOf(code, inputs) };
}

/** Creates the quality of a range without samples of these inputs. */
export function noDataInRange(inputs: readonly string[]): QualityWithReason {
	const message =
		'No sample in the range: check the topic and the field, and that the source was sending, or ask for another range.';
	return { quality: 'no_data', reason: { ...reasonOf('no_data', inputs), message } };
}

/** Creates the quality of a formula whose inputs have samples, but never in the same window. */
export function noCommonWindow(inputs: readonly string[]): QualityWithReason {
	const message = 'No window has a sample of every input: ask for a longer period, or for another range.';
	return { quality: 'no_data', reason: { ...reasonOf('no_common_window', inputs), message } };
}
