import { isDeepStrictEqual } from 'node:util';
import type { FoldEvent } from '#domain/alarm/alarm-machine.ts';
import type { AlarmDefinition, fold as productFold, mustBeStored as productMustBeStored } from '#domain/alarm/fold.ts';
import { observedInputsOf, type Piece, readPiece } from '#domain/alarm/piece.ts';
import type { EvaluatorState } from '#domain/alarm-rows/alarm-rows.ts';
import type { TimeSeries } from '#domain/ports/time-series.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { makeBitsBody, makeBody, makeCalculatedBody, makeQuery } from '#test/support/builders/builders.ts';
import { makeSampledTimeSeries } from '#test/support/fakes/sampled-time-series.ts';
import { oracle } from './oracle.ts';
import { randomFrom } from './random.ts';
import { type AlarmPlan, planOfSeed } from './random-plan.ts';

/** The functions under test, so that broken copies can be checked too. */
export interface FoldFunctions {
	readonly fold: typeof productFold;
	readonly mustBeStored: typeof productMustBeStored;
}

/** A run whose journal or last state differs from what is expected. */
export interface FoldDifference {
	readonly seed: number;
	readonly run: string;
	readonly expected: unknown;
	readonly actual: unknown;
}

/**
 * Folds a plan, by default that of the seed, in five ways, and compares each with the oracle: in one piece; in any pieces; in any pieces of which only
 * essential states are stored; likewise with at most 3 events a commit; and with pieces that are evaluated again.
 * @returns the first difference, null when there is none
 */
export async function differenceOf(
	functions: FoldFunctions,
	seed: number,
	plan: AlarmPlan = planOfSeed(seed),
): Promise<FoldDifference | null> {
	const subject = subjectOf(functions, plan);
	const expected = oracle(plan);
	for (const [name, run] of Object.entries(runs)) {
		const actual = await foldInPieces(subject, seed, run);
		if (!isDeepStrictEqual(actual, expected)) return { seed, run: name, expected, actual };
	}
	return null;
}

/** Folds a plan in one piece, and returns its events. */
export async function eventsInOnePiece(functions: FoldFunctions, plan: AlarmPlan): Promise<readonly FoldEvent[]> {
	return (await foldInPieces(subjectOf(functions, plan), 0, { longest: Number.POSITIVE_INFINITY })).events;
}

function subjectOf(functions: FoldFunctions, plan: AlarmPlan): Subject {
	const feed = new Map(plan.inputs.map(({ name, samples }) => [name, samples]));
	return { ...functions, plan, definition: definitionOf(plan), timeSeries: makeSampledTimeSeries(feed).timeSeries };
}

interface Subject extends FoldFunctions {
	readonly plan: AlarmPlan;
	readonly definition: AlarmDefinition;
	readonly timeSeries: TimeSeries;
}

interface Run {
	/** The longest piece in seconds. */
	readonly longest: number;
	/** States without essential changes are not stored. */
	readonly isSparing?: boolean;
	readonly maxEvents?: number;
	/** How often a piece does not count as evaluated, so that the next one starts where it did. */
	readonly repeats?: number;
}

const runs: Readonly<Record<string, Run>> = {
	'in one piece': { longest: Number.POSITIVE_INFINITY },
	'in any pieces': { longest: 120 },
	'with essential writes only': { longest: 40, isSparing: true },
	'with 3 events a commit': { longest: 300, isSparing: true, maxEvents: 3 },
	'with repeated pieces': { longest: 90, isSparing: true, repeats: 0.4 },
};

const maxCommits = 10_000;

async function foldInPieces({ fold, mustBeStored, plan, definition, timeSeries }: Subject, seed: number, run: Run) {
	const { longest, isSparing = false, maxEvents, repeats = 0 } = run;
	const random = randomFrom(seed + 1);
	const inputs = observedInputsOf(definition.variable);
	const events: FoldEvent[] = [];
	let stored: EvaluatorState | null = null;
	let last: EvaluatorState | null = null;
	let from = plan.from;
	let reached = plan.from;
	while (reached < plan.to) {
		const seconds = Math.min((plan.to - reached) / 1000, longest);
		reached += random.integer(1, seconds) * 1000;
		if (longest === Number.POSITIVE_INFINITY) reached = plan.to;
		const piece: Piece = { from, to: reached, stepMs: 1000 };
		const reads = await readPiece(timeSeries, 'series', inputs, piece);
		for (let isComplete = false, commits = 0; !isComplete; commits += 1) {
			if (commits > maxCommits) throw new RangeError('The fold does not get on.');
			const folded = fold(definition, stored, reads, piece, { maxEvents });
			events.push(...folded.events);
			if (!isSparing || mustBeStored(stored, folded.state)) stored = folded.state;
			({ isComplete, state: last } = folded);
		}
		if (!random.chance(repeats)) from = reached;
	}
	if (last === null) throw new RangeError('Nothing was folded.');
	const { rowVersion: _rowVersion, basis: _basis, until: _until, ...state } = last;
	return { events, state };
}

/** Returns the plan as the product knows it. Each input reads the topic of its name. */
export function definitionOf(plan: AlarmPlan): AlarmDefinition {
	const { condition, threshold, deadband, onDelaySeconds, offDelaySeconds, noDataSeconds, bit } = plan;
	const varsTsdb = Object.fromEntries(
		plan.inputs.map(({ name, lookbackMs }) => [
			name,
			makeQuery({
				calc_topic: name,
				calc_time: lookbackMs,
				calc_unit: 'ms',
				calc_period: plan.periodSeconds,
				calc_unit_period: 's',
				// What an alarm observes does not depend on how the variable is shown.
				calc_type_period: plan.isByte ? 'last' : 'mean',
			}),
		]),
	);
	const shown = plan.isByte ? {} : { type: 'history' };
	const body =
		plan.formula !== null
			? makeCalculatedBody(plan.formula.text, { varsTsdb, ...shown })
			: (plan.isByte ? makeBitsBody : makeBody)({ varsTsdb, ...shown });
	const alarm = { condition, threshold, deadband, onDelaySeconds, offDelaySeconds, noDataSeconds, bit };
	return {
		alarm: { id: 1, name: 'A', varId: 1, severity: 'info', message: 'M', ...alarm },
		alarmVersion: 1,
		variable: parseVariable({ ...body, id: 1 }),
		variableVersion: 1,
	};
}
