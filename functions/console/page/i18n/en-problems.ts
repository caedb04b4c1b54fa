import type { ErrorParams } from '#domain/validation/problem.ts';
import { formatSent } from '#page/format/time.ts';
import type { ProblemTexts } from './es-problems.ts';

/**
 * English sentences about errors for the codes whose sentences from the service name fields of the API. For all other codes the page
 * shows the service's sentence.
 */
export const problemTexts: ProblemTexts = new Map(
	Object.entries<(params: ErrorParams) => string>({
		kind_required: () => 'Choose a kind, too.',
		start_not_past: (params) => `Must be before now, and ${formatSent(params['start'])} is not.`,
		period_does_not_fit: () => 'Must divide 24 h, or be whole days, months or years.',
		unit_required: () => 'The unit of the lookback is missing.',
		units_differ: (params) => `The two units of the lookback must be equal (${params['unit']}).`,
		bits_required: () => 'At least one bit is required.',
		unknown_name: (params) => `There is no input “${params['name']}”.`,
		bad_dry_run: () => 'It is not clear whether this is a trial: try again.',
		no_dry_run: () => 'This cannot be tried without saving.',
	}),
);
