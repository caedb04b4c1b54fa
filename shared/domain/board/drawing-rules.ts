import * as v from 'valibot';
import { fieldOf, tooManyItems } from '../validation/field.ts';
import { messageFor } from '../validation/parse.ts';
import { type Problem, problem } from '../validation/problem.ts';
import { maxBoardItems } from './reference.ts';
import { diagramItemKinds, kindFields, type SymbolKind, shapeKinds, symbolKinds } from './symbol-kinds.ts';

/** A problem of a drawing, with the path of its field. */
export interface DrawingProblem {
	readonly path: readonly (string | number)[];
	readonly cause: Problem;
}

/**
 * Requires the rules between the entries of a diagram: the fields that their kinds have, distinct keys, and ends of pipes that exist.
 * Invalid entries are checked too, so that all problems are reported at once.
 */
export function drawingRules<Input>() {
	return v.rawCheck<Input>(({ dataset, addIssue }) => {
		for (const { path, cause } of drawingProblems(dataset.value)) {
			// Valibot's type of a path requires a first item.
			const [firstItem, ...otherItems] = path.map(pathItem);
			addIssue({ message: messageFor(cause), ...(firstItem === undefined ? {} : { path: [firstItem, ...otherItems] }) });
		}
	});
}

/** Returns the problems by the rules between the entries of a diagram. */
export function drawingProblems(diagram: unknown): readonly DrawingProblem[] {
	const [items, shapes, pipes] = ['items', 'shapes', 'pipes'].map((list) => entriesOf(diagram, list));
	if (items === undefined || shapes === undefined || pipes === undefined) return [];
	const count = items.length + shapes.length + pipes.length;
	if (count > maxBoardItems) {
		// A list that is too long by itself has an issue of its own.
		const isOwnIssue = [items, shapes, pipes].some(({ length }) => length > maxBoardItems);
		return isOwnIssue ? [] : [{ path: [], cause: tooManyItems('drawing_parts', maxBoardItems, count) }];
	}
	const drawn = [
		...items.map((entry, index): Drawn => ({ entry, path: ['items', index], kind: itemKindOf(entry) })),
		...shapes.map((entry, index): Drawn => ({ entry, path: ['shapes', index], kind: kindIn(shapeKinds, entry) })),
	];
	const kindsByKey = new Map<string, SymbolKind | null>();
	const problemsOfKeys = keyProblems(drawn, kindsByKey);
	return [
		...drawn.flatMap(fieldProblems),
		...problemsOfKeys,
		...pipes.flatMap((pipe, index) => pipeProblems(pipe, ['pipes', index], kindsByKey)),
	];
}

/** An item or shape. `kind` is null where it is not a known kind; that is reported as an issue of its own. */
interface Drawn {
	readonly entry: unknown;
	readonly path: readonly (string | number)[];
	readonly kind: SymbolKind | null;
}

/** Returns the problems of an entry by the fields that its kind must have and may have. */
function fieldProblems({ entry, path, kind }: Drawn): readonly DrawingProblem[] {
	if (kind === null) return [];
	const { required, optional } = symbolKinds[kind];
	return kindFields.flatMap((field): readonly DrawingProblem[] => {
		const isSent = has(entry, field);
		const isRequired = required.includes(field);
		if (isRequired && !isSent)
			return [{ path: [...path, field], cause: problem('required_by_kind', `Is required for the kind ${kind}.`, { kind }) }];
		if (!isSent || isRequired || optional.includes(field)) return [];
		return [{ path: [...path, field], cause: notOfKind(kind) }];
	});
}

const notOfKind = (kind: SymbolKind): Problem =>
	problem('not_of_kind', `Has no effect on the kind ${kind}: leave it out.`, { kind });

/** Fills `kindsByKey` with the kind of each key, and returns the problems of keys that an earlier entry has. */
function keyProblems(drawn: readonly Drawn[], kindsByKey: Map<string, SymbolKind | null>): readonly DrawingProblem[] {
	const pathsByKey = new Map<string, string>();
	return drawn.flatMap(({ entry, path, kind }): readonly DrawingProblem[] => {
		const key = fieldOf(entry, 'key');
		if (typeof key !== 'string') return [];
		const earlierPath = pathsByKey.get(key);
		if (earlierPath === undefined) {
			pathsByKey.set(key, path.join('.'));
			kindsByKey.set(key, kind);
			return [];
		}
		const message = `Must be unique: ${earlierPath} has the same key.`;
		return [{ path: [...path, 'key'], cause: problem('key_not_unique', message, { entry: earlierPath }) }];
	});
}

/** Returns the problems of a pipe: what depends on its variable needs one, and both ends must be at symbols. */
function pipeProblems(
	pipe: unknown,
	path: readonly (string | number)[],
	kindsByKey: ReadonlyMap<string, SymbolKind | null>,
): readonly DrawingProblem[] {
	const fieldOfVariable = has(pipe, 'varId') ? undefined : ['bit', 'over'].find((field) => has(pipe, field));
	const variableProblems =
		fieldOfVariable === undefined
			? []
			: [
					{
						path: [...path, 'varId'],
						cause: problem('required_by_field', `Is required with ${fieldOfVariable}.`, { field: fieldOfVariable }),
					},
				];
	const ends = ['from', 'to'].flatMap((name) => endProblems(fieldOf(pipe, name), [...path, name], kindsByKey));
	return [...variableProblems, ...ends];
}

/** The most UTF-16 units of a valid key: each of its 8 characters takes two at most. */
const maxKeyUnits = 16;

/** The positions of the side and of the place along it in an end of a pipe, `[key, side, at]`. */
const sideIndex = 1;
const placeIndex = 2;

/** Returns the problems of the end of a pipe: its symbol must exist and have the side, and a place only where sides have places. */
function endProblems(
	end: unknown,
	path: readonly (string | number)[],
	kindsByKey: ReadonlyMap<string, SymbolKind | null>,
): readonly DrawingProblem[] {
	if (!Array.isArray(end)) return [];
	const [key, side, at]: readonly unknown[] = end;
	// A key that is not valid has an issue of its own.
	if (typeof key !== 'string' || key === '' || key.length > maxKeyUnits) return [];
	const kind = kindsByKey.get(key);
	if (kind === undefined) {
		const message = `There is no symbol with the key ${key}: draw the pipe to one that exists.`;
		return [{ path, cause: problem('no_such_key', message, { key }) }];
	}
	if (kind === null) return [];
	const { sides, hasPlacesAlongSides } = symbolKinds[kind];
	if (sides.length === 0)
		return [{ path, cause: problem('no_pipe_at_kind', `A pipe cannot end at the kind ${kind}.`, { kind }) }];
	const issues: DrawingProblem[] = [];
	if (typeof side === 'string' && !sides.some((each) => each === side)) {
		const message = `The kind ${kind} has no such side: use ${sides.join(' or ')}.`;
		issues.push({ path: [...path, sideIndex], cause: problem('no_such_side', message, { kind, sides }) });
	}
	if ((at ?? null) === null) return issues;
	if (!hasPlacesAlongSides) issues.push({ path: [...path, placeIndex], cause: notOfKind(kind) });
	else if (side === 'in' || side === 'out') {
		const message = `Has no effect on the side ${side}: leave it out.`;
		issues.push({ path: [...path, placeIndex], cause: problem('not_of_side', message, { side }) });
	}
	return issues;
}

/** Returns the entries of a list: none when it is absent; undefined when it is not a list, which is reported as an issue of its own. */
function entriesOf(diagram: unknown, list: string): readonly unknown[] | undefined {
	const value = fieldOf(diagram, list) ?? [];
	return Array.isArray(value) ? value : undefined;
}

/** Whether an entry has a field. Null counts as absent. */
const has = (entry: unknown, field: string): boolean => (fieldOf(entry, field) ?? null) !== null;

const itemKindOf = (entry: unknown): SymbolKind | null => (has(entry, 'kind') ? kindIn(diagramItemKinds, entry) : 'value');

/** Returns the kind of an entry; null: it is none of `kinds`. */
function kindIn<Kind extends SymbolKind>(kinds: readonly Kind[], entry: unknown): Kind | null {
	const sent = fieldOf(entry, 'kind');
	return kinds.find((kind) => kind === sent) ?? null;
}

/** Returns an item of a path as valibot takes it. Only its key is read. */
function pathItem(key: string | number): v.IssuePathItem {
	return { type: 'unknown', origin: 'value', input: undefined, key, value: undefined };
}
