import type { MarkedState, Severity } from '#page/core/alarm-state.ts';
import type { Schemas } from '#page/core/api.ts';
import { type Shown, stateOf } from '#page/core/shown.ts';
import type { BindingAlarms } from '#page/core/tile-alarm.ts';

/** The state that a symbol shows at one moment. It is plain data, so that states can be compared and drawn without any signals. */
export interface SymbolState {
	/** The quality. Null if the symbol has no variable; undefined if the variable was not read yet. */
	readonly quality: Schemas['Quality'] | null | undefined;
	/** The newest number, which may be stale; null if there is none. 0 is a number. */
	readonly value: number | null;
	/** The formatted number; null if there is none. */
	readonly text: string | null;
	readonly unit: string;
	/** Whether a state is on; null if it is not known. It may be stale. Undefined if the variable is a number. */
	readonly isOn: boolean | null | undefined;
	/** The age of the newest sample in words. Null while the quality is good, and without a sample. */
	readonly age: string | null;
	/** Whether all values on the screen are out of date. Then the last shape stays and is hatched. */
	readonly isOutdated: boolean;
	/** The worst alarm that is active or not acknowledged. */
	readonly alarm: SymbolAlarm | null;
	/** Whether one of its alarms is shelved. */
	readonly isShelved: boolean;
	/** The thresholds of its alarms. */
	readonly limits: readonly number[];
}

/** The alarm that a symbol is marked with. */
export interface SymbolAlarm {
	readonly name: string;
	readonly severity: Severity;
	readonly state: MarkedState;
	/** The threshold that the value is beyond; null if it is not beyond it, and if the alarm watches a bit. */
	readonly exceeded: number | null;
}

/** The inputs from which the state of a symbol is made. */
export interface SymbolInputs {
	/** Null until the variable was read. */
	readonly shown: Shown | null;
	/** The position of the shown bit; null for the whole value. */
	readonly bit: number | null;
	/** Whether the variable, or its bit, is a state that is on or off. */
	readonly isState: boolean;
	readonly alarms: BindingAlarms;
	readonly isOutdated: boolean;
	readonly format: (value: number) => string;
	/** Returns the age of a sample in words, for the time of the sample. */
	readonly formatAge: (at: number) => string;
}

/** The state of a symbol without a variable. */
export const unboundState: SymbolState = {
	quality: null,
	value: null,
	text: null,
	unit: '',
	isOn: undefined,
	age: null,
	isOutdated: false,
	alarm: null,
	isShelved: false,
	limits: [],
};

/** Returns the state that a symbol shows of its variable. */
export function symbolStateOf({ shown, bit, isState, alarms, isOutdated, format, formatAge }: SymbolInputs): SymbolState {
	const value = isState ? null : (shown?.value ?? null);
	const showsAge = shown !== null && shown.quality !== 'good' && shown.at !== null;
	const { worst } = alarms;
	return {
		quality: shown?.quality,
		value,
		text: value === null ? null : format(value),
		unit: shown?.unit ?? '',
		isOn: isState ? stateOf(shown, bit) : undefined,
		age: showsAge ? formatAge(shown.at) : null,
		isOutdated,
		alarm:
			worst === null
				? null
				: {
						name: worst.name,
						severity: worst.severity,
						state: worst.state,
						exceeded: worst.isBeyond && !worst.isOfBit ? worst.threshold : null,
					},
		isShelved: alarms.isShelved,
		limits: alarms.limits,
	};
}

/** Whether the shown state is the present one of the plant. */
export function isCurrent({ quality, isOutdated }: SymbolState): boolean {
	return quality === 'good' && !isOutdated;
}

/** Returns the fault of the data, which is shown by a mark and a word; null without a fault. */
export function faultOf({ quality }: SymbolState): Exclude<Schemas['Quality'], 'good'> | null {
	return quality === null || quality === undefined || quality === 'good' ? null : quality;
}

/**
 * Returns the state whose shape is drawn; null if the present state is not known. A stale state gives null, because the pump may have
 * stopped since.
 */
export function drawnOn({ quality, isOn }: SymbolState): boolean | null {
	return quality === 'good' ? (isOn ?? null) : null;
}

/** How the water of a tank is drawn. Heights are shares of the tank, from its bottom. */
export interface TankWater {
	/** The height of the water. Null if no number is known; then no water is drawn. */
	readonly level: number | null;
	/** Whether the level is an old one. Then its surface is dashed and the tank is hatched. */
	readonly isOld: boolean;
	/** The thresholds of alarms on the scale, from the bottom to the top: the height and the value of each. */
	readonly ticks: readonly { readonly at: number; readonly limit: number }[];
	/** The part between the level and the threshold that it is beyond; null without such a threshold. */
	readonly excess: { readonly from: number; readonly to: number } | null;
}

/** The values at which a tank is empty and full. */
export type TankScale = readonly [empty: number, full: number];

/**
 * Returns the scale on which a tank is drawn. Without a stored scale it is 0 to 100 for a unit of percent, and null for any other unit: a
 * level in metres would be wrong on every scale that is assumed (shared/domain/board/DIAGRAM.md#kinds).
 */
export function scaleOf(stored: TankScale | null | undefined, unit: string): TankScale | null {
	return stored ?? (unit.trim() === '%' ? [0, 100] : null);
}

/** Returns the water of a tank. A level beyond the scale is drawn at the end of the scale. Without a scale, nothing is drawn. */
export function waterOf(state: SymbolState, scale: TankScale | null): TankWater {
	const [empty, full] = scale ?? [0, 0];
	/** Returns the height of a value; null if it has none. It is outside of 0 to 1 for a value beyond the scale. */
	const heightOf = (value: number): number | null => {
		const height = full === empty ? Number.NaN : (value - empty) / (full - empty);
		return Number.isNaN(height) ? null : height;
	};
	const heightInTank = (value: number | null): number | null => {
		const height = value === null ? null : heightOf(value);
		return height === null ? null : Math.min(1, Math.max(0, height));
	};
	const level = heightInTank(state.value);
	const exceeded = isCurrent(state) ? heightInTank(state.alarm?.exceeded ?? null) : null;
	return {
		level,
		isOld: state.quality !== null && !isCurrent(state),
		ticks: state.limits
			.flatMap((limit) => {
				const at = heightOf(limit);
				return at === null || at < 0 || at > 1 ? [] : [{ at, limit }];
			})
			.toSorted((one, other) => one.at - other.at),
		excess: exceeded === null || level === null ? null : { from: Math.min(level, exceeded), to: Math.max(level, exceeded) },
	};
}

/**
 * The known flow of a pipe. `bare`: no mark is drawn, because the pipe has no variable, its variable was not read yet, or all values are
 * out of date.
 */
export type PipeFlow = 'forward' | 'backward' | 'still' | 'unknown' | 'bare';

/**
 * Returns what is known of a pipe's flow.
 * @param over water flows forward if the value is above `over`, and backward if it is below `-over`
 */
export function flowOf({ quality, isOutdated, isOn, value }: SymbolState, over: number): PipeFlow {
	if (quality === null || quality === undefined || isOutdated) return 'bare';
	if (quality !== 'good') return 'unknown';
	if (isOn === null) return 'unknown';
	if (isOn !== undefined) return isOn ? 'forward' : 'still';
	if (value === null || !Number.isFinite(value)) return 'unknown';
	if (value > over) return 'forward';
	return value < -over ? 'backward' : 'still';
}
