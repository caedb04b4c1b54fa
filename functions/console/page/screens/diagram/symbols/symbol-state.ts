import { type MarkedState, type Severity, severityNumbers } from '#page/core/alarm-state.ts';
import type { Schemas } from '#page/core/api.ts';
import { type Shown, stateOf } from '#page/core/shown.ts';
import type { BindingAlarms } from '#page/core/tile-alarm.ts';

/** What a symbol shows at one moment. All of it is data, so that it can be compared and drawn without a store. */
export interface SymbolState {
	/** Null: it is not bound to a variable. Undefined: it was not read yet. */
	readonly quality: Schemas['Quality'] | null | undefined;
	/** The newest number, which may be stale; null where there is none. 0 is a number. */
	readonly value: number | null;
	/** The number as it is written; null where there is none. */
	readonly text: string | null;
	readonly unit: string;
	/** Of a state: on, off, or null where none is known; it may be stale. Undefined: it is a number. */
	readonly isOn: boolean | null | undefined;
	/** How old the newest sample is. Null while it is good, and without a sample. */
	readonly age: string | null;
	/** Whether everything on the screen is out of date: its shape stays, and it is hatched. */
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
	/** The threshold that the value is beyond; null where it is not, and where its alarm watches a bit. */
	readonly exceeded: number | null;
}

/** What a state follows from. */
export interface SymbolInputs {
	/** Null until the variable was read. */
	readonly shown: Shown | null;
	/** The position of the bit that is shown; null: the whole value. */
	readonly bit: number | null;
	/** Whether the variable, or its bit, is a state that is on or off. */
	readonly isState: boolean;
	readonly alarms: BindingAlarms;
	readonly isOutdated: boolean;
	readonly format: (value: number) => string;
	/** Formats the age of a sample, by its time. */
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

/** Returns what a symbol shows of its variable. */
export function symbolStateOf({ shown, bit, isState, alarms, isOutdated, format, formatAge }: SymbolInputs): SymbolState {
	const value = isState ? null : (shown?.value ?? null);
	const isOld = shown !== null && shown.quality !== 'good' && shown.at !== null;
	const { worst } = alarms;
	return {
		quality: shown?.quality,
		value,
		text: value === null ? null : format(value),
		unit: shown?.unit ?? '',
		isOn: isState ? stateOf(shown, bit) : undefined,
		age: isOld ? formatAge(shown.at) : null,
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

/** Whether what is shown is the plant's at present. */
export function isCurrent({ quality, isOutdated }: SymbolState): boolean {
	return quality === 'good' && !isOutdated;
}

/** Whether something is wrong with the data, which a mark and a word say. */
export function faultOf({ quality }: SymbolState): Exclude<Schemas['Quality'], 'good'> | null {
	return quality === null || quality === undefined || quality === 'good' ? null : quality;
}

/** Returns the state whose shape is drawn: null where it is not known now. A stale state is not: the pump may have stopped since. */
export function drawnOn({ quality, isOn }: SymbolState): boolean | null {
	return quality === 'good' ? (isOn ?? null) : null;
}

/** How the water of a tank is drawn. Heights are shares of the tank, from its bottom. */
export interface TankWater {
	/** Null: no number is known, so there is no water. */
	readonly level: number | null;
	/** Whether the level is not the present one: its surface is dashed and the tank is hatched. */
	readonly isOld: boolean;
	readonly ticks: readonly { readonly at: number; readonly limit: number }[];
	/** Between the level and the threshold that it is beyond. */
	readonly excess: { readonly from: number; readonly to: number } | null;
}

/** Returns the water of a tank by its scale from empty to full. A level beyond the scale stands at its end. */
export function waterOf(state: SymbolState, [empty, full]: readonly [number, number]): TankWater {
	const shareOf = (value: number | null): number | null => {
		const share = value === null ? Number.NaN : (value - empty) / (full - empty);
		return Number.isNaN(share) ? null : share;
	};
	const within = (value: number | null): number | null => {
		const share = shareOf(value);
		return share === null ? null : Math.min(1, Math.max(0, share));
	};
	const level = full === empty ? null : within(state.value);
	const limit = isCurrent(state) ? within(state.alarm?.exceeded ?? null) : null;
	return {
		level,
		isOld: state.quality !== null && !isCurrent(state),
		ticks: state.limits
			.map((each) => ({ at: shareOf(each) ?? -1, limit: each }))
			.filter(({ at }) => at >= 0 && at <= 1)
			.toSorted((one, other) => one.at - other.at),
		excess: limit === null || level === null ? null : { from: Math.min(level, limit), to: Math.max(level, limit) },
	};
}

/** What is known of a pipe: without a variable nothing is drawn on it, as while it was not read and while everything is out of date. */
export type PipeFlow = 'forward' | 'backward' | 'still' | 'unknown' | 'bare';

/**
 * Returns what is known of a pipe's flow.
 * @param over it flows where the value is above it, and the other way where the value is below its negative
 */
export function flowOf({ quality, isOutdated, isOn, value }: SymbolState, over: number): PipeFlow {
	if (quality === null || quality === undefined || isOutdated) return 'bare';
	if (quality !== 'good') return 'unknown';
	if (isOn !== undefined) return isOn === null ? 'unknown' : isOn ? 'forward' : 'still';
	if (value === null || !Number.isFinite(value)) return 'unknown';
	if (value > over) return 'forward';
	return value < -over ? 'backward' : 'still';
}

/** Returns the classes of an alarm's outline: its severity, and its state by width and dashes. */
export function alarmLook(alarm: SymbolAlarm | null): string {
	if (alarm === null) return '';
	const states: Partial<Readonly<Record<MarkedState, string>>> = {
		active_unacknowledged: ' severe',
		returned_unacknowledged: ' returned',
	};
	return `alarm severity-${severityNumbers[alarm.severity]}${states[alarm.state] ?? ''}`;
}
