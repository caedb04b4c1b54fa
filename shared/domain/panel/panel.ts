import * as v from 'valibot';
import {
	atMostVariables,
	bitPositionSchema,
	fieldOf,
	finiteNumber,
	listUpTo,
	optionalField,
	text,
	uniqueBy,
	variableIdSchema,
} from '../validation/field.ts';
import { maxTextLength } from '../validation/input-limits.ts';
import { messageFor, parse } from '../validation/parse.ts';
import { problem } from '../validation/problem.ts';

/** Maximum number of different variables of the panel: one commit checks all of them (shared/http/README.md#limits). */
const maxPanelVariables = 90;

/** Maximum number of pumps, and of states. It is more than all bits of all variables that a panel may have. */
const maxPanelItems = 1000;

const itemSchema = <Type extends 'pump' | 'status'>(type: Type) =>
	v.object({
		/** Chosen by the client. Only a new item needs a whole number (`savePanel` checks it): a stored panel may hold other ids. */
		id: finiteNumber,
		name: text(maxTextLength),
		varId: variableIdSchema,
		type: v.literal(type),
		bit: optionalField(bitPositionSchema),
	});

/** A pump of the panel. */
export const pumpSchema = itemSchema('pump');

/** A state of the panel. */
export const stateSchema = itemSchema('status');

const itemsSchema = <Item extends typeof pumpSchema | typeof stateSchema>(item: Item, name: 'pumps' | 'states') =>
	v.nullish(v.pipe(...listUpTo(item, maxPanelItems, name), uniqueBy<v.InferOutput<Item>>('id')), []);

/** The panel as it is sent. */
export const panelSchema = v.pipe(
	v.object({ title: text(maxTextLength), pumps: itemsSchema(pumpSchema, 'pumps'), states: itemsSchema(stateSchema, 'states') }),
	v.rawCheck(({ dataset, addIssue }) => {
		const lists = [fieldOf(dataset.value, 'pumps'), fieldOf(dataset.value, 'states')];
		if (lists.every((list) => Array.isArray(list) && list.length === 0))
			addIssue({ message: messageFor(problem('panel_empty', 'At least one pump or one state is required.')) });
	}),
	atMostVariables(maxPanelVariables, maxPanelItems, 'pumps', 'states'),
);

/** The panel of a pump station. A schema has one (shared/domain/panel/README.md#rules). */
export type Panel = v.InferOutput<typeof panelSchema>;

/** A pump or a state of the panel. */
export type PanelItem = Panel['pumps'][number] | Panel['states'][number];

/**
 * Parses a panel that a client sent or that is stored.
 * @throws DomainError `invalid` with all issues
 * @example
 * parsePanel({ title: 'Station', pumps: [{ id: 1, name: 'Pump 1', varId: 3, type: 'pump' }] }); // states: []
 */
export function parsePanel(input: unknown): Panel {
	return parse(panelSchema, input);
}

/** Returns every item of the panel with its path as an error names it, `pumps.1`. */
export function itemsOf(panel: Panel): readonly { readonly path: string; readonly item: PanelItem }[] {
	return [
		...panel.pumps.map((item, index) => ({ path: `pumps.${index}`, item })),
		...panel.states.map((item, index) => ({ path: `states.${index}`, item })),
	];
}
