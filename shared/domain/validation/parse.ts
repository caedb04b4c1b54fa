import * as v from 'valibot';
import { DomainError } from '../errors.ts';

/** Maximum number of issues that are collected from one request. Parsing stops soon after (DESIGN.md section 3.7). */
export const maxIssues = 100;

const moreIssues = 'More fields are wrong and not listed: correct the listed ones first.';

/** Shortens text of a client for use in a message. */
export function shorten(value: string, maxLength = 80): string {
	return value.length > maxLength ? `${value.slice(0, maxLength).toWellFormed()}…` : value;
}

/** Collects the first `maxIssues` issues of one input, so that a client receives them at once. */
export class ValidationIssues {
	readonly #messages = new Map<string, string>();

	#isFull = false;

	/** Whether issues were left out because there are too many. A loop that looks for issues can stop then. */
	get isFull(): boolean {
		return this.#isFull;
	}

	/** Adds an issue. A path keeps its first issue only. The first issue too many becomes a note under `request`. */
	add(path: string, message: string): void {
		if (this.#isFull || this.#messages.has(path)) return;
		this.#isFull = this.#messages.size === maxIssues;
		if (this.#isFull) this.#messages.set('request', [this.#messages.get('request') ?? [], moreIssues].flat().join(' '));
		else this.#messages.set(path, message);
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
			// Valibot takes a list for an object without fields.
			const list = items.findIndex((item) => item.type === 'object' && Array.isArray(item.input));
			const inner = items.slice(0, list < 0 ? items.length : list).map((item) => String(item.key));
			const full = [...(path === undefined ? [] : [path]), ...inner].join('.');
			this.add(full === '' ? 'request' : full, list < 0 ? formatIssue(issue) : 'Expected an object, received a list.');
		}
		return undefined;
	}

	/** @throws DomainError `invalid` with the collected issues, when there are any */
	throwIfAny(): void {
		const issues = [...this.#messages].map(([path, message]) => ({ path, message }));
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

/** An object that is not a list. */
export const plainObject = v.custom<object>(
	(value) => typeof value === 'object' && value !== null && !Array.isArray(value),
	'Expected an object.',
);

/** Returns the message of an issue for the client. It repeats no more than the first characters of what was sent. */
export function formatIssue(issue: v.BaseIssue<unknown>): string {
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
