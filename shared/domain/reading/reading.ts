import type { Quality, Reason } from './quality.ts';

/** The state of a named bit; null when the byte is unknown. */
export interface BitState {
	readonly id: number;
	readonly name: string;
	readonly bit: number;
	readonly value: 0 | 1 | null;
}

/** The times of the oldest and the newest input of a calculated variable, epoch milliseconds. */
export interface InputTimes {
	readonly oldest: number | null;
	readonly newest: number | null;
}

/** One instant of a history: epoch milliseconds, and a finite value or null. */
export type HistoryPoint = readonly [time: number, value: number | null];

/** The value of a reading with its time (epoch milliseconds), or its history, oldest first. */
export type ReadingContent =
	| { readonly type: 'last'; readonly value: number | null; readonly time: number | null }
	| { readonly type: 'history'; readonly series: readonly HistoryPoint[] };

/** The result of evaluating a variable at one moment. */
export interface Evaluation {
	readonly content: ReadingContent;
	readonly quality: Quality;
	/** null only when the quality is good. */
	readonly reason: Reason | null;
	/** null unless the variable is bit-compressed. */
	readonly bits: readonly BitState[] | null;
	/** null unless the variable is calculated. */
	readonly inputTimes: InputTimes | null;
}

/**
 * A variable's reading at one moment (shared/domain/reading/README.md#fields). Name, unit and type are null when the id has no variable.
 */
export interface Reading extends Evaluation {
	readonly id: number;
	readonly name: string | null;
	readonly unit: string | null;
	readonly type: 'last' | 'history' | null;
}
