import type { Quality, Reason } from './quality.ts';

/** The state of one named bit; null where the byte is not known. */
export interface BitState {
	readonly id: number;
	readonly name: string;
	readonly bit: number;
	readonly value: 0 | 1 | null;
}

/** When the oldest and the newest input of a calculated variable were taken, epoch milliseconds. */
export interface InputTimes {
	readonly oldest: number | null;
	readonly newest: number | null;
}

/** One instant of a history: epoch milliseconds, and a finite value or null. */
export type HistoryPoint = readonly [time: number, value: number | null];

/** What a variable shows: its value at one moment, or its history, oldest first. */
export type ReadingContent =
	| { readonly type: 'last'; readonly value: number | null; readonly time: number | null }
	| { readonly type: 'history'; readonly series: readonly HistoryPoint[] };

/** What was found out about a variable at one moment, whatever its name. */
export interface Evaluation {
	readonly shown: ReadingContent;
	readonly quality: Quality;
	/** null only where the quality is good. */
	readonly reason: Reason | null;
	/** Bit-compressed variables only. */
	readonly bits: readonly BitState[] | null;
	/** Calculated variables only. */
	readonly inputTimes: InputTimes | null;
}

/** What a variable shows at one moment (design section 3). Name, unit and type are null for an id of no variable. */
export interface Reading extends Evaluation {
	readonly id: number;
	readonly name: string | null;
	readonly unit: string | null;
	readonly type: 'last' | 'history' | null;
}
