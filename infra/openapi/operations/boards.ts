import { alarmState, evaluation } from '../examples/alarms.ts';
import { backtest } from '../examples/backtests.ts';
import { alarm, calmAlarm, chart, diagram, savedAlarm, savedChart, savedDiagram } from '../examples/boards.ts';
import type { ApiOperation } from '../operation.ts';

const writing = ['IfMatch', 'IdempotencyKey'] as const;

const order = 'all of them by ascending id, or a page in the order of the ids as text (10 before 9).';

/** The operations on charts, diagrams and alarms. */
export const boardOperations = {
	getCharts: {
		id: 'listCharts',
		tag: 'Charts',
		summary: 'List the charts',
		description: `Lists the charts: ${order}`,
		parameters: ['Limit', 'After'],
		answer: {
			description: 'The charts.',
			schema: 'ChartListing',
			examples: { all: { summary: 'All charts', value: { data: [savedChart] } } },
		},
	},
	saveChart: {
		id: 'saveChart',
		tag: 'Charts',
		summary: 'Create or replace a chart',
		description: 'Id 0 creates a chart, any other id replaces that one. Every `varId` must be an existing variable.',
		parameters: writing,
		request: { schema: 'ChartInput', required: true, examples: { chart: { summary: 'Two levels', value: chart } } },
		answer: {
			description: 'The chart as stored.',
			schema: 'ChartAnswer',
			headers: ['ETag'],
			links: ['DeleteChart'],
			examples: { saved: { summary: 'A saved chart', value: { data: savedChart } } },
		},
		others: { 404: 'NotFound' },
	},
	deleteChart: {
		id: 'deleteChart',
		tag: 'Charts',
		summary: 'Delete a chart',
		description: 'Deletes a chart.',
		parameters: writing,
		answer: {
			description: 'Whether there was such a chart.',
			schema: 'ChartDeletion',
			examples: { deleted: { summary: 'It was deleted', value: { data: { chart: true } } } },
		},
	},
	getDiagrams: {
		id: 'listDiagrams',
		tag: 'Diagrams',
		summary: 'List the diagrams',
		description: `Lists the diagrams: ${order}`,
		parameters: ['Limit', 'After'],
		answer: {
			description: 'The diagrams.',
			schema: 'DiagramListing',
			examples: { all: { summary: 'All diagrams', value: { data: [savedDiagram] } } },
		},
	},
	saveDiagram: {
		id: 'saveDiagram',
		tag: 'Diagrams',
		summary: 'Create or replace a diagram',
		description:
			'Id 0 creates a diagram, any other id replaces that one. Every `varId` must be an existing variable, and every `bit` one that it defines.',
		parameters: writing,
		request: { schema: 'DiagramInput', required: true, examples: { diagram: { summary: 'A level and a bit', value: diagram } } },
		answer: {
			description: 'The diagram as stored.',
			schema: 'DiagramAnswer',
			headers: ['ETag'],
			links: ['DeleteDiagram'],
			examples: { saved: { summary: 'A saved diagram', value: { data: savedDiagram } } },
		},
		others: { 404: 'NotFound' },
	},
	deleteDiagram: {
		id: 'deleteDiagram',
		tag: 'Diagrams',
		summary: 'Delete a diagram',
		description: 'Deletes a diagram.',
		parameters: writing,
		answer: {
			description: 'Whether there was such a diagram.',
			schema: 'DiagramDeletion',
			examples: { deleted: { summary: 'It was deleted', value: { data: { diagram: true } } } },
		},
	},
	getAlarms: {
		id: 'listAlarms',
		tag: 'Alarms',
		summary: 'List the alarms with their states',
		description: `Lists the alarms, each with its current value and its state: ${order} \`active\`, \`value\` and \`quality\` are of this moment; \`state\` and what follows it are of the last evaluation, which \`evaluation\` tells the time of.`,
		parameters: ['Limit', 'After', 'CacheControl'],
		answer: {
			description: 'The alarms with their states.',
			schema: 'AlarmListing',
			examples: {
				all: { summary: 'All alarms', value: { data: [alarmState], evaluation } },
			},
		},
	},
	saveAlarm: {
		id: 'saveAlarm',
		tag: 'Alarms',
		summary: 'Create or replace an alarm',
		description:
			'Id 0 creates an alarm, any other id replaces that one. `varId` must be an existing variable, and `bit` one that it defines. In a replacement, an absent optional field (`enabled` to `noDataSeconds`) keeps what is stored, and null restores its default. With `dryRun=1` the alarm is checked and nothing is stored; with `start` and `end` the answer also says what it would have done in that time. A range beyond 90,000 minutes over all inputs is refused with 413.',
		parameters: ['DryRun', 'BacktestStart', 'BacktestEnd', ...writing],
		request: {
			schema: 'AlarmInput',
			required: true,
			examples: {
				alarm: { summary: 'A low level', value: alarm },
				calm: { summary: 'The same, that neither chatters nor stays silent without data', value: calmAlarm },
			},
		},
		answer: {
			description: 'The alarm as stored. With `dryRun=1`: as it would be stored.',
			schema: 'SavedOrPreviewedAlarm',
			headers: ['ETag'],
			links: ['DeleteAlarm'],
			examples: {
				saved: { summary: 'A saved alarm', value: { data: savedAlarm } },
				preview: { summary: 'A dry run', value: { data: { alarm: { ...savedAlarm, id: 0 } } } },
				backtest: {
					summary: 'A dry run over a night',
					value: { data: { alarm: { ...calmAlarm, id: 32, version: 2 }, backtest } },
				},
			},
		},
		others: { 404: 'NotFound' },
	},
	deleteAlarm: {
		id: 'deleteAlarm',
		tag: 'Alarms',
		summary: 'Delete an alarm',
		description: 'Deletes an alarm.',
		parameters: writing,
		answer: {
			description: 'Whether there was such an alarm.',
			schema: 'AlarmDeletion',
			examples: { deleted: { summary: 'It was deleted', value: { data: { alarm: true } } } },
		},
	},
} as const satisfies Readonly<Record<string, ApiOperation>>;
