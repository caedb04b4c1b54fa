import * as v from 'valibot';
import { panelSchema, pumpSchema, stateSchema } from '#domain/panel/panel.ts';
import { describedObject } from '../component.ts';
import { qualitySchema } from './reading.ts';
import { savedFields, savedTexts } from './variable.ts';

const stateFields = {
	value: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1))),
	// Always null: generators of clients fail on a field that is only null.
	unit: v.nullable(v.string()),
	quality: qualitySchema,
};

const shownPumpSchema = v.object({ ...pumpSchema.entries, ...stateFields });
const shownStateSchema = v.object({ ...stateSchema.entries, ...stateFields });

/** The panel as it is stored. The limits of a save are those of `PanelInput`. */
export const savedPanelSchema = v.object({
	title: panelSchema.entries.title,
	pumps: v.array(pumpSchema),
	states: v.array(stateSchema),
	...savedFields,
});

/** The panel with the current state of each item. */
export const shownPanelSchema = v.object({
	...savedPanelSchema.entries,
	pumps: v.array(shownPumpSchema),
	states: v.array(shownStateSchema),
});

const itemTexts = {
	id: 'The id of the item, its own within the list.',
	name: 'The name that users see.',
	varId: 'The id of the variable that the item shows.',
	type: 'The kind of item.',
	bit: 'The bit of the variable that decides; left out: any number but 0 counts as on.',
} as const;

const shownTexts = {
	...itemTexts,
	value: '1: running, on or open. 0: stopped, off or closed. Null: unknown.',
	unit: 'Null: the value is a state.',
	quality: 'Whether the value can be trusted.',
} as const;

const panelTexts = { title: 'The title that users see.', pumps: 'The pumps.', states: 'The other states.' } as const;

/** The schemas of the pump-station panel. */
export const panelComponents = {
	Pump: describedObject(pumpSchema, 'A pump of the panel.', itemTexts),
	State: describedObject(stateSchema, 'A state of the panel, such as a valve or an alarm.', itemTexts),
	PanelInput: describedObject(
		panelSchema,
		'The panel to save: at least one pump or state, and at most 90 different variables.',
		panelTexts,
	),
	Panel: describedObject(savedPanelSchema, 'The panel as it is stored.', { ...panelTexts, ...savedTexts }),
	ShownPump: describedObject(shownPumpSchema, 'A pump with its current state.', shownTexts),
	ShownState: describedObject(shownStateSchema, 'A state with its current value.', shownTexts),
	ShownPanel: describedObject(shownPanelSchema, 'The panel with the current state of each item.', {
		...panelTexts,
		...savedTexts,
	}),
} as const;
