import * as v from 'valibot';
import {
	bitPositionSchema,
	finiteNumber,
	maxTextLength,
	text,
	uniqueBy,
	varIdsIn,
	variableIdSchema,
} from '../validation/field.ts';
import { fieldsOf, ValidationIssues } from '../validation/parse.ts';

/** Most distinct variables that a panel may refer to: each is relied on in one commit (design section 6). */
export const maxPanelVariables = 90;

const itemSchema = <Type extends 'pump' | 'status'>(type: Type) =>
	v.object({
		id: finiteNumber,
		name: text(maxTextLength),
		varId: variableIdSchema,
		type: v.literal(type),
		bit: v.optional(bitPositionSchema),
	});

function itemsSchema<Type extends 'pump' | 'status'>(type: Type) {
	const item = itemSchema(type);
	return v.optional(v.pipe(v.array(item), uniqueBy<v.InferOutput<typeof item>>('id')), []);
}

/** The pump-station panel as a client sends it (specification section 2.5). */
const panelSchema = v.object({ title: text(maxTextLength), pumps: itemsSchema('pump'), states: itemsSchema('status') });

/** The pump-station panel, one per schema. */
export type Panel = v.InferOutput<typeof panelSchema>;

export type PanelItem = Panel['pumps'][number] | Panel['states'][number];

/** Every item with the path that an offence about it has, `pumps.1`. */
export function itemsOf(panel: Panel): readonly { readonly path: string; readonly item: PanelItem }[] {
	return [
		...panel.pumps.map((item, index) => ({ path: `pumps.${index}`, item })),
		...panel.states.map((item, index) => ({ path: `states.${index}`, item })),
	];
}

/** Parses a panel as a client sends it, or as the store holds it. Throws `invalid` with every offence. */
export function parsePanel(input: unknown): Panel {
	const offences = new ValidationIssues();
	const fields = fieldsOf(input);
	const panel = offences.take(panelSchema, input);
	if (isEmptyList(fields['pumps']) && isEmptyList(fields['states']))
		offences.add('request', 'At least one pump or one state is required.');
	const variables = new Set([...varIdsIn(fields['pumps']), ...varIdsIn(fields['states'])]).size;
	if (variables > maxPanelVariables)
		offences.add('request', `At most ${maxPanelVariables} different variables; this refers to ${variables}.`);
	offences.refuseIfAny();
	if (panel === undefined) throw new RangeError('A panel without offences is incomplete.');
	return panel;
}

const isEmptyList = (value: unknown): boolean => value === undefined || (Array.isArray(value) && value.length === 0);
