import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { forgetValues, noteValues } from '#page/format/decimals.ts';
import { api, type Failure, resultOf, type Schemas } from './api.ts';
import { addPollTask, pollNow } from './poll.ts';
import { sessionCheck } from './session.ts';
import { shownOf } from './shown.ts';

/** What a variable shows at one moment. */
export type Reading = Schemas['Reading'];

export type Quality = Schemas['Quality'];

/** The most ids of one request. */
const maxIds = 2000;

const readings = new Map<number, Signal<Reading | undefined>>();

/** The ids that each part of the screen shows. */
const wanted = new Map<symbol, readonly number[]>();

/** Returns the reading of a variable: undefined until it was read. Every poll renews it while a part of the screen wants it. */
export function readingOf(id: number): ReadonlySignal<Reading | undefined> {
	return signalOf(id);
}

/**
 * Has variables read with every poll while the component is on the screen. All components share one request. Readings that nobody
 * has wanted meanwhile are forgotten, so none of them can look current later.
 */
export function useReadings(ids: readonly number[]): void {
	const key = ids.join();
	useEffect(() => {
		const owner = Symbol('readings');
		wanted.set(owner, ids);
		if (ids.some((id) => signalOf(id).value === undefined)) queueMicrotask(() => void pollNow());
		return () => {
			wanted.delete(owner);
			queueMicrotask(forgetUnwanted);
		};
		// The list is a new one in every rendering; its content decides.
	}, [key]);
}

/** Reads variables anew at the next poll, which begins now: after a save. */
export function readAgain(): Promise<void> {
	return pollNow();
}

/** Forgets every reading: another tenant has signed in. */
export function forgetReadings(): void {
	batch(() => {
		for (const each of readings.values()) each.value = undefined;
	});
	forgetValues();
}

/** Takes part in every poll: reads what is on the screen, in one request for each 2,000 variables. */
export function startReadings(): () => void {
	return addPollTask(async () => {
		const ids = [...new Set([...wanted.values()].flat())];
		for (let from = 0; from < ids.length; from += maxIds) {
			const failure = await read(ids.slice(from, from + maxIds));
			if (failure !== null) return failure;
		}
		return null;
	});
}

async function read(ids: readonly number[]): Promise<Failure | null> {
	const isSameSession = sessionCheck();
	const result = await resultOf(api.POST('/multipleDataTsdb', { body: { ids: [...ids] } }));
	if (!result.ok) return result.failure;
	if (!isSameSession()) return null;
	batch(() => {
		for (const reading of result.data.data) {
			noteValues(reading.id, [shownOf(reading).value]);
			signalOf(reading.id).value = reading;
		}
	});
	return null;
}

function signalOf(id: number): Signal<Reading | undefined> {
	let found = readings.get(id);
	if (found === undefined) {
		found = signal(undefined);
		readings.set(id, found);
	}
	return found;
}

function forgetUnwanted(): void {
	const all = new Set([...wanted.values()].flat());
	for (const [id, reading] of readings) if (!all.has(id)) reading.value = undefined;
}
