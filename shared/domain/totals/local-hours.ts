import type { TimeZone } from '../calendar/time-zone.ts';
import { dayMs } from '../milliseconds.ts';
import type { Range } from '../variable/window.ts';
import { foldSignal, mergeSignalStates, type OnRule, type SignalState } from './fold-signal.ts';
import type { Signal } from './signal.ts';

/** Local hours of each day, in milliseconds after 00:00: from `fromMs` until `toMs`. Where `toMs` is not later, they end on the next day. */
export interface LocalHours {
	readonly fromMs: number;
	readonly toMs: number;
}

/** Local hours of each day, and the time zone in which they are. */
export interface ZonedHours {
	readonly between: LocalHours;
	readonly zone: TimeZone;
}

/**
 * Returns the parts of a range in which the local time is within hours of the day, ascending. Hours that a clock change skips have no
 * part. Hours that it repeats have two parts, or a longer one: parts that meet at the change are one.
 */
export function partsWithin(range: Range, { fromMs, toMs }: LocalHours, zone: TimeZone): readonly Range[] {
	const lengthMs = fromMs < toMs ? toMs - fromMs : toMs - fromMs + dayMs;
	const parts: { readonly start: number; stop: number }[] = [];
	for (const { start, stop } of sameOffset(range, zone)) {
		const offset = zone.offsetAt(start);
		// The last beginning of the hours at or before the start.
		let from = Math.floor((start + offset - fromMs) / dayMs) * dayMs + fromMs - offset;
		for (; from < stop; from += dayMs) {
			const part = { start: Math.max(from, start), stop: Math.min(from + lengthMs, stop) };
			const last = parts.at(-1);
			if (last?.stop === part.start) last.stop = Math.max(last.stop, part.stop);
			else if (part.start < part.stop) parts.push(part);
		}
	}
	return parts;
}

/**
 * Folds a signal over the hours of each window.
 * @returns a state for each window; its span is 0 where the window has none of the hours
 */
export function foldWithin(
	signal: Signal,
	bounds: readonly number[],
	{ between, zone }: ZonedHours,
	onRule: OnRule = {},
): readonly SignalState[] {
	return bounds.slice(1).map((stop, index) => {
		const start = bounds[index] ?? stop;
		// The state of no time comes first, so that a window without any of the hours has a state, too.
		const emptyState = foldSignal(signal, [start, start], onRule);
		const parts = partsWithin({ start, stop }, between, zone);
		const states = parts.flatMap((part) => foldSignal(signal, [part.start, part.stop], onRule));
		return [...emptyState, ...states].reduce(mergeSignalStates);
	});
}

/** Divides a range where the zone's offset changes. One look a day finds every change, because two changes are more than a day apart. */
function sameOffset({ start, stop }: Range, zone: TimeZone): readonly Range[] {
	const parts: Range[] = [];
	let from = start;
	for (let at = start; at < stop; at += dayMs) {
		const end = Math.min(at + dayMs, stop);
		if (zone.offsetAt(at) === zone.offsetAt(end)) continue;
		const change = changeIn(at, end, zone);
		parts.push({ start: from, stop: change });
		from = change;
	}
	return from < stop ? [...parts, { start: from, stop }] : parts;
}

/** Returns the first millisecond in (low, high] with the offset of `high`. */
function changeIn(low: number, high: number, zone: TimeZone): number {
	let before = low;
	let found = high;
	while (found - before > 1) {
		const middle = Math.floor((before + found) / 2);
		if (zone.offsetAt(middle) === zone.offsetAt(high)) found = middle;
		else before = middle;
	}
	return found;
}
