import * as v from 'valibot';
import { DomainError } from '../errors.ts';

/** More offences than this are counted, not listed: an answer must stay smaller than what provoked it. */
const maxListedOffences = 1000;

const maxShownLength = 80;

/** Text from a client as an answer may repeat it: cut where it is long. */
export function shorten(shown: string, maxLength = maxShownLength): string {
	return shown.length > maxLength ? `${shown.slice(0, maxLength).toWellFormed()}…` : shown;
}

/** Types in the words of whoever writes JSON, by valibot's words for them. */
const typeWords: ReadonlyMap<string, string> = new Map([
	['string', 'text'],
	['number', 'a number'],
	['boolean', 'true or false'],
	['Object', 'an object'],
	['Array', 'a list'],
]);

function expectedWords(expected: string | null): string {
	if (expected === null) return 'another value';
	// Valibot writes a choice as `("last" | "history")`.
	return typeWords.get(expected) ?? expected.replace(/^\((.*)\)$/, '$1').replaceAll(' | ', ' or ');
}

const receivedWords = (received: string): string =>
	received === 'Object' || received === 'Array' ? expectedWords(received) : shorten(received);

function messageOf(issue: v.BaseIssue<unknown>): string {
	if (issue.kind !== 'schema' || issue.type === 'custom') return issue.message;
	if (issue.received === 'undefined') return 'Is required.';
	return `Expected ${expectedWords(issue.expected)}, received ${receivedWords(issue.received)}.`;
}

/** Gathers the offences of one input, so that a client is told of all of them at once. */
export class ValidationIssues {
	readonly #messages = new Map<string, string>();

	/** Notes an offence at `path`; the first at a path is the one that is told. */
	add(path: string, message: string): void {
		if (!this.#messages.has(path)) this.#messages.set(path, message);
	}

	/**
	 * Parses `value`, noting what is wrong with it under `path` (none for the body itself).
	 * @returns the parsed value, or undefined where there were offences
	 */
	take<Schema extends v.GenericSchema>(schema: Schema, value: unknown, path?: string): v.InferOutput<Schema> | undefined {
		const result = v.safeParse(schema, value);
		if (result.success) return result.output;
		for (const issue of result.issues) {
			const items = issue.path ?? [];
			// To valibot a list is an object whose fields are all missing.
			const list = items.findIndex((item) => item.type === 'object' && Array.isArray(item.input));
			const inner = items.slice(0, list < 0 ? items.length : list).map((item) => String(item.key));
			const full = [...(path === undefined ? [] : [path]), ...inner].join('.');
			this.add(full === '' ? 'request' : full, list < 0 ? messageOf(issue) : 'Expected an object, received a list.');
		}
		return undefined;
	}

	/** Throws `invalid` with everything noted, if anything was. */
	refuseIfAny(): void {
		const listed = [...this.#messages].slice(0, maxListedOffences).map(([path, message]) => ({ path, message }));
		const more = this.#messages.size - listed.length;
		if (more > 0) listed.push({ path: 'request', message: `${more} more fields are wrong and not listed.` });
		if (listed.length > 0) throw new DomainError('invalid', { offences: listed });
	}
}

const bodySchema = v.custom<object>(
	(value) => typeof value === 'object' && value !== null && !Array.isArray(value),
	'Expected an object.',
);

/**
 * The fields of a body as they came, for rules over several of them. `__proto__`, `prototype` and `constructor` are not
 * among them: nothing in a body has such a name. Throws `invalid` where the body is not an object (a list is none).
 */
export function fieldsOf(body: unknown): Readonly<Record<string, unknown>> {
	return parse(v.pipe(bodySchema, v.looseObject({})), body);
}

/** Parses what a client sent. Throws `invalid` naming every offending field. */
export function parse<Schema extends v.GenericSchema>(schema: Schema, input: unknown): v.InferOutput<Schema> {
	const offences = new ValidationIssues();
	const output = offences.take(schema, input);
	offences.refuseIfAny();
	// `take` answers undefined only together with an offence, or where the schema itself yields undefined.
	return output;
}
