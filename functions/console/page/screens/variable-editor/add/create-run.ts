import { type ReadonlySignal, signal } from '@preact/signals';
import { type ActHeaders, type Acts, createActs, isUndecided } from '#page/core/acts.ts';
import type { Failure, Result, Schemas } from '#page/core/api.ts';

/** A variable to create. */
export interface CreateItem {
	/** Identifies its series (see `seriesKeyOf`). */
	readonly key: string;
	readonly name: string;
	/** The topic with the tags that choose the series. */
	readonly topic: string;
	readonly field: string;
	readonly body: Schemas['VariableInput'];
}

/** The state of an item. `refused`: it is not stored. `unknown`: the answer was lost, so the variable may be stored already. */
export type CreateState =
	| { readonly kind: 'waits' }
	| { readonly kind: 'creating' }
	| { readonly kind: 'created'; readonly id: number }
	| { readonly kind: 'refused' | 'unknown'; readonly failure: Failure };

/** Creates variables one by one. */
export interface CreateRun {
	readonly items: readonly CreateItem[];
	/** The states by the key of the item. */
	readonly states: ReadonlySignal<ReadonlyMap<string, CreateState>>;
	readonly isRunning: ReadonlySignal<boolean>;
	/** Creates the items that wait. It goes on after a failure, but stops when the session has ended. */
	start(): Promise<void>;
	/** Tries failed items again, and creates the items that wait. An item that was created stays as it is. */
	retry(keys: readonly string[]): Promise<void>;
	/** Stops after the item that is being created. */
	stop(): void;
}

/** Saves a variable. The headers name the act. */
export type SaveItem = (body: Schemas['VariableInput'], header: ActHeaders) => Promise<Result<Schemas['Variable']>>;

const waits: CreateState = { kind: 'waits' };

/**
 * Creates a run. Each item has an idempotency key of its own. The key stays the same until the outcome is known, so that trying again
 * never creates a variable twice.
 * @param newKey returns a new idempotency key; a random one unless given
 */
export function createRun(items: readonly CreateItem[], save: SaveItem, newKey?: () => string): CreateRun {
	const acts = new Map<string, Acts>(items.map(({ key }) => [key, createActs(newKey)]));
	const states = signal<ReadonlyMap<string, CreateState>>(new Map(items.map(({ key }) => [key, waits])));
	const isRunning = signal(false);
	let isStopped = false;
	const setState = (key: string, state: CreateState): void => {
		states.value = new Map([...states.value, [key, state]]);
	};
	/** Creates an item. After the end of the session (401) the item waits again, and no further item is created. */
	const create = async ({ key, body }: CreateItem): Promise<void> => {
		setState(key, { kind: 'creating' });
		// Every item has its acts, so the result is never undefined.
		const result = await acts.get(key)?.send({ content: body }, (header) => save(body, header));
		if (result === undefined || (!result.ok && result.failure.status === 401)) {
			setState(key, waits);
			isStopped = true;
		} else if (result.ok) setState(key, { kind: 'created', id: result.data.id });
		else setState(key, { kind: outcomeOf(result.failure), failure: result.failure });
	};
	const start = async (): Promise<void> => {
		if (isRunning.value) return;
		isRunning.value = true;
		isStopped = false;
		const next = (): CreateItem | undefined =>
			isStopped ? undefined : items.find(({ key }) => states.value.get(key)?.kind === 'waits');
		for (let item = next(); item !== undefined; item = next()) await create(item);
		isRunning.value = false;
	};
	return {
		items,
		states,
		isRunning,
		start,
		retry: async (keys) => {
			for (const key of keys) {
				const kind = states.value.get(key)?.kind;
				if (kind === 'refused' || kind === 'unknown') setState(key, waits);
			}
			await start();
		},
		stop: () => {
			isStopped = true;
		},
	};
}

/** Returns the state of an item whose request failed. A request that came too soon after others (429) was not carried out. */
function outcomeOf(failure: Failure): 'refused' | 'unknown' {
	return isUndecided(failure) && failure.status !== 429 ? 'unknown' : 'refused';
}
