import fc from 'fast-check';

/** Where a client's store call goes wrong: it dies before or after the call, or the commit's answer is lost on its way. */
export interface Fault {
	readonly kind: 'dies before' | 'dies after' | 'answer lost';
	/** Which of the request's store calls, from 0. */
	readonly call: number;
}

/** A reference to a variable, or to one bit of it. */
export interface Ref {
	readonly varId: number;
	readonly bit?: number | undefined;
}

/** What a client asks of the service. Ids may be of anything, or of nothing. */
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
	| { readonly do: 'delete board'; readonly kind: 'chart' | 'diagram' | 'alarm'; readonly id: number }
	| { readonly do: 'save panel'; readonly refs: readonly Ref[] }
	| { readonly do: 'poll'; readonly ids: readonly number[] | 'all' };

/** One request: what it asks, what goes wrong, and how often it is sent at once under one idempotency key (0: without a key). */
export interface Command {
	readonly action: Action;
	readonly fault?: Fault | undefined;
	readonly copies: number;
}

/** Mostly what is there from the start (variables 1 to 3, of which 2 has bits; chart 4, alarm 5), so that requests meet. */
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
	{
		weight: 1,
		arbitrary: fc.record({
			do: fc.constant('delete board' as const),
			kind: fc.constantFrom('chart', 'diagram', 'alarm'),
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

/** What several clients do at once, each one request after another, and the seed of who goes on when. */
export const scenario = scenarioOf(action, fault, 6);
export type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never;

/** Nothing but what meets on the variable of bits, nothing going wrong: where a missing condition shows soonest. */
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

/** Saves and polls of the same variables, one client after the other: where a definition kept too long shows soonest. */
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
