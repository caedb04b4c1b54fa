import { expect } from 'vitest';
import { randomFrom, Turns } from '#test/support/fakes/scheduler.ts';
import { checkStored, type Done, readStored, wasDeleted } from './check.ts';
import type { Command, Scenario } from './commands.ts';
import { type Backend, pollerOf, send } from './harness.ts';

/** The schema's first rows: two plain variables, one of bits, a chart and an alarm over them. Ids 1 to 5. */
const first: readonly Command['action'][] = [
	{ do: 'save variable', id: 0, bits: null },
	{ do: 'save variable', id: 0, bits: [0, 7] },
	{ do: 'save variable', id: 0, bits: null },
	{ do: 'save chart', id: 0, refs: [{ varId: 1 }, { varId: 2 }] },
	{ do: 'save alarm', id: 0, ref: { varId: 2, bit: 7 } },
];

/** What clients know: by variable, the newest version answered, or that its deletion was begun or answered. */
class Knowledge {
	readonly versions = new Map<number, number>();
	readonly deleting = new Set<number>();
	readonly deleted = new Set<number>();

	note({ action, outcome }: Done): void {
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

/** A backend for one scenario: `step` is the turn of whoever waits, for stores that have steps of their own. */
export type OpenBackend = (step: () => Promise<void>, random: () => number) => Promise<Backend & { readonly schema: string }>;

/**
 * Runs a scenario to its end, then checks everything that must hold. Throws (an assertion) where something does not.
 * @param pollers how a client keeps definitions; the default is the real one
 */
export const runScenario = async (
	{ seed, clients }: Scenario,
	open: OpenBackend,
	pollers: typeof pollerOf = pollerOf,
): Promise<void> => {
	const random = randomFrom(seed);
	const turns = new Turns(random);
	let started = false;
	const turn = (): Promise<void> => (started ? turns.turn() : Promise.resolve());
	const { schema, ...backend } = await open(turn, random);
	const done: Done[] = [];
	const knowledge = new Knowledge();
	let sendings = 0;

	const write = async (action: Command['action'], mark: string, fault?: Command['fault'], key?: string): Promise<void> => {
		if (action.do === 'poll') return;
		if (action.do === 'delete variable') knowledge.deleting.add(action.id);
		sendings += 1;
		const outcome = await send(backend, action, { schema, mark, turn, fault, key, token: `${schema} ${sendings}` });
		const ended = { action, mark, outcome };
		done.push(ended);
		knowledge.note(ended);
	};
	for (const [index, action] of first.entries()) await write(action, `first ${index}`);
	started = true;

	const running = clients.map(async (commands, client) => {
		const definitions = pollers(backend, turn);
		for (const [index, { action, fault, copies }] of commands.entries()) {
			const mark = `client ${client} command ${index}`;
			if (action.do === 'poll') {
				const { versions, deleted } = knowledge.copy();
				const shown = await definitions.get(schema, action.ids);
				for (const [id, row] of shown) {
					expect(deleted.has(id), `variable ${id} is shown though its deletion was answered`).toBe(false);
					expect(row.version, `version of variable ${id}`).toBeGreaterThanOrEqual(versions.get(id) ?? 0);
				}
				const asked = action.ids === 'all' ? [...versions.keys()] : action.ids;
				for (const id of asked)
					if (versions.has(id) && !knowledge.deleting.has(id)) expect(shown.has(id), `variable ${id} is shown`).toBe(true);
			} else if (copies === 0) await write(action, mark, fault);
			else
				await Promise.all(Array.from({ length: copies }, (_, copy) => write(action, mark, copy === 0 ? fault : undefined, mark)));
		}
	});
	await turns.runAll(running);
	await Promise.all(running);
	started = false;

	// A deletion that was cut off is called again, and finishes.
	for (const { variable, deleting } of (await readStored(backend.store, schema)).variables)
		if (deleting) await write({ do: 'delete variable', id: variable.id }, 'finish');
	const stored = await readStored(backend.store, schema);
	expect(stored.variables.filter(({ deleting }) => deleting)).toEqual([]);
	checkStored(stored, done);
};
