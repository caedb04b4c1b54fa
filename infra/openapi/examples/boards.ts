/** A chart to save. */
export const chart = {
	id: 0,
	title: 'Tank levels, 24 h',
	series: [
		{ varId: 20, label: 'Raw tank level', color: '#1f77b4' },
		{ varId: 21, label: 'Network tank level', color: '#2ca02c' },
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

/** The boards as stored. */
export const savedChart = { ...chart, id: 29, version: 1 } as const;
export const savedDiagram = { ...diagram, id: 31, version: 1 } as const;
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
