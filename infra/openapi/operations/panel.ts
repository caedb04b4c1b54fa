import { panel } from '../examples/boards.ts';
import type { ApiOperation } from '../operation.ts';
import { writeHeaders } from '../parameters.ts';

/** What the answer adds to each item of the panel, beside its value. */
const goodState = { unit: null, quality: 'good' } as const;

/** The operations on the pump-station panel. */
export const panelOperations = {
	getBombs: {
		id: 'getPanel',
		tag: 'Panel',
		summary: 'Get the panel with its current states',
		description: 'Returns the pump-station panel, each item with its current state.',
		parameters: ['CacheControl'],
		answer: {
			description: 'The panel with its current states.',
			schema: 'ShownPanelAnswer',
			headers: ['ETag'],
			examples: {
				panel: {
					summary: 'A running pump, and no alarm',
					value: {
						data: {
							title: panel.title,
							pumps: panel.pumps.map((pump) => ({ ...pump, ...goodState, value: 1 })),
							states: panel.states.map((state) => ({ ...state, ...goodState, value: 0 })),
							version: 2,
						},
					},
				},
			},
		},
		others: { 404: 'NoPanel' },
	},
	saveBombs: {
		id: 'savePanel',
		tag: 'Panel',
		summary: 'Replace the panel',
		description: 'Saves the pump-station panel and replaces the stored one. Every `varId` must be an existing variable.',
		parameters: writeHeaders,
		request: { schema: 'PanelInput', required: true, examples: { panel: { summary: 'A pump and a state', value: panel } } },
		answer: {
			description: 'The panel as stored.',
			schema: 'PanelAnswer',
			headers: ['ETag'],
			examples: { saved: { summary: 'The saved panel', value: { data: { ...panel, version: 2 } } } },
		},
	},
} as const satisfies Readonly<Record<string, ApiOperation>>;
