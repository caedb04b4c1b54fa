import { reasonMessages } from '#domain/reading/quality.ts';

// A reading of each kind and type, one that did not fit into the request, and one of an id without a variable.

/** The newest value of a simple variable. */
export const flowReading = {
	id: 13,
	kind: 'newest',
	name: 'Distribution flow',
	unit: 'm³/h',
	type: 'last',
	quality: 'good',
	value: 212.4,
	time: '2026-11-21T10:00:00.000Z',
} as const;

/** The newest byte of a bit-compressed variable. */
export const statusReading = {
	id: 18,
	kind: 'bits',
	name: 'Plant status',
	unit: 'boolean',
	type: 'last',
	quality: 'good',
	value: 37,
	time: '2026-11-21T10:00:00.000Z',
	bits: [
		{ id: 1, name: 'Intake pump 1 running', bit: 0, value: 1 },
		{ id: 8, name: 'General alarm', bit: 7, value: 0 },
	],
} as const;

/** The value of a formula, one of whose inputs is stale. */
export const volumeReading = {
	id: 24,
	kind: 'calculated',
	name: 'Stored volume',
	unit: 'm³',
	type: 'last',
	quality: 'stale',
	value: 1254.6,
	time: '2026-11-21T09:52:00.000Z',
	oldestInputAt: '2026-11-21T09:52:00.000Z',
	newestInputAt: '2026-11-21T10:00:00.000Z',
	reason: {
		code: 'stale',
		message: reasonMessages.stale,
		inputs: ['Raw tank level'],
	},
} as const;

/** The history of a simple variable. */
export const levelHistory = {
	id: 20,
	kind: 'history',
	name: 'Raw tank level, 24 h',
	unit: 'm',
	type: 'history',
	quality: 'good',
	series: [
		['2026-11-21T09:55:00.000Z', 3.21],
		['2026-11-21T10:00:00.000Z', 3.24],
	],
} as const;

/** The history of a bit-compressed variable. */
export const statusHistory = {
	id: 38,
	kind: 'bits_history',
	name: 'Plant status, 1 h',
	unit: 'boolean',
	type: 'history',
	quality: 'good',
	series: [['2026-11-21T10:00:00.000Z', 37]],
	bits: [{ id: 8, name: 'General alarm', bit: 7, value: 0 }],
} as const;

/** The history of a formula. */
export const inflowHistory = {
	id: 28,
	kind: 'calculated_history',
	name: 'Network tank net inflow, 24 h',
	unit: 'm³/h',
	type: 'history',
	quality: 'good',
	series: [
		['2026-11-21T09:55:00.000Z', null],
		['2026-11-21T10:00:00.000Z', -12.5],
	],
	oldestInputAt: '2026-11-21T09:59:55.000Z',
	newestInputAt: '2026-11-21T09:59:58.000Z',
} as const;

/** A history that did not fit into the request. */
export const skippedReading = {
	id: 39,
	kind: 'history',
	name: 'Distribution flow, 10 y',
	unit: 'm³/h',
	type: 'history',
	quality: 'skipped',
	series: [],
	reason: {
		code: 'too_many_windows',
		message: 'Needs 9,000 of 100,000 windows, 4,120 were left: ask for it in another request.',
		inputs: [],
	},
} as const;

/** What is answered for an id without a variable. */
export const missingReading = {
	id: 987654,
	kind: 'missing',
	name: null,
	unit: null,
	type: null,
	quality: 'missing_reference',
	value: null,
	time: null,
	reason: {
		code: 'missing_reference',
		message: reasonMessages.missing_reference,
		inputs: [],
	},
} as const;
