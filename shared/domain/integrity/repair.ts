import { DomainError } from '../errors.ts';
import type { SchemaStore } from '../ports/schema-store.ts';
import { variableKey } from '../transaction/read-set.ts';
import { runTransaction, type WriteDeps } from '../transaction/run-transaction.ts';
import { deleteVariable } from '../use-cases/delete-variable.ts';
import { findIn, type Inconsistency, type InconsistencyOf } from './find.ts';
import { decideMend, type Repair } from './mend.ts';
import { mendHead } from './mend-head.ts';
import { type OnPart, readStored, type Stored } from './read-stored.ts';

/** After so many rounds what is still found is only told: mends that do not last are no mends. */
const maxRounds = 8;

/** Why something is left: a person must choose; a row would be too large; writes keep coming between; what it relies on is left. */
export type UnrepairedReason = 'needs_person' | 'too_large' | 'write_contention' | 'users_left';

/** What was found, for certain and at one moment, and what became of it. `found`: mending was not asked for. */
export type Report =
	| { readonly outcome: 'found'; readonly finding: Inconsistency }
	| { readonly outcome: 'mended'; readonly finding: Inconsistency; readonly mend: Repair }
	| { readonly outcome: 'left'; readonly finding: Inconsistency; readonly why: UnrepairedReason };

/** How a check goes about it, and whom it tells. */
export interface Checking {
	readonly mend: boolean;
	readonly onReport: (report: Report) => void;
	/** Told as the rows are read. */
	readonly onPart?: OnPart;
	/** Told after each finding of a round: how many are done, and how many there are. */
	readonly onJudged?: (done: number, total: number) => void;
}

/**
 * Finds what breaks the rules of integrity in a schema, and mends it where that is asked for: round by round, until a round finds
 * nothing more to mend. Safe beside writes: every mend is decided on and conditioned on the rows as they are. Safe to interrupt.
 * @returns what was stored when it began
 * Throws `store_failed`, and `outcome_unknown` where a mend may or may not have happened: started again, it goes on.
 */
export async function checkSchema(
	deps: WriteDeps,
	schema: string,
	{ mend, onReport, onPart, onJudged }: Checking,
): Promise<Stored> {
	const first = await readStored(deps, schema, onPart);
	const left: Inconsistency[] = [];
	const told = new Set<string>();
	let stored = first;
	for (let round = 1; ; round += 1) {
		const mends = mend && round < maxRounds;
		const findings = findIn(stored).filter((finding) => !told.has(JSON.stringify(finding)));
		let mended = 0;
		for (const [index, finding] of findings.entries()) {
			const report: Report | null = isBlocked(finding, left)
				? { outcome: 'left', finding, why: 'users_left' }
				: await reportOf(deps, schema, finding, mends);
			if (report !== null) onReport(report);
			if (report?.outcome === 'mended') mended += 1;
			else if (report !== null) {
				left.push(finding);
				told.add(JSON.stringify(finding));
			}
			onJudged?.(index + 1, findings.length);
		}
		if (mended === 0) return first;
		stored = await readStored(deps, schema, onPart);
	}
}

/** A deletion believes what its variable says of its users: it must not be finished while that is wrong. */
const isBlocked = (finding: Inconsistency, left: readonly Inconsistency[]): boolean =>
	finding.kind === 'left_going' && left.some((each) => each.kind === 'wrong_user' && each.varId === finding.varId);

async function reportOf(deps: WriteDeps, schema: string, finding: Inconsistency, mend: boolean): Promise<Report | null> {
	try {
		const done = await settle(deps, schema, finding, mend);
		if (done === null) return null;
		if (!mend) return { outcome: 'found', finding };
		return done.how === 'not_mended'
			? { outcome: 'left', finding, why: 'needs_person' }
			: { outcome: 'mended', finding, mend: done };
	} catch (error) {
		const why = whyLeft(error);
		if (why === null) throw error;
		return { outcome: 'left', finding, why };
	}
}

/** Mends a finding, or where that is not asked for makes sure of it; null where it is not there any more. */
function settle(deps: WriteDeps, schema: string, finding: Inconsistency, mend: boolean): Promise<Repair | null> {
	const judging = { ...deps, store: conditionsOnly(deps.store) };
	const acting = mend ? deps : judging;
	switch (finding.kind) {
		case 'counter_behind':
		case 'wrong_count':
			return mendHead(acting, schema, finding);
		case 'left_going':
			return finishDeletion(deps, schema, finding, mend);
		case 'undefined_panel_bit':
			return runTransaction(judging, schema, undefined, (read) => decideMend(read, finding));
		default:
			return runTransaction(acting, schema, undefined, (read) => decideMend(read, finding));
	}
}

/** The reason for which a mend was given up, where the others can still be done. */
const whyLeft = (error: unknown): UnrepairedReason | null =>
	error instanceof DomainError && (error.code === 'too_large' || error.code === 'write_contention') ? error.code : null;

/** A store on which everything is decided and conditioned as on the real one, and nothing changes. */
const conditionsOnly = (store: SchemaStore): SchemaStore => ({
	...store,
	commit: (schema, rows) =>
		store.commit(
			schema,
			rows.map(({ key, expected }) => ({ key, expected })),
		),
	correctMetadata: async (schema, { expectedRevision }) =>
		(await store.schemaMetadata(schema)).revision === expectedRevision ? 'committed' : 'conflict',
});

/** Finishes a deletion, or says that it would; null where it is finished already. */
async function finishDeletion(
	deps: WriteDeps,
	schema: string,
	{ varId }: InconsistencyOf<'left_going'>,
	mend: boolean,
): Promise<Repair | null> {
	const [row = null] = await deps.store.get(schema, [variableKey(varId)]);
	if (row === null || !row.deleting) return null;
	return !mend || (await deleteVariable(deps, schema, varId)) ? { how: 'deletion_finished' } : null;
}
