import { alarmState, evaluation } from '../examples/alarms.ts';
import { alarm, calmAlarm, chart, diagram, processDiagram, savedAlarm, savedChart, savedDiagram } from '../examples/boards.ts';
import type { ApiOperation, BodyExamples } from '../operation.ts';
import { writeHeaders } from '../parameters.ts';

/** What the alarm of the examples would have done in a night. */
const backtest = {
	resolutionSeconds: 1,
	events: [
		{
			time: '2026-11-21T22:14:06.000Z',
			kind: 'raised',
			cause: 'condition',
			occurrence: 1,
			value: 1.98,
			quality: 'good',
			inputs: [],
		},
		{
			time: '2026-11-21T22:41:37.000Z',
			kind: 'cleared',
			cause: 'condition',
			occurrence: 1,
			value: 2.21,
			quality: 'good',
			inputs: [],
		},
		{
			time: '2026-11-22T03:30:05.000Z',
			kind: 'raised',
			cause: 'no_data',
			occurrence: 2,
			value: 2.64,
			quality: 'no_data',
			inputs: ['Level'],
		},
		{
			time: '2026-11-22T03:52:11.000Z',
			kind: 'cleared',
			cause: 'no_data',
			occurrence: 2,
			value: 2.6,
			quality: 'good',
			inputs: [],
		},
	],
	raised: 2,
	activeSeconds: 2977,
	longestSeconds: 1651,
	uncertainSeconds: 0,
	perDay: [
		{ day: '2026-11-21', raised: 1, activeSeconds: 1651 },
		{ day: '2026-11-22', raised: 1, activeSeconds: 1326 },
	],
} as const;

/** The end of the description of every listing of boards. */
const listingOrder = 'all of them by ascending id, a page in the order of the ids as text (10 before 9), or those of `ids`.';

const charts = operationsOf('Chart', {
	saved: savedChart,
	references: 'Every `varId` must be an existing variable.',
	examples: { chart: { summary: 'Two levels', value: chart } },
});

const diagrams = operationsOf('Diagram', {
	saved: savedDiagram,
	references:
		'Every `varId` must be an existing variable, and every `bit` one that it defines, of items and of pipes. The keys at the ends of pipes must be those of items or shapes. In a replacement, an absent `ratio`, `shapes`, `pipes` or `background` keeps what is stored, and null removes it; `items` are replaced as a whole. A background with anything that runs or is loaded from elsewhere is refused, unless it is the one that the diagram has already.',
	examples: {
		diagram: { summary: 'A level and a bit', value: diagram },
		process: { summary: 'A drawing of the process', value: processDiagram },
	},
});

/** The operations on charts, diagrams and alarms. */
export const boardOperations = {
	getCharts: charts.list,
	saveChart: charts.save,
	deleteChart: charts.delete,
	getDiagrams: diagrams.list,
	saveDiagram: diagrams.save,
	deleteDiagram: diagrams.delete,
	getAlarms: {
		id: 'listAlarms',
		tag: 'Alarms',
		summary: 'List the alarms with their states',
		description: `Lists the alarms, each with its current value and its state: ${listingOrder} \`active\`, \`value\` and \`quality\` are of this moment; \`state\` and what follows it are of the last evaluation, which \`evaluation\` tells the time of.`,
		parameters: ['Limit', 'After', 'Ids', 'CacheControl'],
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
		parameters: ['DryRun', 'BacktestStart', 'BacktestEnd', 'BacktestTimeZone', ...writeHeaders],
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
		parameters: writeHeaders,
		answer: {
			description: 'Whether there was such an alarm.',
			schema: 'AlarmDeletion',
			examples: { deleted: { summary: 'It was deleted', value: { data: { alarm: true } } } },
		},
	},
} as const satisfies Readonly<Record<string, ApiOperation>>;

/** The texts and examples in which the operations of charts and those of diagrams differ. */
interface BoardWords {
	/** An example of a stored chart or diagram. */
	readonly saved: unknown;
	/** What a save demands of the variables, as a sentence. */
	readonly references: string;
	/** Examples of the body of a save. */
	readonly examples: BodyExamples;
}

function operationsOf<Kind extends 'Chart' | 'Diagram'>(kind: Kind, { saved, references, examples }: BoardWords) {
	const noun = kind.toLowerCase();
	const tag = `${kind}s` as const;
	return {
		list: {
			id: `list${kind}s`,
			tag,
			summary: `List the ${noun}s`,
			description: `Lists the ${noun}s: ${listingOrder}`,
			parameters: ['Limit', 'After', 'Ids'],
			answer: {
				description: `The ${noun}s.`,
				schema: `${kind}Listing`,
				examples: { all: { summary: `All ${noun}s`, value: { data: [saved] } } },
			},
		},
		save: {
			id: `save${kind}`,
			tag,
			summary: `Create or replace a ${noun}`,
			description: `Id 0 creates a ${noun}, any other id replaces that one. ${references}`,
			parameters: writeHeaders,
			request: { schema: `${kind}Input`, required: true, examples },
			answer: {
				description: `The ${noun} as stored.`,
				schema: `${kind}Answer`,
				headers: ['ETag'],
				links: [`Delete${kind}`],
				examples: { saved: { summary: `A saved ${noun}`, value: { data: saved } } },
			},
			others: { 404: 'NotFound' },
		},
		delete: {
			id: `delete${kind}`,
			tag,
			summary: `Delete a ${noun}`,
			description: `Deletes a ${noun}.`,
			parameters: writeHeaders,
			answer: {
				description: `Whether there was such a ${noun}.`,
				schema: `${kind}Deletion`,
				examples: { deleted: { summary: 'It was deleted', value: { data: { [noun]: true } } } },
			},
		},
	} satisfies Readonly<Record<'list' | 'save' | 'delete', ApiOperation>>;
}
