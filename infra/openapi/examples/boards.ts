/** A chart to save. */
export const chart = {
	id: 0,
	title: 'Tank levels, 24 h',
	series: [
		{ varId: 4, label: 'Raw tank level', color: '#1f77b4' },
		{ varId: 16, label: 'Network tank level', color: '#2ca02c' },
	],
} as const;

/** A diagram to save. */
export const diagram = {
	id: 0,
	title: 'Plant overview',
	items: [
		{ varId: 4, x: 0.15, y: 0.3, label: 'Raw tank level' },
		{ varId: 18, bit: 4, x: 0.4, y: 0.6, label: 'Backwash' },
	],
} as const;

/** A drawing to save: a tank, the river, and the pipe between them. */
export const processDiagram = {
	id: 0,
	title: 'Intake',
	ratio: 1.6,
	items: [
		{ key: 'raw', kind: 'tank', varId: 4, x: 0.5, y: 0.4, w: 0.3, h: 0.4, scale: [0, 4], label: 'Raw tank' },
		{ varId: 1, x: 0.2, y: 0.6, tap: [0.1, 0.5], label: 'Intake flow' },
	],
	shapes: [{ key: 'riv', kind: 'source', x: 0.2, y: 0.9, w: 0.3, h: 0.1, label: 'River' }],
	pipes: [{ from: ['riv', 'top', 0.2], to: ['raw', 'left'], via: [[0.1, 0.4]], varId: 1 }],
	background: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 10"><path d="M0 8L16 8" stroke="#888" /></svg>',
} as const;

/** An alarm to save. */
export const alarm = {
	id: 0,
	name: 'Network tank low',
	varId: 16,
	condition: '<',
	threshold: 2,
	severity: 'critical',
	message: 'Less than 2 m in the network tank: start a distribution pump.',
} as const;

/** The same alarm with every optional field. */
export const calmAlarm = {
	...alarm,
	enabled: true,
	deadband: 0.2,
	onDelaySeconds: 30,
	offDelaySeconds: 120,
	noDataSeconds: 600,
} as const;

/** The chart as stored. */
export const savedChart = { ...chart, id: 29, version: 1 } as const;

/** The first diagram as stored. */
export const savedDiagram = { ...diagram, id: 31, version: 1 } as const;

/** The first alarm as stored. */
export const savedAlarm = { ...alarm, id: 32, version: 1 } as const;

/** The panel to save. */
export const panel = {
	title: 'Pump station',
	pumps: [{ id: 1, name: 'Distribution pump 1', varId: 11, type: 'pump' }],
	states: [{ id: 1, name: 'General alarm', varId: 18, type: 'status', bit: 7 }],
} as const;

/** What refers to variable 18. */
export const usages = [
	{ kind: 'alarm', id: 34, name: 'General alarm' },
	{ kind: 'diagram', id: 31, name: 'Plant overview' },
	{ kind: 'panel', id: 0, name: 'Pump station' },
] as const;
