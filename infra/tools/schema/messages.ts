import type { Bits, Inconsistency, InconsistencyOf } from '#domain/integrity/find.ts';
import type { Repair } from '#domain/integrity/mend.ts';
import type { Stored } from '#domain/integrity/read-stored.ts';
import type { Report, UnrepairedReason } from '#domain/integrity/repair.ts';
import { keyText } from '#domain/transaction/read-set.ts';
import { pluralize } from '../replay/summary.ts';

/** What was found, in a line. */
export function findingWords(finding: Inconsistency): string {
	switch (finding.kind) {
		case 'counter_behind':
			return `the counter of ids is at ${finding.lastId}, and ${finding.highest} is in use`;
		case 'wrong_user':
			return userWords(finding);
		case 'left_going':
			return `the deletion of variable ${finding.varId} was begun and not finished`;
		case 'missing_variable':
			return `${keyText(finding.board)} refers to variable ${finding.varId}, which is not there`;
		case 'undefined_bit':
			return `${keyText(finding.board)} picks bit ${finding.bit} of variable ${finding.varId}, which does not define it`;
		case 'undefined_panel_bit':
			return `the panel's ${finding.path} picks bit ${finding.bit} of variable ${finding.varId}, which does not define it`;
		case 'wrong_count':
			return `the head counts ${pluralize(finding.stored, 'variable')}, and there are ${finding.actual}`;
	}
}

const whyWords = {
	needs_person: 'bind the item anew and save the panel',
	too_large: "the variable's row would be larger than the store takes",
	write_contention: 'writes kept coming between; run this again',
	users_left: 'what uses it is left, see above',
} as const satisfies Record<UnrepairedReason, string>;

/** What was found and what became of it, in a line. */
export function reportLine(report: Report): string {
	const words = `${report.outcome.padEnd(6)} ${findingWords(report.finding)}`;
	switch (report.outcome) {
		case 'found':
			return words;
		case 'mended':
			return `${words}: ${mendWords(report.mend)}`;
		case 'left':
			return `${words}: ${whyWords[report.why]}`;
	}
}

/** How many of each: `18 variables, 3 charts, 1 diagram, 2 alarms and the panel`. */
export function countsOf({ variables, boards, panel }: Pick<Stored, 'variables' | 'boards' | 'panel'>): string {
	const ofKind = (kind: string): string => pluralize(boards.filter((row) => row.kind === kind).length, kind);
	const counts = [pluralize(variables.length, 'variable'), ofKind('chart'), ofKind('diagram'), ofKind('alarm')];
	return `${counts.join(', ')} and ${panel === null ? 'no' : 'the'} panel`;
}

function userWords({ varId, board, stored, actual }: InconsistencyOf<'wrong_user'>): string {
	if (stored === null) return `variable ${varId} does not know that ${named(board)} uses it`;
	if (actual === null) return `variable ${varId} says that ${named(board)} uses it, which it does not`;
	return `variable ${varId} says that ${named(board)} picks ${picking(stored)} of it, which picks ${picking(actual)}`;
}

/** A board's key as it stands in a row: damage may have left any text there, which must not reach a terminal as it is. */
const named = (board: string): string => (/^[a-z]+#\d+$/.test(board) ? board : JSON.stringify(board));

function picking(bits: Bits): string {
	if (bits === null || bits.length === 0) return 'no bit';
	return `${bits.length === 1 ? 'bit' : 'bits'} ${bits.join(', ')}`;
}

function mendWords(mend: Repair): string {
	switch (mend.how) {
		case 'counter_raised':
			return 'counter raised';
		case 'user_corrected':
			return 'corrected';
		case 'deletion_finished':
			return 'deletion finished';
		case 'board_deleted':
			return 'board deleted';
		case 'items_dropped':
			return `${pluralize(mend.items, 'item')} dropped`;
		case 'count_corrected':
			return 'counted anew';
		case 'not_mended':
			return 'not mended';
	}
}
