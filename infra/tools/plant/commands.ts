import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { messageOf } from '#domain/errors.ts';
import { pluralize } from '#infra/cli/pluralize.ts';
import { print } from '#infra/cli/print.ts';
import { createProgressBar } from '#infra/cli/progress-bar.ts';
import { writeWhole } from '#infra/cli/write-whole.ts';
import { ConfigError } from '#shared/config.ts';
import { applyPlan, type StepResult } from './apply.ts';
import { kinds, plantKinds } from './kinds.ts';
import { type PlanNumbers, readNumbers } from './numbers.ts';
import { faultLines, planLines, resultLines } from './output.ts';
import { type PlanOptions, type PlantPlan, planChanges } from './plan.ts';
import { readPlant } from './plant-api.ts';
import { maxFileBytes, parsePlantFile, writePlantFile } from './plant-file.ts';
import type { Session } from './session.ts';

/** Exit codes. 130 is the code that a shell reports for an interrupted program. */
export const exitCodes = { done: 0, failed: 1, somethingToDo: 2, interrupted: 130 } as const;

/** An exit code of the tool. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Options of `plan` and `apply`. */
export interface ChangeOptions extends PlanOptions {
	/** The days before now that changes are tried on. */
	readonly days: number;
	/** Prints JSON instead of lines. */
	readonly json: boolean;
}

/** Writes the plant to a file. */
export async function pull(session: Session, file: string, { json }: { readonly json: boolean }): Promise<ExitCode> {
	const plant = await readPlant(session);
	const text = writePlantFile(plant);
	await writeWhole(file, text);
	const counts = Object.fromEntries(
		plantKinds.map((kind) => [kinds[kind].list, plant.items.filter((item) => item.kind === kind).length]),
	);
	if (json) print(JSON.stringify({ schema: plant.schema, file, items: counts }));
	else {
		print(`Wrote ${pluralize(plant.items.length, 'item')} of the plant ${plant.schema} to ${file}.`);
		const isForThisPlantOnly = text.includes('\n\t"thisPlantOnly": true,');
		if (isForThisPlantOnly) print('Several items have one name and are written with their ids: the file is for this plant only.');
		print('Corrections and entries are no part of a plant’s definition: they stay in the plant.');
	}
	return exitCodes.done;
}

/** Prints what `apply` would do. */
export async function plan(session: Session, file: string, options: ChangeOptions): Promise<ExitCode> {
	const planned = await makePlan(session, file, options);
	if (options.json) print(JSON.stringify(planJson(file, planned)));
	else printPlan(planned);
	return exitCodeOfPlan(planned.plan);
}

/** Makes the plan again, asks whether to apply it, and applies it. */
export async function apply(
	session: Session,
	file: string,
	options: ChangeOptions & { readonly yes: boolean },
): Promise<ExitCode> {
	const planned = await makePlan(session, file, options);
	if (!options.json) printPlan(planned);
	const code = exitCodeOfPlan(planned.plan);
	const isToDo = code === exitCodes.somethingToDo;
	const answer = isToDo && !options.yes ? await askToApply(options) : 'yes';
	if (!isToDo || answer !== 'yes') {
		if (options.json) print(JSON.stringify(planJson(file, planned)));
		return answer === 'interrupted' ? exitCodes.interrupted : code;
	}
	const bar = createProgressBar(process.stderr, 'Applying');
	const signal = interruption(bar.note);
	const onProgress = (done: number): void => bar.update(done, planned.plan.steps.length);
	const results = await applyPlan(session, planned.plan, { onProgress, signal }).finally(bar.stop);
	if (options.json) print(JSON.stringify({ ...planJson(file, planned), results: results.map(resultJson) }));
	else for (const line of resultLines(results)) print(line);
	if (signal.aborted && results.some(({ outcome }) => outcome === 'interrupted')) return exitCodes.interrupted;
	return results.every(({ outcome }) => outcome === 'done') ? exitCodes.done : exitCodes.failed;
}

interface PlanWithNumbers {
	readonly plan: PlantPlan;
	/** Null: the file has faults. */
	readonly numbers: PlanNumbers | null;
}

/** Plans what a file changes. Prints the faults of the file, unless the output is JSON. */
async function makePlan(session: Session, file: string, options: ChangeOptions): Promise<PlanWithNumbers> {
	const { file: plantFile, faults: faultsOfForm } = parsePlantFile(await textOf(file));
	if (plantFile === null) {
		if (!options.json) for (const line of faultLines(file, faultsOfForm)) print(line);
		return { plan: { ...emptyPlan, faults: faultsOfForm }, numbers: null };
	}
	const plant = await readPlant(session);
	const changes = planChanges(plantFile, plant, options);
	const plan = { ...changes, faults: [...faultsOfForm, ...changes.faults] };
	if (plan.faults.length > 0) {
		if (!options.json) for (const line of faultLines(file, plan.faults)) print(line);
		return { plan, numbers: null };
	}
	const bar = createProgressBar(process.stderr, 'Reading numbers');
	const numbers = await readNumbers(session, plan, plant, { days: options.days, onProgress: bar.update }).finally(bar.stop);
	return { plan, numbers };
}

/** The plan of a file that cannot be read at all. */
const emptyPlan: PlantPlan = { schema: '', steps: [], faults: [], left: [], keepsPanel: false, goal: '' };

/** Prints a plan without faults. Faults were printed when it was made. */
function printPlan({ plan, numbers }: PlanWithNumbers): void {
	if (plan.faults.length === 0) for (const line of planLines(plan, numbers)) print(line);
}

async function textOf(file: string): Promise<string> {
	try {
		const { size } = await stat(file);
		if (size > maxFileBytes)
			throw new ConfigError(
				`${file} has ${pluralize(size, 'byte')}: a plant’s file has at most ${pluralize(maxFileBytes, 'byte')}.`,
			);
		return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
	} catch (cause) {
		if (cause instanceof ConfigError) throw cause;
		if (cause instanceof TypeError) throw new ConfigError(`${file} is no text in UTF-8: save it as UTF-8.`, { cause });
		throw new ConfigError(`${file} cannot be read: ${messageOf(cause)}`, { cause });
	}
}

function exitCodeOfPlan({ faults, steps }: PlantPlan): ExitCode {
	if (faults.length > 0) return exitCodes.failed;
	return steps.length === 0 ? exitCodes.done : exitCodes.somethingToDo;
}

/**
 * Asks whether the plan is to be applied. The end of input counts as no.
 * @throws ConfigError when there is no terminal to ask on
 */
async function askToApply({ json }: Pick<ChangeOptions, 'json'>): Promise<'yes' | 'no' | 'interrupted'> {
	if (json || !process.stdin.isTTY) throw new ConfigError('Nobody can be asked here: say --yes to apply the plan.');
	const asking = createInterface({ input: process.stdin, output: process.stderr });
	let isInterrupted = false;
	asking.on('SIGINT', () => {
		isInterrupted = true;
		asking.close();
	});
	try {
		const answer = await Promise.race([asking.question('Apply this? [y/N] '), once(asking, 'close').then(() => '')]);
		if (isInterrupted) return 'interrupted';
		return /^(y|yes)$/i.test(answer.trim()) ? 'yes' : 'no';
	} catch (error) {
		// The interface rejects its question when the input ends.
		if (error instanceof Error && error.name === 'AbortError') return 'no';
		throw error;
	} finally {
		asking.close();
	}
}

/** Returns a signal that the first interruption aborts. The second one ends the program at once. */
function interruption(note: (text: string) => void): AbortSignal {
	const controller = new AbortController();
	process.once('SIGINT', () => {
		note('Interrupted: waiting for the requests that are running. Interrupt again to end at once.');
		controller.abort();
	});
	return controller.signal;
}

function planJson(file: string, { plan: { schema, steps, faults, left }, numbers }: PlanWithNumbers) {
	const shownSteps = steps.map(({ action, kind, name, was, version, fields, isPartial }) => ({
		action,
		kind,
		name,
		was,
		version,
		fields,
		isPartial,
	}));
	return { file, schema, faults, steps: shownSteps, numbers, left };
}

const resultJson = ({ step: { action, kind, name }, outcome, message }: StepResult) => ({ action, kind, name, outcome, message });
