import { batch, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api, type Failure, resultOf, type Schemas } from './api.ts';
import { forgetValues, noteValues, setDecimalsSchema } from './decimals.ts';
import { variables } from './definitions.ts';
import { addPollTask, pollNow } from './poll.ts';
import { route } from './route.ts';
import { onTenantChange, session, sessionCheck } from './session.ts';
import { shownOf } from './shown.ts';

/** The value and the quality of a variable at one moment. */
export type Reading = Schemas['Reading'];

export type Quality = Schemas['Quality'];

/** The most ids of one request. */
const maxIds = 2000;

const readings = new Map<number, Signal<Reading | undefined>>();

/** The ids of the variables that each part of the screen shows. */
const wanted = new Map<symbol, readonly number[]>();

/** The request for every variable, while it runs. */
let readingAll: Promise<Failure | null> | null = null;

onTenantChange(() => {
	wanted.clear();
	for (const each of readings.values()) each.value = undefined;
	forgetValues();
});

effect(() => setDecimalsSchema(session.value?.schema ?? ''));

/** Returns the reading of a variable: undefined until it was read. Every poll renews it while a part of the screen wants it. */
export function readingOf(id: number): ReadonlySignal<Reading | undefined> {
	return signalOf(id);
}

/**
 * Reads variables with every poll while the component is on the screen. All components share one request. Readings that no component
 * wants are forgotten, so that old ones never look current later.
 */
export function useReadings(ids: readonly number[]): void {
	const key = ids.join();
	useEffect(() => {
		const owner = Symbol('readings');
		wanted.set(owner, ids);
		void readMissing(owner);
		return () => {
			wanted.delete(owner);
			queueMicrotask(forgetUnwanted);
		};
		// The list is a new object in every rendering, so the effect depends on its content.
	}, [key]);
}

/** Starts a poll now, which reads the variables again. Used after a save. */
export function readAgain(): Promise<void> {
	return pollNow();
}

/**
 * Takes part in every poll: reads the variables on the screen, in one request for each 2,000. The overview shows all variables, so it
 * reads all values at once, without waiting for the definitions.
 */
export function startReadings(): () => void {
	return addPollTask('values', async () => {
		if (isAllWanted()) return readAll();
		forgetUnwanted();
		const ids = [...wantedIds()];
		for (let from = 0; from < ids.length; from += maxIds) {
			const failure = await read(ids.slice(from, from + maxIds));
			if (failure !== null) return failure;
		}
		return null;
	});
}

function isAllWanted(): boolean {
	return route.value.screen === 'overview' && variables.rows.value === undefined;
}

async function readAll(): Promise<Failure | null> {
	const request = read(null);
	readingAll = request;
	const failure = await request;
	if (readingAll === request) readingAll = null;
	return failure;
}

/**
 * Polls at once if a part of the screen shows a variable that was not read yet. If reading all variables has failed, it waits for the
 * next poll.
 */
async function readMissing(owner: symbol): Promise<void> {
	if ((await readingAll) !== null) return;
	if (wanted.get(owner)?.some((id) => signalOf(id).value === undefined) === true) void pollNow();
}

/** Reads the variables with these ids; null reads all. */
async function read(ids: readonly number[] | null): Promise<Failure | null> {
	const isSameSession = sessionCheck();
	const result = await resultOf(api.POST('/multipleDataTsdb', ids === null ? {} : { body: { ids: [...ids] } }));
	if (!result.ok) return result.failure;
	// If the person has left the overview meanwhile, the answer is dropped, because nothing would renew these readings.
	if (!isSameSession() || (ids === null && route.value.screen !== 'overview')) return null;
	// One answer cannot hold all variables of a large plant. The skipped ones are read by their ids.
	const answered = result.data.data.filter(({ quality }) => ids !== null || quality !== 'skipped');
	batch(() => {
		for (const reading of answered) {
			const { unit, value } = shownOf(reading);
			noteValues(reading.id, unit, [value]);
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
	const ids = wantedIds();
	for (const [id, reading] of readings) if (!ids.has(id)) reading.value = undefined;
}

function wantedIds(): ReadonlySet<number> {
	return new Set([...wanted.values()].flat());
}
