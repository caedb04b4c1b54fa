import { batch, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { maxReadVariables } from '#domain/validation/input-limits.ts';
import { api, type Failure, resultOf, type Schemas } from './api.ts';
import { setDecimalsSchema } from './chosen-decimals.ts';
import { forgetValues, noteValues } from './decimals.ts';
import { variables } from './definitions.ts';
import { addPollTask, pollNow } from './poll.ts';
import { route } from './route.ts';
import { onTenantChange, session, sessionCheck } from './session.ts';
import { shownOf } from './shown.ts';

/** The value and the quality of a variable at one moment. */
export type Reading = Schemas['Reading'];

/** How far the value of a reading can be trusted (shared/domain/reading/README.md#qualities). */
export type Quality = Schemas['Quality'];

/** The readings by the id of the variable. */
const readings = new Map<number, Signal<Reading | undefined>>();

/** The ids of the variables that each part of the screen shows. */
const wanted = new Map<symbol, readonly number[]>();

/** The request for every variable, while it runs. */
let allRequest: Promise<Failure | null> | null = null;

onTenantChange(() => {
	wanted.clear();
	for (const reading of readings.values()) reading.value = undefined;
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
			// Not at once: a part of the screen that is drawn next may want the same variables.
			queueMicrotask(forgetUnwanted);
		};
		// The list is a new object in every rendering, so the effect depends on its content.
	}, [key]);
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
		for (let from = 0; from < ids.length; from += maxReadVariables) {
			const failure = await read(ids.slice(from, from + maxReadVariables));
			if (failure !== null) return failure;
		}
		return null;
	});
}

/** Whether the overview is shown before it knows the ids of the variables. */
function isAllWanted(): boolean {
	return route.value.screen === 'overview' && variables.rows.value === undefined;
}

/** Reads all variables. `allRequest` holds the request while it runs. */
async function readAll(): Promise<Failure | null> {
	const request = read('all');
	allRequest = request;
	const failure = await request;
	if (allRequest === request) allRequest = null;
	return failure;
}

/**
 * Polls at once if a part of the screen shows a variable that was not read yet. If reading all variables has failed, it waits for the
 * next poll.
 */
async function readMissing(owner: symbol): Promise<void> {
	if ((await allRequest) !== null) return;
	if (wanted.get(owner)?.some((id) => signalOf(id).value === undefined) === true) pollNow();
}

/** Reads the variables with these ids, or all. */
async function read(ids: readonly number[] | 'all'): Promise<Failure | null> {
	const isSameSession = sessionCheck();
	const result = await resultOf(api.POST('/multipleDataTsdb', ids === 'all' ? {} : { body: { ids: [...ids] } }));
	if (!result.ok) return result.failure;
	// If the person has left the overview meanwhile, the answer is dropped, because nothing would renew these readings.
	if (!isSameSession() || (ids === 'all' && route.value.screen !== 'overview')) return null;
	// One answer cannot hold all variables of a large plant. The skipped ones are read by their ids.
	const answered = result.data.data.filter(({ quality }) => ids !== 'all' || quality !== 'skipped');
	batch(() => {
		for (const reading of answered) {
			const { unit, value } = shownOf(reading);
			noteValues(reading.id, unit, [value]);
			signalOf(reading.id).value = reading;
		}
	});
	return null;
}

/** Returns the signal of a variable, which is created when it is first asked for. */
function signalOf(id: number): Signal<Reading | undefined> {
	const reading = readings.get(id) ?? signal(undefined);
	readings.set(id, reading);
	return reading;
}

/** Forgets the readings that no part of the screen shows. */
function forgetUnwanted(): void {
	const ids = wantedIds();
	for (const [id, reading] of readings) if (!ids.has(id)) reading.value = undefined;
}

/** Returns the ids that some part of the screen shows. */
function wantedIds(): ReadonlySet<number> {
	return new Set([...wanted.values()].flat());
}
