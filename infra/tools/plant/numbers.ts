import { inParallel } from '#domain/alarm/in-parallel.ts';
import { isoTime } from '#domain/calendar/iso-time.ts';
import { dayMs, hourMs } from '#domain/milliseconds.ts';
import { writeName } from './item-name.ts';
import { itemNames, type StoredPlant } from './items.ts';
import { canonicalText, isObject, type JsonObject } from './json.ts';
import { isProvisional } from './match.ts';
import type { PlanStep, PlantPlan } from './plan.ts';
import { refusalText, tryAlarm, tryVariable } from './plant-api.ts';
import type { Session } from './session.ts';
import { bodyOfSave } from './step-body.ts';

/** How a change of a variable affects its hourly values. */
export interface VariableNumbers {
	readonly name: string;
	/** Number of hours in the range, and of those whose value changes. */
	readonly hours: number;
	readonly changed: number;
	/** Number of hours that get a value, and of those that lose theirs. */
	readonly gained: number;
	readonly lost: number;
	/** The hour with the largest difference between two values; null when no hour has two different values. */
	readonly largest: { readonly at: string; readonly before: number; readonly after: number } | null;
	/** Why the numbers are not known; null when they are. */
	readonly unknown: string | null;
}

/** How often an alarm would have been raised. */
export interface AlarmNumbers {
	readonly name: string;
	/** Null: the alarm is new, or it is not known. */
	readonly before: number | null;
	/** Null: it is not known. */
	readonly after: number | null;
	/** The longest range that fits a back-test, as ISO 8601 in UTC. */
	readonly start: string;
	readonly end: string;
	/** Why the numbers are not known; null when they are. */
	readonly unknown: string | null;
}

/** How a plan affects hourly values and alarms. */
export interface PlanNumbers {
	/** The range of the hours, as ISO 8601 in UTC. */
	readonly start: string;
	readonly end: string;
	readonly variables: readonly VariableNumbers[];
	readonly alarms: readonly AlarmNumbers[];
	/** Names of the alarms whose variables change or are new. They are not tried, because a back-test reads the stored variable. */
	readonly notBacktested: readonly string[];
}

/** The longest back-test. */
const maxBacktestDays = 31;
/** A range that does not fit is tried again with at most this share of its hours, so that each attempt is shorter. */
const largestShare = 0.99;
/** The share where the service does not say how much is too much. */
const shareIfUnknown = 0.5;
/** Most requests that run at the same time. */
const maxRequests = 4;

/** How numbers are read. */
export interface NumbersOptions {
	/** The days before now that changes are tried on. */
	readonly days: number;
	readonly onProgress?: (done: number, total: number) => void;
}

/** Asks the service what a plan would have done to the last days. Nothing is stored. */
export async function readNumbers(
	session: Session,
	plan: PlantPlan,
	plant: StoredPlant,
	{ days, onProgress = () => undefined }: NumbersOptions,
): Promise<PlanNumbers> {
	const end = Math.floor(session.now() / hourMs) * hourMs;
	const range = { start: end - days * dayMs, end };
	const changedVariables = plan.steps.filter((step) => changesValues(step));
	const changedIds = new Set(changedVariables.map(({ id }) => id));
	const isTried = ({ kind, action, content }: PlanStep): boolean =>
		kind === 'alarm' && action !== 'delete' && !watches(content, changedIds);
	const alarms = plan.steps.filter(isTried);
	const variableNumbers = new Map<PlanStep, VariableNumbers>();
	const alarmNumbers = new Map<PlanStep, AlarmNumbers>();
	const total = changedVariables.length + alarms.length;
	const report = (): void => onProgress(variableNumbers.size + alarmNumbers.size, total);
	await inParallel(maxRequests, changedVariables, async (step) => {
		variableNumbers.set(step, await numbersOfVariable(session, step, range));
		report();
	});
	await inParallel(maxRequests, alarms, async (step) => {
		alarmNumbers.set(step, await numbersOfAlarm(session, step, { end, days: Math.min(days, maxBacktestDays) }));
		report();
	});
	// The maps are filled in the order of the answers; the lists have that of the steps.
	return {
		start: isoTime(range.start),
		end: isoTime(range.end),
		variables: changedVariables.flatMap((step) => variableNumbers.get(step) ?? []),
		alarms: alarms.flatMap((step) => alarmNumbers.get(step) ?? []),
		notBacktested: untriedAlarms(plan, plant, changedIds),
	};
}

/** Whether a step changes what a variable reads: its queries, its equation or its bits. */
function changesValues({ kind, action, isPartial, before, content }: PlanStep): boolean {
	if (kind !== 'variable' || action !== 'change' || isPartial || before === null || content === null) return false;
	return canonicalText(readPart(before)) !== canonicalText(readPart(content));
}

/** Returns the part of a variable that decides what it reads. */
function readPart({
	calc = false,
	binary_compressed = false,
	equation = null,
	bits = null,
	varsTsdb = null,
}: JsonObject): JsonObject {
	// The key of the only query is left out, because it repeats the variable's name.
	const queries = calc !== true && isObject(varsTsdb) ? Object.values(varsTsdb) : varsTsdb;
	return { calc, binary_compressed, equation, bits, queries };
}

/** Whether an alarm watches a variable that is new or that changes. */
function watches(content: JsonObject | null, changed: ReadonlySet<number>): boolean {
	const varId = content?.['varId'];
	return typeof varId === 'number' && (isProvisional(varId) || changed.has(varId));
}

/** Returns the names of the alarms that watch a variable which is new or changes: those in steps, and those that stay as they are. */
function untriedAlarms(plan: PlantPlan, plant: StoredPlant, changed: ReadonlySet<number>): readonly string[] {
	const steps = plan.steps.filter(({ kind }) => kind === 'alarm');
	const touched = new Set(steps.map(({ id }) => id));
	const stored = plant.items.filter(({ kind, id, content }) => kind === 'alarm' && !touched.has(id) && watches(content, changed));
	const names = itemNames(plant.items);
	return [
		...steps.filter(({ content }) => watches(content, changed)).map(({ name }) => name),
		...stored.map((item) => writeName(names.get(item) ?? { name: item.name })),
	];
}

async function numbersOfVariable(
	session: Session,
	step: PlanStep,
	{ start, end }: { readonly start: number; readonly end: number },
): Promise<VariableNumbers> {
	const noNumbers = { name: step.name, hours: 0, changed: 0, gained: 0, lost: 0, largest: null };
	const histories = await historiesOf(session, step, { start: String(start), end: String(end), period: '1h' });
	if (typeof histories === 'string') return { ...noNumbers, unknown: histories };
	const { before, after } = histories;
	return { name: step.name, ...compareHours(before.values, after.values, before.bounds), unknown: null };
}

interface Hours {
	/** One for each hour; null: it has none. */
	readonly values: readonly (number | null)[];
	readonly bounds: readonly number[];
}

interface Histories {
	readonly before: Hours;
	readonly after: Hours;
}

/** Returns the hourly values before and after the change, or the reason why they are not known. */
async function historiesOf(
	session: Session,
	{ id, before, content }: PlanStep,
	query: { start: string; end: string; period: string },
): Promise<Histories | string> {
	const readAs = async (variableId: number, variable: JsonObject | null) => {
		const body = bodyOfSave({ kind: 'variable', before: null, content: variable ?? {}, id: variableId });
		const answer = await tryVariable(session, body, query);
		if (!answer.ok) return refusalText(answer);
		const { data } = answer.data;
		return 'history' in data && data.history !== undefined
			? data.history
			: 'The service answers no history: it is of an earlier release.';
	};
	const history = await readAs(id, content);
	if (typeof history === 'string') {
		// The service does not let a variable lose bits that boards use. Both versions are therefore tried as new variables.
		const [old, next] = await Promise.all([readAs(newId, before), readAs(newId, content)]);
		if (typeof old === 'string' || typeof next === 'string') return history;
		return { before: hoursOf(old.bounds, old.after), after: hoursOf(next.bounds, next.after) };
	}
	if (history.before === null) return 'It was deleted meanwhile.';
	return { before: hoursOf(history.bounds, history.before), after: hoursOf(history.bounds, history.after) };
}

/** The id with which a variable or an alarm is sent that is not stored. */
const newId = 0;

const hoursOf = (
	bounds: readonly number[],
	{ values }: { readonly values: { readonly own?: readonly (number | null)[] | undefined } },
): Hours => ({
	bounds,
	values: values.own ?? [],
});

/** Compares the values of the same hours. */
export function compareHours(
	before: readonly (number | null)[],
	after: readonly (number | null)[],
	bounds: readonly number[],
): Omit<VariableNumbers, 'name' | 'unknown'> {
	let [changed, gained, lost] = [0, 0, 0];
	let largest: (VariableNumbers['largest'] & { readonly size: number }) | null = null;
	for (const [index, old] of before.entries()) {
		const next = after[index] ?? null;
		if (old === next) continue;
		changed += 1;
		if (old === null) gained += 1;
		else if (next === null) lost += 1;
		else {
			const size = Math.abs(next - old);
			if (largest === null || size > largest.size) largest = { size, at: isoTime(bounds[index] ?? 0), before: old, after: next };
		}
	}
	return {
		hours: before.length,
		changed,
		gained,
		lost,
		largest: largest === null ? null : { at: largest.at, before: largest.before, after: largest.after },
	};
}

async function numbersOfAlarm(
	session: Session,
	step: PlanStep,
	{ end, days }: { readonly end: number; readonly days: number },
): Promise<AlarmNumbers> {
	const { id, before, content } = step;
	const kind = 'alarm';
	const body = bodyOfSave({ kind, before, content: content ?? {}, id: before === null ? newId : id });
	const after = await longestBacktest(session, body, { end, days });
	const range = { name: step.name, start: isoTime(after.start), end: isoTime(end) };
	if (typeof after.raised === 'string') return { ...range, before: null, after: null, unknown: after.raised };
	if (before === null) return { ...range, before: null, after: after.raised, unknown: null };
	const oldBody = bodyOfSave({ kind, before, content: before, id });
	const old = await raisedIn(session, oldBody, { start: after.start, end });
	if (typeof old === 'number') return { ...range, before: old, after: after.raised, unknown: null };
	return { ...range, before: null, after: after.raised, unknown: typeof old === 'string' ? old : 'The range does not fit.' };
}

/** Tries an alarm on the longest range up to `days` that fits a back-test. `raised` is the number of times, or why it is not known. */
async function longestBacktest(
	session: Session,
	body: JsonObject,
	{ end, days }: { readonly end: number; readonly days: number },
): Promise<{ readonly start: number; readonly raised: number | string }> {
	let hours = (days * dayMs) / hourMs;
	for (;;) {
		const start = end - hours * hourMs;
		const raised = await raisedIn(session, body, { start, end });
		if (typeof raised !== 'object') return { start, raised };
		const shorter = Math.floor(hours * Math.min(raised.share, largestShare));
		if (shorter < 1) return { start, raised: 'No hour of it fits a back-test.' };
		hours = shorter;
	}
}

/** Returns how often an alarm would have been raised, the share of the range that fits a back-test, or why it is not known. */
async function raisedIn(
	session: Session,
	body: JsonObject,
	{ start, end }: { readonly start: number; readonly end: number },
): Promise<number | { readonly share: number } | string> {
	const answer = await tryAlarm(session, body, { start: String(start), end: String(end) });
	if (answer.ok) {
		const { data } = answer.data;
		return 'backtest' in data && data.backtest !== undefined ? data.backtest.raised : 'The service answers no back-test.';
	}
	if (answer.status !== 413) return refusalText(answer);
	const [error] = answer.errors;
	const [limit, actual] = [Number(error?.params['limit']), Number(error?.params['actual'])];
	return { share: limit > 0 && actual > limit ? limit / actual : shareIfUnknown };
}
