import type { Schemas } from '#page/core/api.ts';
import type { SendTrial, Trial, TrialState } from '#page/core/trial.ts';

/** What a dry run says of a variable. */
export interface TrialAnswer {
	readonly reading: Schemas['Reading'];
	/** The version that is stored now; 0 for a new variable. */
	readonly storedVersion: number;
}

/** Tries a variable that is typed. */
export type VariableTrial = Trial<Schemas['VariableInput'], TrialAnswer>;

/** What is known of a variable that is typed. */
export type VariableTrialState = TrialState<TrialAnswer>;

/** Sends a variable for a dry run. Never rejects. */
export type SendVariableTrial = SendTrial<Schemas['VariableInput'], TrialAnswer>;
