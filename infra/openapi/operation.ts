import type { ComponentName } from './components.ts';
import type { headers } from './headers.ts';
import type { links } from './links.ts';
import type { OtherAnswerName } from './other-answers.ts';
import type { parameters } from './parameters.ts';

/** The groups of operations, in the order in which a client uses them, with their descriptions. */
export const tags = {
	'Sign-in': 'Exchanges credentials of the identity provider for a token.',
	Variables: 'What a client defines and reads: a query, a formula over several, or a byte of bits.',
	Readings: 'Current values and histories of many variables in one call.',
	Corrections: 'What totals count otherwise than it was measured, and why.',
	Reports: 'What a plant accounts for by days, which are sealed after 72 hours.',
	Tables: 'Numbers by one address, for spreadsheets and other programs.',
	Charts: 'Charts of variables.',
	Diagrams: 'Values of variables at positions on a picture.',
	Alarms: 'Conditions on variables, which are evaluated every minute, acknowledged and shelved.',
	Panel: 'The pump-station panel; one per tenant.',
	Changes: 'Who changed which definition, what was there before, and how it comes back.',
	Access: 'The people and machines of the tenant, and what each may do.',
	Service: 'The service itself, and the documents of its token issuer.',
} as const;

/** An example of a body. */
export interface BodyExample {
	readonly summary: string;
	readonly value: unknown;
}

/** At least one example of a body, by name. */
export type BodyExamples = Readonly<Record<string, BodyExample>>;

/** The body of a request. */
export interface RequestBody {
	readonly schema: ComponentName;
	/** Whether a request without a body is refused. */
	readonly required: boolean;
	/** Whether it is an HTML form. All others are JSON. */
	readonly isForm?: true;
	readonly examples: BodyExamples;
}

/** The answer with status 200. */
export interface SuccessAnswer {
	readonly description: string;
	readonly schema: ComponentName;
	readonly examples: BodyExamples;
	/** Whether it also comes as CSV and as a workbook. */
	readonly isTable?: true;
	/** Headers beside those that every answer has. */
	readonly headers?: readonly (keyof typeof headers)[];
	readonly links?: readonly (keyof typeof links)[];
}

/** The description of one endpoint in the document. Path, method and token come from its row in the contract (shared/contract.ts). */
export interface ApiOperation {
	/** The name that generated clients use. */
	readonly id: string;
	readonly tag: keyof typeof tags;
	readonly summary: string;
	readonly description: string;
	/** Query parameters and headers. Parameters of the path follow from the contract. */
	readonly parameters?: readonly (keyof typeof parameters)[];
	/** The body that the endpoint reads. An endpoint without one has no field `request`. */
	readonly request?: RequestBody;
	readonly answer: SuccessAnswer;
	/** Answers with other statuses, by status, beside those that follow from the row in the contract. */
	readonly others?: Readonly<Record<number, OtherAnswerName>>;
}
