import { coloursFor } from '#infra/cli/colours.ts';
import { pluralize } from '#infra/cli/pluralize.ts';
import type { StepResult } from './apply.ts';
import { joinNames } from './item-name.ts';
import type { Json } from './json.ts';
import type { AlarmNumbers, PlanNumbers, VariableNumbers } from './numbers.ts';
import type { PlanStep, PlantPlan } from './plan.ts';
import type { Fault } from './plant-file.ts';

const pc = coloursFor(process.stdout);

/** Most faults, and most fields of one item, that are printed; `--json` has all. */
const maxPrinted = 200;
/** Most characters of a value that is printed. */
const maxShownText = 80;
/** Most characters of any other text of a file. */
const maxPrintedText = 1000;
/** The width of the widest column of a table, in characters. */
const maxColumnWidth = 60;

/** Returns the lines that name the faults of a file. */
export function faultLines(file: string, faults: readonly Fault[]): readonly string[] {
	const lines = faults
		.slice(0, maxPrinted)
		.map(({ path, message }) => pc.red(`${file}: ${path === '' ? '' : `${shortened(path)}: `}${shortened(message)}`));
	const more =
		faults.length > maxPrinted ? [pc.red(`and ${pluralize(faults.length - maxPrinted, 'fault')} more: --json lists all.`)] : [];
	return [...lines, ...more, pc.red(`${pluralize(faults.length, 'fault')}: nothing was written.`)];
}

/** Returns the lines of a plan: its steps field by field, its effect on numbers, and the items that stay. */
export function planLines(plan: PlantPlan, numbers: PlanNumbers | null): readonly string[] {
	if (plan.steps.length === 0) return [pc.green(`The plant ${plan.schema} is as the file says.`), ...leftLines(plan)];
	return [
		...plan.steps.flatMap(stepLines),
		...(numbers === null ? [] : numberLines(numbers)),
		...leftLines(plan),
		summaryOf(plan),
	];
}

/** Returns the lines with the results of the steps. */
export function resultLines(results: readonly StepResult[]): readonly string[] {
	const count = (outcome: StepResult['outcome']): number => results.filter((result) => result.outcome === outcome).length;
	const undone = results
		.filter(({ outcome }) => outcome === 'conflict' || outcome === 'failed')
		.map(({ step, outcome, message }) => pc.red(`${outcome}: ${titleOf(step)}: ${shortened(message)}`));
	const interrupted = count('interrupted');
	const parts = [`${count('done')} of ${pluralize(results.length, 'step')} done`];
	if (count('conflict') > 0) parts.push(pluralize(count('conflict'), 'conflict'));
	if (count('failed') > 0) parts.push(`${count('failed')} failed`);
	if (interrupted > 0) parts.push(`${interrupted} not begun, because it was interrupted: run this again to do the rest`);
	const colour = count('done') === results.length ? pc.green : pc.yellow;
	return [...undone, colour(`${parts.join(', ')}.`)];
}

/** Returns the kind and the name of a step's item. */
export function titleOf({ kind, name }: Pick<PlanStep, 'kind' | 'name'>): string {
	return kind === 'panel' ? 'the panel' : `${kind} ${quoted(name)}`;
}

const signs = { create: '+', change: '~', delete: '-' } as const;
const colours = { create: pc.green, change: pc.yellow, delete: pc.red } as const;

function stepLines(step: PlanStep): readonly string[] {
	const { action, was, fields, isPartial } = step;
	const renamed = was === null ? '' : ` (was ${quoted(was)})`;
	const partial = isPartial ? ' (its new bits; the others are taken away after the boards)' : '';
	const title = colours[action](`${signs[action]} ${titleOf(step)}${renamed}${partial}`);
	if (isPartial) return [title];
	const lines = fields
		.slice(0, maxPrinted)
		.map(({ path, before, after }) => `    ${shortened(path)}: ${shown(before)} → ${shown(after)}`);
	return fields.length > maxPrinted ? [title, ...lines, `    and ${fields.length - maxPrinted} more`] : [title, ...lines];
}

function shown(value: Json | undefined): string {
	if (value === undefined) return pc.dim('nothing');
	const text = JSON.stringify(value);
	return shortened(text.length > maxShownText ? `${text.slice(0, maxShownText)}…` : text);
}

function numberLines({ start, end, variables, alarms, notBacktested }: PlanNumbers): readonly string[] {
	if (variables.length + alarms.length + notBacktested.length === 0) return [];
	const rows = variables.map(variableRow);
	return [
		'',
		...(variables.length === 0 ? [] : [`What the changes do to the hours from ${start} to ${end}:`]),
		...table(['variable', 'hours changed', 'gained', 'lost', 'largest change', 'when'], rows),
		...(alarms.length === 0 ? [] : ['How often alarms would have been raised:']),
		...table(['alarm', 'before', 'after', 'from', 'to'], alarms.map(alarmRow)),
		...(notBacktested.length === 0
			? []
			: [`Not back-tested, because their variables change or are new: ${joinNames(notBacktested.map(quoted))}.`]),
		'',
	];
}

function variableRow({ name, hours, changed, gained, lost, largest, unknown }: VariableNumbers): readonly string[] {
	if (unknown !== null) return [quoted(name), shortened(`not known: ${unknown}`)];
	const share = hours === 0 ? 0 : (100 * changed) / hours;
	const change = largest === null ? '–' : `${largest.before} → ${largest.after}`;
	return [
		quoted(name),
		`${share.toFixed(1)} % (${changed} of ${hours})`,
		String(gained),
		String(lost),
		change,
		largest?.at ?? '–',
	];
}

function alarmRow({ name, before, after, start, end, unknown }: AlarmNumbers): readonly string[] {
	if (unknown !== null) return [quoted(name), shortened(`not known: ${unknown}`)];
	return [quoted(name), before === null ? 'new' : String(before), String(after), start, end];
}

/** Returns the lines of a table; none without rows. A row with fewer cells is a sentence, which widens no column. */
function table(header: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
	if (rows.length === 0) return [];
	const wholeRows = rows.filter((row) => row.length === header.length);
	const widths = header.map((title, column) => {
		const lengths = wholeRows.map((row) => row[column]?.length ?? 0);
		return Math.min(maxColumnWidth, Math.max(title.length, ...lengths));
	});
	const line = (row: readonly string[]): string =>
		`  ${row
			.map((text, column) => text.padEnd(widths[column] ?? 0))
			.join('  ')
			.trimEnd()}`;
	return [pc.dim(line(header)), ...rows.map(line)];
}

function leftLines({ left }: PlantPlan): readonly string[] {
	if (left.length === 0) return [];
	return [pc.dim(`Not in the file, and left as they are: ${joinNames(left.map(shortened))}.`)];
}

function summaryOf({ steps, schema }: PlantPlan): string {
	// A variable with a partial step is counted once, with its last step.
	const lastSteps = steps.filter(({ isPartial }) => !isPartial);
	const count = (action: PlanStep['action']): number => lastSteps.filter((step) => step.action === action).length;
	return `${schema}: ${count('create')} to create, ${count('change')} to change, ${count('delete')} to delete.`;
}

const quoted = (name: string): string => shortened(JSON.stringify(name));

/** Returns text of a file as it is printed, no longer than a terminal can show. */
const shortened = (text: string): string => text.slice(0, maxPrintedText);
