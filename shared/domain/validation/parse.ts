import * as v from 'valibot';
import { DomainError } from '../errors.ts';

/** Maximum number of issues that a response lists. Further ones are counted, so that a response stays smaller than the request. */
const maxListedIssues = 1000;

/** Shortens text of a client for use in a message. */
export function shorten(value: string, maxLength = 80): string {
	return value.length > maxLength ? `${value.slice(0, maxLength).toWellFormed()}…` : value;
}

/** Collects the issues of one input, so that a client receives all of them at once. */
export class ValidationIssues {
	readonly #messages = new Map<string, string>();

	/** Adds an issue. A path keeps its first issue only. */
	add(path: string, message: string): void {
		if (!this.#messages.has(path)) this.#messages.set(path, message);
	}

	/**
	 * Parses `value` and adds its issues under `path`; without a path, `value` is the whole body.
	 * @returns the parsed value, undefined when it has issues
	 */
	parseField<Schema extends v.GenericSchema>(schema: Schema, value: unknown, path?: string): v.InferOutput<Schema> | undefined {
		const result = v.safeParse(schema, value);
		if (result.success) return result.output;
		for (const issue of result.issues) {
			const items = issue.path ?? [];
			// Valibot takes a list for an object without fields.
			const list = items.findIndex((item) => item.type === 'object' && Array.isArray(item.input));
			const inner = items.slice(0, list < 0 ? items.length : list).map((item) => String(item.key));
			const full = [...(path === undefined ? [] : [path]), ...inner].join('.');
			this.add(full === '' ? 'request' : full, list < 0 ? formatIssue(issue) : 'Expected an object, received a list.');
		}
		return undefined;
	}

	/** @throws DomainError `invalid` with all issues, when there are any */
	throwIfAny(): void {
		const issues = [...this.#messages].slice(0, maxListedIssues).map(([path, message]) => ({ path, message }));
		const more = this.#messages.size - issues.length;
		if (more > 0) issues.push({ path: 'request', message: `${more} more fields are wrong and not listed.` });
		if (issues.length > 0) throw new DomainError('invalid', { issues });
	}
}

/**
 * Parses input of a client.
 * @throws DomainError `invalid` with the issues of every field
 */
export function parse<Schema extends v.GenericSchema>(schema: Schema, input: unknown): v.InferOutput<Schema> {
	const issues = new ValidationIssues();
	const output = issues.parseField(schema, input);
	issues.throwIfAny();
	// Undefined without an issue is what the schema itself returned.
	return output;
}

/** An object that is not a list. */
export const plainObject = v.custom<object>(
	(value) => typeof value === 'object' && value !== null && !Array.isArray(value),
	'Expected an object.',
);

function formatIssue(issue: v.BaseIssue<unknown>): string {
	if (issue.kind !== 'schema' || issue.type === 'custom') return issue.message;
	if (issue.received === 'undefined') return 'Is required.';
	const { expected, received } = issue;
	// Valibot writes a choice as `("last" | "history")`.
	const choice = expected?.replace(/^\((.*)\)$/, '$1').replaceAll(' | ', ' or ') ?? 'another value';
	return `Expected ${typeNames.get(expected) ?? choice}, received ${objectNames.get(received) ?? shorten(received)}.`;
}

const objectNames: ReadonlyMap<string, string> = new Map([
	['Object', 'an object'],
	['Array', 'a list'],
]);

/** The JSON names of types, by valibot's names. */
const typeNames: ReadonlyMap<string | null, string> = new Map([
	...objectNames,
	['string', 'text'],
	['number', 'a number'],
	['boolean', 'true or false'],
]);
