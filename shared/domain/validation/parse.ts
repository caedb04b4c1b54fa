import * as v from 'valibot';
import { DomainError } from '../errors.ts';
import { type Problem, problem } from './problem.ts';

/** Maximum number of issues that are collected from one request. Parsing stops soon after (shared/http/README.md#limits). */
export const maxIssues = 100;

const moreErrors = problem('more_errors', 'More fields are wrong and not listed: correct the listed ones first.');

/** The problem of a list where an object is expected. */
export const listNotObject = problem('wrong_type', 'Expected an object, received a list.', {
	expected: 'object',
	received: 'array',
});

/** Shortens text of a client for use in a message. */
export function shorten(value: string, maxLength = 80): string {
	return value.length > maxLength ? `${value.slice(0, maxLength).toWellFormed()}…` : value;
}

/** Returns text of a client for a param of an error: shortened as in a message, without quotes, well-formed. */
export function sentText(value: string): string {
	return shorten(value).toWellFormed();
}

/** Collects the first `maxIssues` issues of one input, so that a client receives them at once. */
export class ValidationIssues {
	readonly #problems = new Map<string, Problem>();

	#isFull = false;

	/** Whether issues were left out because there are too many. A loop that looks for issues can stop then. */
	get isFull(): boolean {
		return this.#isFull;
	}

	/** Adds an issue. A path keeps its first issue only. The first issue too many becomes a note under `request`. */
	add(path: string, cause: Problem): void {
		if (this.#isFull || this.#problems.has(path)) return;
		this.#isFull = this.#problems.size === maxIssues;
		if (!this.#isFull) this.#problems.set(path, cause);
		else {
			const problemOfRequest = this.#problems.get('request');
			this.#problems.set(
				'request',
				problemOfRequest === undefined
					? moreErrors
					: { ...problemOfRequest, message: `${problemOfRequest.message} ${moreErrors.message}` },
			);
		}
	}

	/**
	 * Parses `value` and adds its issues under `path`; without a path, `value` is the whole body.
	 * @returns the parsed value, undefined when it has issues
	 */
	parseField<Schema extends v.GenericSchema>(schema: Schema, value: unknown, path?: string): v.InferOutput<Schema> | undefined {
		const result = v.safeParse(schema, value);
		if (result.success) return result.output;
		for (const issue of result.issues) {
			if (this.#isFull) break;
			const items = issue.path ?? [];
			// Valibot takes a list for an object without fields. The issue is then that of the list, not of the field that it lacks.
			const listIndex = items.findIndex((item) => item.type === 'object' && Array.isArray(item.input));
			const isInList = listIndex >= 0;
			const innerKeys = items.slice(0, isInList ? listIndex : items.length).map((item) => String(item.key));
			const fullPath = [...(path === undefined ? [] : [path]), ...innerKeys].join('.');
			this.add(fullPath === '' ? 'request' : fullPath, isInList ? listNotObject : problemOf(issue));
		}
		return undefined;
	}

	/** @throws DomainError `invalid` with the collected issues, when there are any */
	throwIfAny(): void {
		const issues = [...this.#problems].map(([path, cause]) => ({ path, ...cause }));
		if (issues.length > 0) throw new DomainError('invalid', { issues });
	}
}

/**
 * Parses input of a client.
 * @throws DomainError `invalid` with the issues of every field, at most `maxIssues`
 */
export function parse<Schema extends v.GenericSchema>(schema: Schema, input: unknown): v.InferOutput<Schema> {
	const issues = new ValidationIssues();
	const output = issues.parseField(schema, input);
	issues.throwIfAny();
	// Undefined without an issue is what the schema itself returned.
	return output;
}

/**
 * Adds an issue when a range does not start before its end.
 * @param startPath the field of the start
 * @param range epoch milliseconds
 * @param minMs the shortest range that is allowed
 * @returns whether there is no such issue, so that the length of the range can be checked next
 */
export function checkStartBeforeEnd(
	issues: ValidationIssues,
	startPath: string,
	range: { readonly start: number; readonly stop: number },
	minMs = 1,
): boolean {
	const isBefore = range.stop - range.start >= minMs;
	if (!isBefore) issues.add(startPath, problem('start_not_before_end', 'Must be before the end.'));
	return isBefore;
}

/** Adds an issue, which names the start, when a range does not start before `now`. All times are epoch milliseconds. */
export function checkStartIsPast(issues: ValidationIssues, startPath: string, start: number, now: number): void {
	if (start < now) return;
	const asked = new Date(start).toISOString();
	issues.add(startPath, problem('start_not_past', `Must be before now, and ${asked} is not.`, { start: asked }));
}

/** An object that is not a list. */
export const plainObject = v.custom<object>(
	(value) => typeof value === 'object' && value !== null && !Array.isArray(value),
	messageFor(problem('not_an_object', 'Expected an object.')),
);

/**
 * Returns the message of a rule in the form that valibot takes. `problemOf` finds the problem by the issue.
 * @example
 * v.check((value) => value > 0, messageFor(problem('not_positive', 'Must be greater than 0.')));
 */
export function messageFor(cause: Problem): (issue: object) => string {
	return (issue) => {
		problems.set(issue, cause);
		return cause.message;
	};
}

/** Returns the problem that an issue reports. It repeats no more than the first characters of what was sent. */
export function problemOf(issue: v.BaseIssue<unknown>): Problem {
	const own = problems.get(issue);
	if (own !== undefined) return own;
	if (issue.kind !== 'schema' || issue.type === 'custom') return problem('invalid_value', issue.message);
	if (issue.received === 'undefined') return problem('required', 'Is required.');
	// Valibot writes what it received as a type (`Object`), or as the value itself (`"lsat"`).
	const receivedText = shorten(issue.received);
	const receivedName = typeNames.get(receivedText) ?? receivedText;
	const received = receivedIn(issue);
	const expected = issue.expected ?? 'another value';
	const typeName = typeNames.get(expected);
	if (typeName !== undefined)
		return problem('wrong_type', `Expected ${typeName}, received ${receivedName}.`, {
			expected: expected.toLowerCase(),
			received,
		});
	// Valibot writes a choice as `("last" | "history")`.
	const choices = expected.replace(/^\((.*)\)$/, '$1');
	const message = `Expected ${choices.replaceAll(' | ', ' or ')}, received ${receivedName}.`;
	return problem('not_a_choice', message, { choices: choices.split(' | ').map(unquoted), received });
}

/** Returns what was received: the text, number or truth value itself, otherwise the name of its type in JSON. */
function receivedIn({ input, received }: v.BaseIssue<unknown>): number | boolean | string {
	if (typeof input === 'string') return sentText(input);
	return typeof input === 'boolean' || (typeof input === 'number' && Number.isFinite(input)) ? input : received.toLowerCase();
}

const unquoted = (choice: string): string => choice.replace(/^"(.*)"$/, '$1');

/** The problems of issues. An issue of valibot has no field for the data of a rule. */
const problems = new WeakMap<object, Problem>();

/** The JSON names of types in messages, by valibot's names. */
const typeNames: ReadonlyMap<string, string> = new Map([
	['Object', 'an object'],
	['Array', 'a list'],
	['string', 'text'],
	['number', 'a number'],
	['boolean', 'true or false'],
]);
