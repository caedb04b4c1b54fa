import type * as v from 'valibot';
import { varIdsIn } from '../validation/field.ts';
import { fieldsOf, ValidationIssues } from '../validation/parse.ts';
import { type Alarm, alarmReferences, alarmSchema } from './alarm.ts';
import { type Chart, chartReferences, chartSchema, chartWithout } from './chart.ts';
import { type Diagram, diagramReferences, diagramSchema, diagramWithout } from './diagram.ts';
import { maxBoardVariables, type Reference } from './reference.ts';

/** The kinds of board: whatever refers to variables, beside the panel. */
export const boardKinds = ['chart', 'diagram', 'alarm'] as const;

export type BoardKind = (typeof boardKinds)[number];

interface Contents {
	readonly chart: Chart;
	readonly diagram: Diagram;
	readonly alarm: Alarm;
}

/** A board of one of `Kind`s, with its kind. */
export type Board<Kind extends BoardKind = BoardKind> = {
	readonly [Each in Kind]: { readonly kind: Each; readonly content: Contents[Each] };
}[Kind];

/** What the rules of integrity need to know of a kind of board. Adding a kind is one row. */
interface Rules<Kind extends BoardKind> {
	readonly schema: v.GenericSchema<unknown, Contents[Kind]>;
	/** The field whose items refer to variables; an alarm has none, and refers to one variable by itself. */
	readonly list: 'series' | 'items' | null;
	readonly references: (content: Contents[Kind]) => readonly Reference[];
	/** What is left once a variable is deleted; null: nothing, the board goes with it. */
	readonly without: (content: Contents[Kind], varId: number) => Contents[Kind] | null;
	readonly nameOf: (content: Contents[Kind]) => string;
}

const rules: { readonly [Kind in BoardKind]: Rules<Kind> } = {
	chart: {
		schema: chartSchema,
		list: 'series',
		references: chartReferences,
		without: chartWithout,
		nameOf: ({ title }) => title,
	},
	diagram: {
		schema: diagramSchema,
		list: 'items',
		references: diagramReferences,
		without: diagramWithout,
		nameOf: ({ title }) => title,
	},
	alarm: { schema: alarmSchema, list: null, references: alarmReferences, without: () => null, nameOf: ({ name }) => name },
};

/** Everything on the board that refers to a variable. */
export function referencesOf<Kind extends BoardKind>({ kind, content }: Board<Kind>): readonly Reference[] {
	return rules[kind].references(content);
}

/** What is left of a board once a variable is deleted; null: the board goes with it. */
export function withoutVariable<Kind extends BoardKind>({ kind, content }: Board<Kind>, varId: number): Contents[Kind] | null {
	return rules[kind].without(content, varId);
}

/** What a person calls the board. */
export function boardName<Kind extends BoardKind>({ kind, content }: Board<Kind>): string {
	return rules[kind].nameOf(content);
}

/** Parses a board as a client sends it, or as the store holds it. Throws `invalid` with every offence. */
export function parseBoard<Kind extends BoardKind>(kind: Kind, input: unknown): Contents[Kind] {
	const offences = new ValidationIssues();
	const fields = fieldsOf(input);
	const { schema, list } = rules[kind];
	const content = offences.take(schema, input);
	const variables = list === null ? 0 : new Set(varIdsIn(fields[list])).size;
	if (variables > maxBoardVariables)
		offences.add('request', `At most ${maxBoardVariables} different variables; this refers to ${variables}.`);
	offences.refuseIfAny();
	if (content === undefined) throw new RangeError('A board without offences is incomplete.');
	return content;
}

/** A board of a kind. */
export function boardOf<Kind extends BoardKind>(kind: Kind, content: Contents[Kind]): Board<Kind> {
	return { kind, content };
}

/** The board under another id. */
export function boardWithId<Kind extends BoardKind>({ kind, content }: Board<Kind>, id: number): Board<Kind> {
	return {
		kind,
		content: { ...content, id },
	};
}
