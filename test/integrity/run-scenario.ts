import { expect } from 'vitest';
import type { ChangeEntry } from '#domain/changes/change-entry.ts';
import { randomFrom, Scheduler } from '#test/support/fakes/scheduler.ts';
import { checkJournal, checkMetadata, checkStored, type EndedRequest, readStored, wasDeleted } from './check.ts';
import type { Command, PreparedScenario, Scenario } from './commands.ts';
import { type Backend, pollerOf, send } from './harness.ts';

/** Creates the first rows, ids 1 to 5: two plain variables, one with bits, a chart and an alarm. */
const usualFirst: PreparedScenario['first'] = [
	{ do: 'save variable', id: 0, bits: null },
	{ do: 'save variable', id: 0, bits: [0, 7] },
	{ do: 'save variable', id: 0, bits: null },
	{ do: 'save chart', id: 0, refs: [{ varId: 1 }, { varId: 2 }] },
	{ do: 'save alarm', id: 0, ref: { varId: 2, bit: 7 } },
];

/** The state that the responses so far confirm: the newest version of each variable, and which deletions were requested or confirmed. */
class Confirmed {
	readonly versions = new Map<number, number>();
	readonly deleting = new Set<number>();
	readonly deleted = new Set<number>();

	note({ action, outcome }: EndedRequest): void {
		if (action.do === 'delete variable' && wasDeleted(outcome)) this.deleted.add(action.id);
		if (outcome.kind !== 'answered') return;
		const { id, version } = outcome.data;
		if (action.do === 'save variable' && typeof id === 'number' && typeof version === 'number')
			this.versions.set(id, Math.max(version, this.versions.get(id) ?? 0));
	}

	copy(): { versions: ReadonlyMap<number, number>; deleted: ReadonlySet<number> } {
		return { versions: new Map(this.versions), deleted: new Set(this.deleted) };
	}
}

/** The backend of a scenario, its schema, and what its journal of changes holds, each item's entries by ascending row version. */
export interface ScenarioBackend extends Backend {
	readonly schema: string;
	readonly journal: () => Promise<readonly ChangeEntry[]>;
}

/** Opens the backend of a scenario. A store calls `step` between its own steps, so that other clients can run. */
export type OpenBackend = (step: () => Promise<void>, random: () => number) => Promise<ScenarioBackend>;

/**
 * Runs a scenario, then checks all invariants.
 * @param pollers creates the definition cache of a client
 * @returns the requests with their outcomes
 * @throws an assertion error when an invariant does not hold
 */
export const runScenario = async (
	{ seed, clients, first = usualFirst }: Scenario & Partial<PreparedScenario>,
	open: OpenBackend,
	pollers: typeof pollerOf = pollerOf,
): Promise<readonly EndedRequest[]> => {
	const random = randomFrom(seed);
	const scheduler = new Scheduler(random);
	let started = false;
	const turn = (): Promise<void> => (started ? scheduler.turn() : Promise.resolve());
	const { schema, journal, ...backend } = await open(turn, random);
	const done: EndedRequest[] = [];
	const confirmed = new Confirmed();
	let requests = 0;

	const write = async (action: Command['action'], mark: string, fault?: Command['fault'], key?: string): Promise<void> => {
		if (action.do === 'poll') return;
		if (action.do === 'delete variable') confirmed.deleting.add(action.id);
		requests += 1;
		const outcome = await send(backend, action, { schema, mark, turn, fault, key, token: `${schema} ${requests}` });
		const ended = { action, mark, outcome };
		done.push(ended);
		confirmed.note(ended);
	};
	for (const [index, action] of first.entries()) await write(action, `first ${index}`);
	const variablesNow = () => backend.store.list(schema, 'variable');
	const metadataNow = () => backend.store.schemaMetadata(schema);
	const earlier = { variables: await variablesNow(), metadata: await metadataNow() };
	started = true;

	const running = clients.map(async (commands, client) => {
		const definitions = pollers(backend, turn);
		for (const [index, { action, fault, copies }] of commands.entries()) {
			const mark = `client ${client} command ${index}`;
			if (action.do === 'poll') {
				const { versions, deleted } = confirmed.copy();
				const visible = await definitions.get(schema, action.ids);
				for (const [id, row] of visible) {
					expect(deleted.has(id), `variable ${id} is visible although its deletion was confirmed`).toBe(false);
					expect(row.version, `version of variable ${id}`).toBeGreaterThanOrEqual(versions.get(id) ?? 0);
				}
				const polledIds = action.ids === 'all' ? [...versions.keys()] : action.ids;
				for (const id of polledIds)
					if (versions.has(id) && !confirmed.deleting.has(id)) expect(visible.has(id), `variable ${id} is visible`).toBe(true);
			} else if (copies === 0) await write(action, mark, fault);
			else
				await Promise.all(Array.from({ length: copies }, (_, copy) => write(action, mark, copy === 0 ? fault : undefined, mark)));
		}
	});
	await scheduler.runAll(running);
	await Promise.all(running);
	started = false;

	// An interrupted deletion is finished by sending it again.
	for (const { variable, deleting } of await variablesNow())
		if (deleting) await write({ do: 'delete variable', id: variable.id }, 'finish');
	const stored = await readStored(backend.store, schema);
	expect(stored.variables.filter(({ deleting }) => deleting)).toEqual([]);
	checkStored(stored, done);
	checkMetadata(stored, await metadataNow(), earlier);
	checkJournal(stored, await journal());
	return done;
};
