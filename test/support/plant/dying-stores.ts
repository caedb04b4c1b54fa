import type { Stores } from '#infra/local/wiring/stores.ts';

/** Thrown in place of a write, or after one, as if the process ended there. */
export class Killed extends Error {}

/** The functions of each port that write. */
const writes = {
	store: ['commit'],
	imports: ['begin', 'end'],
	alarms: ['commit', 'startEvaluation', 'acquireLease', 'updateProgress'],
} as const;

/** Where a process ends: before or after the write number `write` of an import, counted from 0. */
export interface Death {
	readonly write: number;
	readonly moment: 'before' | 'after';
}

/** Returns the stores of a process that ends at a write of an import. */
export const dyingStores = (stores: Stores, { write, moment }: Death) => {
	let writeCount = 0;
	let isDead = false;
	const dying = <Port extends object>(port: Port, names: readonly string[]): Port =>
		new Proxy(port, {
			get: (target, name) => {
				const member: unknown = Reflect.get(target, name);
				if (typeof member !== 'function') return member;
				return async (...args: readonly unknown[]): Promise<unknown> => {
					const isLast = names.includes(String(name)) && writeCount++ === write;
					if (isLast && moment === 'before') isDead = true;
					if (isDead) throw new Killed();
					const result: unknown = await Reflect.apply(member, target, args);
					if (isLast) isDead = true;
					if (isDead) throw new Killed();
					return result;
				};
			},
		});
	return {
		stores: {
			...stores,
			store: dying(stores.store, writes.store),
			imports: dying(stores.imports, writes.imports),
			alarms: dying(stores.alarms, writes.alarms),
		},
		wasKilled: () => isDead,
	};
};
