import fc from 'fast-check';
import { type BoardKind, boardKinds } from '#domain/board/board-kinds.ts';

/** A failure at a store call: the process dies before or after the call, or the result of the commit is lost. */
export interface Fault {
	readonly kind: 'dies before' | 'dies after' | 'answer lost';
	/** The number of the store call within the request, from 0. */
	readonly call: number;
}

/** A reference to a variable, or to one bit of it. */
export interface Ref {
	readonly varId: number;
	readonly bit?: number | undefined;
}

/** A request of a client. Its ids may name rows of any kind, or none. */
export type Action =
	| {
			readonly do: 'save variable';
			readonly id: number;
			readonly bits: readonly number[] | null;
			readonly version?: number | undefined;
	  }
	| { readonly do: 'delete variable'; readonly id: number }
	| { readonly do: 'save chart' | 'save diagram'; readonly id: number; readonly refs: readonly Ref[] }
	| { readonly do: 'save alarm'; readonly id: number; readonly ref: Ref }
	| { readonly do: 'save correction'; readonly id: number; readonly varId: number }
	| { readonly do: 'save report'; readonly id: number; readonly refs: readonly Ref[] }
	| { readonly do: 'delete board'; readonly kind: BoardKind; readonly id: number }
	| { readonly do: 'save panel'; readonly refs: readonly Ref[] }
	| { readonly do: 'poll'; readonly ids: readonly number[] | 'all' };

/** A request, its failure, and how often it is sent concurrently with one idempotency key (0: once, without a key). */
export interface Command {
	readonly action: Action;
	readonly fault?: Fault | undefined;
	readonly copies: number;
}

/** Mostly ids of the first rows (variables 1 to 3, of which 2 has bits; chart 4, alarm 5), so that requests conflict. */
const variableId = fc.constantFrom(1, 2, 2, 3, 6, 7);
const boardId = fc.constantFrom(4, 4, 5, 6, 7, 8);
const orNew = (id: fc.Arbitrary<number>) => fc.oneof({ weight: 1, arbitrary: fc.constant(0) }, { weight: 3, arbitrary: id });
const bitOrNone = fc.option(fc.constantFrom(0, 7), { nil: undefined, freq: 1 });
const ref = fc.record({ varId: variableId, bit: bitOrNone });
const bitRef = fc.record({ varId: fc.constant(2), bit: fc.constantFrom(0, 7) });
const refs = fc.array(fc.oneof(ref, bitRef), { maxLength: 3 });

const action: fc.Arbitrary<Action> = fc.oneof(
	{
		weight: 3,
		arbitrary: fc.record({
			do: fc.constant('save variable' as const),
			id: orNew(variableId),
			bits: fc.option(fc.constantFrom([0], [7], [0, 7]), { nil: null }),
			version: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined, freq: 4 }),
		}),
	},
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('delete variable' as const), id: variableId }) },
	{
		weight: 2,
		arbitrary: fc.record({ do: fc.constantFrom('save chart' as const, 'save diagram' as const), id: orNew(boardId), refs }),
	},
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('save alarm' as const), id: orNew(boardId), ref }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('save correction' as const), id: orNew(boardId), varId: variableId }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('save report' as const), id: orNew(boardId), refs }) },
	{
		weight: 1,
		arbitrary: fc.record({
			do: fc.constant('delete board' as const),
			kind: fc.constantFrom(...boardKinds),
			id: boardId,
		}),
	},
	{ weight: 2, arbitrary: fc.record({ do: fc.constant('save panel' as const), refs }) },
	{
		weight: 4,
		arbitrary: fc.record({
			do: fc.constant('poll' as const),
			ids: fc.oneof(fc.constant('all' as const), fc.array(variableId, { minLength: 1, maxLength: 3 })),
		}),
	},
);

const fault: fc.Arbitrary<Fault | undefined> = fc.option(
	fc.record({ kind: fc.constantFrom('dies before', 'dies after', 'answer lost'), call: fc.integer({ min: 0, max: 6 }) }),
	{ nil: undefined, freq: 4 },
);

const scenarioOf = (actions: fc.Arbitrary<Action>, faults: fc.Arbitrary<Fault | undefined>, maxCommands: number) =>
	fc.record({
		seed: fc.integer(),
		clients: fc.array(
			fc.array(fc.record({ action: actions, fault: faults, copies: fc.constantFrom(0, 0, 0, 1, 2) }), {
				minLength: 1,
				maxLength: maxCommands,
			}),
			{ minLength: 2, maxLength: 4 },
		),
	});

/** The requests of several clients, each sent one after another, and the seed of their interleaving. */
export const scenario = scenarioOf(action, fault, 6);
export type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never;

/** Requests that conflict on the variable with bits, without failures: they reveal a missing condition soonest. */
export const contested = scenarioOf(
	fc.oneof(
		fc.record({
			do: fc.constant('save variable' as const),
			id: fc.constant(2),
			bits: fc.constantFrom([0], [7], [0, 7]),
			version: fc.constant(undefined),
		}),
		fc.record({ do: fc.constantFrom('save panel' as const), refs: fc.array(bitRef, { minLength: 1, maxLength: 1 }) }),
		fc.record({
			do: fc.constant('save diagram' as const),
			id: fc.constant(0),
			refs: fc.array(bitRef, { minLength: 1, maxLength: 1 }),
		}),
		fc.record({ do: fc.constantFrom('save chart' as const), id: fc.constant(4), refs }),
		fc.record({ do: fc.constant('poll' as const), ids: fc.constant([2]) }),
	),
	fc.constant(undefined),
	3,
);

/** A scenario that begins with rows of its own. */
export type PreparedScenario = Scenario & { readonly first: readonly Exclude<Action, { do: 'poll' }>[] };

/**
 * Variable 1, variable 2 with bits 0 and 7, and diagram 3 of both. One client saves the diagram, one deletes variable 1, and one takes a bit
 * from variable 2.
 */
export const drawn: fc.Arbitrary<PreparedScenario> = fc.record({
	seed: fc.integer(),
	first: fc.constant([
		{ do: 'save variable' as const, id: 0, bits: null },
		{ do: 'save variable' as const, id: 0, bits: [0, 7] },
		{ do: 'save diagram' as const, id: 0, refs: [{ varId: 1 }, { varId: 2, bit: 7 }] },
	]),
	clients: fc
		.tuple(
			fc.record({
				do: fc.constant('save diagram' as const),
				id: fc.constantFrom(0, 3),
				refs: fc.constantFrom([{ varId: 1 }, { varId: 1 }], [{ varId: 2, bit: 0 }], [{ varId: 2, bit: 7 }, { varId: 1 }], []),
			}),
			fc.record({ do: fc.constant('delete variable' as const), id: fc.constantFrom(1, 1, 2) }),
			fc.record({
				do: fc.constant('save variable' as const),
				id: fc.constant(2),
				bits: fc.constantFrom([7], [0], [0, 7]),
				version: fc.constant(undefined),
			}),
		)
		.map((actions) => actions.map((each) => [{ action: each, fault: undefined, copies: 0 as const }])),
});

/** Variables 1 and 2, correction 3 and report 4 of variable 1, and a request of each client that changes one of them. */
export const corrected: fc.Arbitrary<PreparedScenario> = fc.record({
	seed: fc.integer(),
	first: fc.constant([
		{ do: 'save variable' as const, id: 0, bits: null },
		{ do: 'save variable' as const, id: 0, bits: null },
		{ do: 'save correction' as const, id: 0, varId: 1 },
		{ do: 'save report' as const, id: 0, refs: [{ varId: 1 }, { varId: 2 }] },
	]),
	clients: fc
		.tuple(
			fc.record({ do: fc.constant('save correction' as const), id: fc.constantFrom(0, 3), varId: fc.constantFrom(1, 1, 2) }),
			fc.record({ do: fc.constant('delete board' as const), kind: fc.constant('correction' as const), id: fc.constant(3) }),
			fc.record({ do: fc.constant('delete variable' as const), id: fc.constant(1) }),
			fc.oneof(
				fc.record({ do: fc.constant('save report' as const), id: fc.constantFrom(0, 4), refs: fc.constant([{ varId: 1 }]) }),
				fc.record({ do: fc.constant('delete board' as const), kind: fc.constant('report' as const), id: fc.constant(4) }),
			),
		)
		.chain((actions) =>
			fc.tuple(...actions.map((each) => fc.record({ action: fc.constant(each), fault, copies: fc.constant(0) }))),
		)
		.map((commands) => commands.map((command) => [command])),
});

/** Saves and polls of the same variables: they reveal a stale cached definition soonest. */
export const polled = scenarioOf(
	fc.oneof(
		{
			weight: 1,
			arbitrary: fc.record({
				do: fc.constant('save variable' as const),
				id: fc.constantFrom(1, 3),
				bits: fc.constant(null),
				version: fc.constant(undefined),
			}),
		},
		{ weight: 4, arbitrary: fc.record({ do: fc.constant('poll' as const), ids: fc.constantFrom([1], [3], [1, 3]) }) },
	),
	fc.constant(undefined),
	8,
);
