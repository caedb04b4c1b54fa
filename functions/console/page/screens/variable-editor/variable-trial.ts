import type { Schemas } from '#page/core/api.ts';
import type { SendTrial, Trial, TrialState } from '#page/core/trial.ts';

/** The answer to a dry run of a variable. */
export interface TrialAnswer {
	readonly reading: Schemas['Reading'];
	/** The version that is stored now; 0 for a new variable. */
	readonly storedVersion: number;
}

/** The dry runs of a draft of a variable. */
export type VariableTrial = Trial<Schemas['VariableInput'], TrialAnswer>;

/** The state of the dry run of a draft of a variable. */
export type VariableTrialState = TrialState<TrialAnswer>;

/** Sends a variable for a dry run. Never rejects. */
export type SendVariableTrial = SendTrial<Schemas['VariableInput'], TrialAnswer>;
