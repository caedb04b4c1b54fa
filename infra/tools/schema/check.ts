import { jitteredPause } from '#adapters/jittered-pause.ts';
import { damagedProgress } from '#adapters/stored-alarm.ts';
import { boardKinds } from '#domain/board/board-kinds.ts';
import { type ChangeEntry, toolOrigin } from '#domain/changes/change-entry.ts';
import { itemKeyText } from '#domain/changes/change-key.ts';
import { gapsOf, type JournalGap } from '#domain/changes/gaps.ts';
import {
	findInconsistencies,
	type Inconsistency,
	keyOfRow,
	type ReferencedBits,
} from '#domain/integrity/find-inconsistencies.ts';
import { rebuild, type UnrepairedReason } from '#domain/integrity/rebuild.ts';
import { readStoredSchema, type StoredSchema } from '#domain/integrity/stored-schema.ts';
import { idOfRow } from '#domain/ports/schema-store.ts';
import { isRead } from '#domain/report/stored-day.ts';
import { keyText } from '#domain/transaction/read-set.ts';
import { itemKeyOf } from '#domain/transaction/row-change.ts';
import type { WriteDeps } from '#domain/transaction/run-transaction.ts';
import { coloursFor } from '#infra/cli/colours.ts';
import { pluralize } from '#infra/cli/pluralize.ts';
import { print } from '#infra/cli/print.ts';
import type { Stores } from '#infra/local/wiring/stores.ts';
import { pathOf } from '#shared/contract.ts';
import type { AlarmStores } from './evaluation.ts';

const pc = coloursFor(process.stdout);

/** What the operator has to do, by the reason why an inconsistency is left. */
const reasonTexts = {
	needs_person: 'choose another bit and save it',
	too_large: 'the row of the variable would be larger than the store takes',
	write_contention: 'another write changed the rows each time; run this again',
	wrong_reference_left: 'a reference to the variable is left, see above',
} as const satisfies Record<UnrepairedReason, string>;

/** What is checked, and whether what can be repaired is. */
interface CheckOptions {
	readonly schema: string;
	readonly repair: boolean;
	/** Prints the line of an inconsistency. */
	readonly tell: (line: string) => void;
}

/** Numbers of inconsistencies. */
export interface CheckTotals {
	readonly found: number;
	readonly repaired: number;
}

/** The stores that hold what is checked. */
export type CheckedStores = AlarmStores & Pick<Stores, 'packs' | 'imports' | 'reportDays'>;

/**
 * Checks a schema and repairs it when asked. Prints a line for each inconsistency, then the totals.
 * @returns the exit code: 1 when an inconsistency is left, else 0
 * @throws DomainError `write_contention` when the rows changed during every attempt
 */
export async function checkSchema(
	stores: CheckedStores & Pick<Stores, 'changes'>,
	{ schema, repair }: Omit<CheckOptions, 'tell'>,
): Promise<0 | 1> {
	const { stored, totals } = await findInconsistent(stores, { schema, repair, tell: print });
	// A repair changes versions, so the rows are read again after it.
	const rows = repair ? await readStoredSchema({ store: stores.store, pause: jitteredPause }, schema) : stored;
	printGaps(await stores.changes.all(schema), rows);
	const notice = emptyNotice(stored, schema);
	if (notice !== null) print(pc.yellow(notice));
	print(`Checked ${rowCountsText(stored)} of schema ${schema}.`);
	const { found, repaired } = totals;
	if (found === 0) print(pc.green('Nothing found.'));
	else print(`${totalsText(totals, { repair })}${repair ? '.' : pc.red('; --repair repairs what it can.')}`);
	return found === repaired ? 0 : 1;
}

/** The totals in the colour of what is left: `3 found, 2 repaired, 1 left`. */
export function totalsText({ found, repaired }: CheckTotals, { repair }: Pick<CheckOptions, 'repair'>): string {
	const left = found - repaired;
	if (!repair) return pc.red(`${found} found`);
	return (left === 0 ? pc.green : pc.red)(`${found} found, ${repaired} repaired, ${left} left`);
}

/** Finds the inconsistencies of a schema, tells each, and repairs it when asked. Returns the rows as they were before. */
export async function findInconsistent(
	{ store, packs, imports, alarms, reportDays }: CheckedStores,
	options: CheckOptions,
): Promise<{ readonly stored: StoredSchema; readonly totals: CheckTotals }> {
	const { schema, repair } = options;
	const deps = { store, pause: jitteredPause, now: Date.now, origin: toolOrigin('schema check') };
	const stored = await readStoredSchema(deps, schema);
	const inconsistencies = findInconsistencies(stored);
	const ofRows = repair ? await repairRows(deps, options, inconsistencies) : reportRows(options, inconsistencies);
	// A backup may hold a row of a half commit, and the pack the other half.
	if (repair) await packs.forget(schema);
	const ofImport = await checkImport(imports, options);
	const ofAlarms = await checkAlarms(alarms, options);
	const ofDays = await checkDays(reportDays, stored, options);
	const found = ofRows.found + ofImport.found + ofAlarms.found + ofDays.found;
	return { stored, totals: { found, repaired: ofRows.repaired + ofAlarms.repaired } };
}

function reportRows({ tell }: CheckOptions, inconsistencies: readonly Inconsistency[]): CheckTotals {
	for (const inconsistency of inconsistencies) tell(pc.yellow(`found ${describe(inconsistency).problem}`));
	return { found: inconsistencies.length, repaired: 0 };
}

async function repairRows(
	deps: WriteDeps,
	{ schema, tell }: CheckOptions,
	inconsistencies: readonly Inconsistency[],
): Promise<CheckTotals> {
	let [found, repaired] = [0, 0];
	for await (const { inconsistency, left } of rebuild(deps, schema, inconsistencies)) {
		const { problem, remedy } = describe(inconsistency);
		found += 1;
		if (left === null) repaired += 1;
		tell(left === null ? pc.green(`repaired ${problem}: ${remedy}`) : pc.red(`left     ${problem}: ${reasonTexts[left]}`));
	}
	return { found, repaired };
}

async function checkImport(imports: Stores['imports'], options: CheckOptions): Promise<Pick<CheckTotals, 'found'>> {
	if ((await imports.current(options.schema)) === null) return { found: 0 };
	tellUnrepairable('an import that is not finished: run it again with its file', options);
	return { found: 1 };
}

/** Finds the stored days of reports that cannot be read. */
async function checkDays(
	reportDays: Stores['reportDays'],
	{ boards }: Pick<StoredSchema, 'boards'>,
	options: CheckOptions,
): Promise<Pick<CheckTotals, 'found'>> {
	let found = 0;
	for (const row of boards.filter(({ kind }) => kind === 'report')) {
		const reportId = idOfRow(row);
		const days = await reportDays.list({ schema: options.schema, reportId }, ...allDates);
		for (const { date } of days.filter((day) => !isRead(day))) {
			tellUnrepairable(`day#${reportId}#${date} cannot be read: ${dayText}`, options);
			found += 1;
		}
	}
	return { found };
}

/** The first and the last local date. */
const allDates = ['0000-01-01', '9999-12-31'] as const;

const dayText = `a newer release wrote it, which reads it; or it is damaged, and sealing it anew (POST ${pathOf('sealReportDays')}) counts it and keeps the row`;

/** Tells an inconsistency that `--repair` does not repair. */
function tellUnrepairable(problem: string, { repair, tell }: CheckOptions): void {
	tell(repair ? pc.red(`left     ${problem}`) : pc.yellow(`found ${problem}`));
}

/** What a gap of the journal of changes means, by its kind. */
const gapTexts = {
	skipped: 'an earlier release changed it in between',
	forked: 'two entries tell of one row version, as after a restored backup',
	ahead: 'less is stored than it tells of, as after a restored backup',
	behind: 'an earlier release changed it since',
} as const satisfies Record<JournalGap['kind'], string>;

/** Prints the gaps of the journal of changes. Nothing can repair them, so they are not counted as inconsistencies. */
function printGaps(entries: readonly ChangeEntry[], { variables, boards, panel }: StoredSchema): void {
	// A variable whose deletion has begun is deleted for the journal.
	const rows = [...variables.filter(({ deleting }) => !deleting), ...boards, ...(panel === null ? [] : [panel])];
	const storedVersions = new Map(rows.map((row) => [itemKeyText(itemKeyOf(keyOfRow(row))), row.version]));
	for (const { item, kind, from, to } of gapsOf(entries, storedVersions))
		print(
			pc.yellow(
				`${item.kind}#${item.itemId}: the journal of changes does not follow from version ${from} to ${to}: ${gapTexts[kind]}`,
			),
		);
}

/** Returns the message for a schema that never had rows, or null for any other schema. */
export function emptyNotice({ variables, boards, panel, metadata }: StoredSchema, schema: string): string | null {
	if (metadata.revision > 0 || variables.length + boards.length > 0 || panel !== null) return null;
	return `Nothing is stored for schema ${schema}: check the name.`;
}

/** The numbers of rows: `18 variables, 3 charts, 1 diagram, 2 alarms, 0 corrections, 1 report, 0 entries and the panel`. */
export function rowCountsText({ variables, boards, panel }: Pick<StoredSchema, 'variables' | 'boards' | 'panel'>): string {
	const ofKind = (kind: string): string => pluralize(boards.filter((row) => row.kind === kind).length, kind);
	const counts = [pluralize(variables.length, 'variable'), ...boardKinds.map(ofKind)];
	return `${counts.join(', ')} and ${panel === null ? 'no' : 'the'} panel`;
}

/** Describes an inconsistency, and what its repair does. */
function describe(inconsistency: Inconsistency): { readonly problem: string; readonly remedy: string } {
	switch (inconsistency.kind) {
		case 'wrong_counters': {
			const { stored, actual } = inconsistency;
			const storedCounts = boardKinds.flatMap((kind) => {
				const count = stored.boards[kind];
				return count === undefined ? [] : pluralize(count, kind);
			});
			const actualCounts = boardKinds.flatMap((kind) => actual.boards[kind] ?? []);
			const counters = `${[pluralize(stored.variables, 'variable'), ...storedCounts].join(', ')} and last id ${stored.lastId}`;
			const actualCounters = `${[actual.variables, ...actualCounts].join(', ')} and ${actual.lastId}`;
			return { problem: `the metadata say ${counters} instead of ${actualCounters}`, remedy: 'corrected' };
		}
		case 'unread_row': {
			const problem = `${keyText(inconsistency.key)} cannot be read: it is damaged, or a newer release wrote it, which reads it`;
			return { problem, remedy: 'set aside; the journal of changes holds it' };
		}
		case 'wrong_reference': {
			const { varId, board, stored, actual } = inconsistency;
			const difference = `${quoted(board)} is recorded as using ${bitsText(stored)}, but uses ${bitsText(actual)}`;
			return { problem: `variable ${varId}: ${difference}`, remedy: 'corrected' };
		}
		case 'unfinished_deletion':
			return { problem: `the deletion of variable ${inconsistency.varId} is not finished`, remedy: 'deletion finished' };
		case 'missing_variable': {
			const { varId, board } = inconsistency;
			// Deleted with their variable (shared/domain/transaction/README.md#deleting-a-variable).
			const deleted = /^(alarm|correction)#/.exec(board)?.[1];
			const remedy = deleted === undefined ? 'items dropped' : `${deleted} deleted`;
			return { problem: `${board} refers to variable ${varId}, which does not exist`, remedy };
		}
		case 'undefined_bit': {
			const { place, varId, bit } = inconsistency;
			// Only a person can repair it, so the remedy is never printed.
			return { problem: `${place} uses bit ${bit} of variable ${varId}, which does not define it`, remedy: 'not repaired' };
		}
	}
}

/** Quotes the key of a board. Damaged rows can hold any text as a key, and it must not reach a terminal unescaped. */
const quoted = (board: string): string => (/^[a-z]+#\d+$/.test(board) ? board : JSON.stringify(board));

/** Says what a board uses of a variable: the whole variable, or some of its bits. */
function bitsText(bits: ReferencedBits): string {
	if (bits === null) return 'nothing';
	return bits.length === 0 ? 'the variable' : `${bits.length === 1 ? 'bit' : 'bits'} ${bits.join(', ')}`;
}

/**
 * Checks the stored rows of the evaluation of a schema's alarms, and repairs them when asked: a lost index row, which a restored backup
 * may lack, is written again. Tells each inconsistency.
 */
async function checkAlarms(alarms: Stores['alarms'], options: CheckOptions): Promise<CheckTotals> {
	const { schema, repair, tell } = options;
	const { alarms: saved } = await alarms.alarms(schema);
	const bound = saved.filter(({ database }) => database !== undefined);
	const { unreadable } = await alarms.rows(schema);
	for (const id of [...unreadable].sort((a, b) => a - b))
		tellUnrepairable(`alarm#${id}: a row of its state cannot be read`, options);
	const lost = bound.length === 0 ? null : await lostEvaluation(alarms, schema, { alarmCount: bound.length });
	if (lost !== null && repair) {
		await alarms.stopEvaluation(schema);
		await alarms.startEvaluation(schema, Date.now());
	}
	if (lost !== null) tell(repair ? pc.green(`repaired ${lost}: started again`) : pc.yellow(`found ${lost}`));
	const unbound = saved.length - bound.length;
	if (unbound > 0)
		tell(pc.yellow(`${pluralize(unbound, 'alarm')} saved before alarms were evaluated: bind-alarms starts their evaluation.`));
	return { found: unreadable.size + (lost === null ? 0 : 1), repaired: lost !== null && repair ? 1 : 0 };
}

/** Returns why a schema is not evaluated; null where it is. */
async function lostEvaluation(
	alarms: Stores['alarms'],
	schema: string,
	{ alarmCount }: { readonly alarmCount: number },
): Promise<string | null> {
	const progress = await alarms.progress(schema);
	if (progress === damagedProgress) return 'the progress of the evaluation cannot be read';
	if (progress !== null) return null;
	return `the schema has ${pluralize(alarmCount, 'alarm')} to evaluate, but is not in the list of evaluated schemas`;
}
