import type { Board, BoardKind } from '../board/board.ts';
import type { Panel } from '../panel/panel.ts';
import type { Variable } from '../variable/variable.ts';

/** Most variables of one schema (design section 6). */
export const maxVariables = 10_000;

/** Most rows that one commit may name, changed and relied on together: DynamoDB's 100 actions, less our own bookkeeping. */
export const maxRowsPerCommit = 98;

export interface VariableKey {
	readonly kind: 'variable';
	readonly id: number;
}

export interface PanelKey {
	readonly kind: 'panel';
}

export interface BoardKey {
	readonly kind: BoardKind;
	readonly id: number;
}

/** Names a row of a schema. */
export type RowKey = VariableKey | PanelKey | BoardKey;

/**
 * The boards that refer to a variable, by the text of their key (`chart#7`), each with the positions of the bits that it
 * picks, ascending. Kept in the variable's own row, so that saving a board and changing its variable meet on one row.
 */
export type ReferencedBy = ReadonlyMap<string, readonly number[]>;

/** What every row has. */
interface Versioned {
	/** Counts the saves of what clients see, from 1; what If-Match compares. */
	readonly version: number;
	/** Counts every change of the row, from 1; what a commit is conditioned on. */
	readonly rowVersion: number;
}

/** A stored variable; its id is the row's. */
export interface VariableRow extends Versioned {
	readonly kind: 'variable';
	readonly variable: Variable;
	readonly referencedBy: ReferencedBy;
	/** Its deletion is under way in several commits: nothing new may refer to it, and it is no longer listed or read. */
	readonly deleting: boolean;
}

/** The stored panel of a schema. */
export interface PanelRow extends Versioned {
	readonly kind: 'panel';
	readonly panel: Panel;
}

/** A stored chart, diagram or alarm; its id is the row's. */
export interface BoardRow extends Versioned {
	readonly kind: BoardKind;
	readonly board: Board;
}

export type Row = VariableRow | PanelRow | BoardRow;

/** The rows by the kind of their key. */
export type RowKinds = { readonly variable: VariableRow; readonly panel: PanelRow } & { readonly [Kind in BoardKind]: BoardRow };

export type RowOf<Key extends RowKey> = RowKinds[Key['kind']];

/** The kinds of which a schema has many. */
export type ListedKind = Exclude<keyof RowKinds, 'panel'>;

/** Whether a row is of a kind. */
export function isOfKind<Kind extends keyof RowKinds>(kind: Kind, row: Row): row is RowKinds[Kind] {
	return row.kind === kind;
}

/** One row of a commit: what it relies on, and what becomes of it. */
export interface RowCommit {
	readonly key: RowKey;
	/** The stamp that was read, or null where there was no row. */
	readonly expected: number | null;
	/** The row to store, null to delete it, absent to leave it as it is. */
	readonly put?: Row | null;
}

/** A client's claim on one execution of a request (`Idempotency`), and the answer to keep for its repeats. */
export interface IdempotencyRecord {
	readonly claim: Claim;
	/** The answer's body. */
	readonly response: string;
	/** Until when it is kept, epoch milliseconds. */
	readonly keepUntil: number;
}

/** Names a claim: the key that the client's requests share, and the token of the one request that holds it. */
export interface Claim {
	readonly key: string;
	readonly token: string;
}

/**
 * What became of a commit. `conflict`: some row is not as expected; read again and decide again. `full`: it would have taken the
 * schema past `maxVariables`. `claim_lost`: another request holds the receipt's claim now. None but `committed` changed anything.
 */
export type CommitOutcome = 'committed' | 'conflict' | 'full' | 'claim_lost';

/** Definitions that stood beside each other at one revision of the schema. */
export interface Snapshot {
	readonly revision: number;
	/** Those of the asked-for variables that exist, by id. */
	readonly variables: ReadonlyMap<number, VariableRow>;
}

/** What a schema keeps beside its rows. */
export interface SchemaMetadata {
	/** How many commits the schema has seen. */
	readonly revision: number;
	/** How many variables there are, as commits have counted them; of the same moment as the revision. */
	readonly variables: number;
	/** The highest id given so far. */
	readonly lastId: number;
}

/** What a head should say of the rows that stood at a revision. */
export interface MetadataCorrection {
	readonly expectedRevision: number;
	readonly variables: number;
	/** The counter is raised to it, and never lowered. */
	readonly lastId: number;
}

/**
 * The rows of every schema (design section 6). Each method is of one schema, and no method reaches another's.
 * Throws DomainError `store_failed`; of a commit also `outcome_unknown` where it may or may not have happened, and `too_large`
 * where its rows are too large together; of a snapshot also `write_contention` where writes keep coming between.
 */
export interface SchemaStore {
	/** How many commits the schema has seen; 0 for one that never saw any. Strongly consistent. */
	revision(schema: string): Promise<number>;
	/** The rows of `keys`, null for those that do not exist. Each strongly consistent, but not all of one moment. */
	get<Key extends RowKey>(schema: string, keys: readonly Key[]): Promise<readonly (RowOf<Key> | null)[]>;
	/** Every row of a kind by ascending id. Each strongly consistent, but not all of one moment. */
	list<Kind extends ListedKind>(schema: string, kind: Kind): Promise<readonly RowKinds[Kind][]>;
	/** The named variables as they were together at one revision; `all`: every variable of the schema. */
	snapshot(schema: string, ids: readonly number[] | 'all'): Promise<Snapshot>;
	/** An id never given before and never given again, to a variable or a board; gaps are fine. */
	nextId(schema: string): Promise<number>;
	/**
	 * Changes all rows or none, on condition that each is as expected, and advances the revision by one where rows change; keeps
	 * the receipt in the same transaction. At most `maxRowsPerCommit` rows, each once.
	 */
	commit(schema: string, rows: readonly RowCommit[], receipt?: IdempotencyRecord): Promise<CommitOutcome>;
	/** What the schema keeps beside its rows, strongly consistent; zeros for one that was never written to. */
	schemaMetadata(schema: string): Promise<SchemaMetadata>;
	/**
	 * Mends the head of a schema restored from a backup, on condition that its revision is still the one given; the revision stays.
	 * `conflict` changed nothing. Harmless when called twice.
	 */
	correctMetadata(schema: string, correction: MetadataCorrection): Promise<'committed' | 'conflict'>;
}
