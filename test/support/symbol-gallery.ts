import type { DrawnAlarm, DrawnVariable } from './drawn-plant.ts';

const minute = 60_000;

const alarm = (severity: DrawnAlarm['severity'], state: string, more: Partial<DrawnAlarm> = {}): DrawnAlarm => ({
	severity,
	state,
	condition: '>',
	threshold: 3,
	...more,
});

/** The states that a symbol can be in, as columns of the gallery: what differs from a good value. */
export const galleryStates = {
	good: {},
	limits: {
		alarms: [alarm('warning', 'normal', { threshold: 3.4 }), alarm('critical', 'normal', { condition: '<', threshold: 1 })],
	},
	stale: { quality: 'stale', ageMs: 4 * minute },
	noData: { quality: 'no_data', isEmpty: true, ageMs: 22 * minute },
	bad: { quality: 'bad', isEmpty: true, ageMs: null },
	missing: { quality: 'missing_reference', isEmpty: true, ageMs: null },
	skipped: { quality: 'skipped', isEmpty: true, ageMs: null },
	unacknowledged: { alarms: [alarm('critical', 'active_unacknowledged', { condition: '<' })] },
	acknowledged: { alarms: [alarm('warning', 'active_acknowledged', { condition: '<' })] },
	returned: { alarms: [alarm('info', 'returned_unacknowledged')] },
	shelved: { alarms: [alarm('warning', 'active_acknowledged', { isShelved: true })] },
} as const satisfies Readonly<Record<string, Partial<DrawnVariable> & { readonly isEmpty?: boolean }>>;

export type GalleryState = keyof typeof galleryStates;

/** The kinds that show a variable, as rows of the gallery, with a good value of each. */
export const galleryKinds = {
	tank: { unit: 'm', value: 2.5, size: { w: 0.045, h: 0.1, scale: [0, 4] } },
	pumpOn: { unit: 'bool', value: 1, size: { w: 0.03 } },
	pumpOff: { unit: 'bool', value: 0, size: { w: 0.03, turn: 270 } },
	valveOpen: { unit: 'bool', value: 1, size: { w: 0.03 } },
	valveClosed: { unit: 'bool', value: 0, size: { w: 0.03 } },
	filter: { unit: 'bool', value: 1, size: { w: 0.05, h: 0.1 } },
	value: { unit: 'bar', value: 3.8, size: {} },
} as const;

export type GalleryKind = keyof typeof galleryKinds;

const states = Object.entries(galleryStates);
const kinds = Object.entries(galleryKinds);

/** The name of a symbol of the gallery. */
export const galleryName = (kind: GalleryKind, state: GalleryState): string => `${kind} ${state}`;

/** Every state of every symbol that shows a variable: a column for each state, a row for each kind. */
export const galleryVariables: readonly DrawnVariable[] = kinds.flatMap(([kind, { unit, value }], row) =>
	states.map(([state, change], column) => {
		const { isEmpty, ...rest } = { isEmpty: false, ...change };
		const name = galleryName(kind as GalleryKind, state as GalleryState);
		return { id: row * 100 + column + 1, name, unit, ...(isEmpty ? {} : { value }), ...rest };
	}),
);

/** The variables of pipes by what is known of their flow. */
const flows = [
	{ id: 1001, name: 'flows', unit: 'm³/h', value: 12 },
	{ id: 1002, name: 'flows back', unit: 'm³/h', value: -12 },
	{ id: 1003, name: 'still', unit: 'm³/h', value: 0 },
	{ id: 1004, name: 'not known', unit: 'm³/h', value: 12, quality: 'stale', ageMs: 4 * minute },
] as const satisfies readonly DrawnVariable[];

const pipes = [
	...flows.map(({ id }) => ({ varId: id, thin: false })),
	{ thin: false },
	{ varId: 1001, thin: true },
	{ varId: 1003, thin: true },
];

const pipeKey = (index: number, end: string) => `${end}${index}`;

/** All variables of the gallery. */
export const galleryPlant: readonly DrawnVariable[] = [...galleryVariables, ...flows];

/** The gallery as a diagram. The shapes of its last row have no variable. */
export const galleryDiagram = {
	title: 'Gallery',
	ratio: 1.2,
	items: kinds.flatMap(([kind, { size }], row) =>
		states.map((_, column) => ({
			varId: row * 100 + column + 1,
			...(kind === 'value' ? {} : { kind: kind.replace(/[A-Z].*/, '') }),
			x: (column + 0.5) / states.length,
			y: (row + 0.7) / (kinds.length + 2.2),
			label: kind,
			...size,
		})),
	),
	shapes: [
		{ kind: 'frame', x: 0.06, y: 0.93, w: 0.1, h: 0.1, label: 'Frame' },
		{ kind: 'text', x: 0.06, y: 0.95, label: 'to Site B' },
		{ kind: 'source', x: 0.19, y: 0.94, w: 0.1, h: 0.05, label: 'River' },
		{ kind: 'network', x: 0.31, y: 0.93, w: 0.05, label: 'Town' },
		{ kind: 'tank', x: 0.41, y: 0.93, w: 0.05, h: 0.08, label: 'Bare tank' },
		{ kind: 'pump', x: 0.53, y: 0.93, w: 0.03, label: 'Bare pump' },
		{ kind: 'valve', x: 0.65, y: 0.93, w: 0.03, label: 'Bare valve' },
		{ kind: 'filter', x: 0.77, y: 0.93, w: 0.05, h: 0.08, label: 'Bare filter' },
		...pipes.flatMap((_, index) => [
			{ kind: 'join', key: pipeKey(index, 'a'), x: 0.02 + index / 7.2, y: 0.84 },
			{ kind: 'join', key: pipeKey(index, 'b'), x: 0.12 + index / 7.2, y: 0.81 },
		]),
	],
	pipes: pipes.map((pipe, index) => ({ from: [pipeKey(index, 'a'), 'right'], to: [pipeKey(index, 'b'), 'left'], ...pipe })),
} as const;
