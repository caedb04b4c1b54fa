import type { AlarmEvent } from '../alarm-rows/alarm-event.ts';
import type { Board } from '../board/board.ts';
import type { BoardKind } from '../board/board-kinds.ts';
import type { Change } from '../changes/change-entry.ts';
import type { Panel } from '../panel/panel.ts';
import type { Variable } from '../variable/variable.ts';

/** Most rows of each kind in one schema (shared/http/README.md#limits). */
export const maxRows = {
	variable: 10_000,
	chart: 10_000,
	diagram: 10_000,
	alarm: 1000,
	correction: 10_000,
	report: 100,
	entry: 5000,
} as const satisfies Record<ListedKind, number>;

/** Most bytes of stored rows in one page of a listing. With the escapes of Lambda's response, the HTTP layer may send less. */
export const maxPageBytes = 5_500_000;

/** Number of revisions whose changes the metadata list at least (shared/adapters/dynamo/README.md#metadata). */
export const minListedRevisions = 50;

/**
 * Most rows that one commit may change or rely on, and entries that it may add to the journals, together: a DynamoDB transaction has
 * at most 100 actions, and two are for the metadata and the idempotency record.
 */
export const maxRowsPerCommit = 98;

/** The key of a board's row within its schema. */
export interface BoardKey {
	readonly kind: BoardKind;
	readonly id: number;
}

/** The key of a row within its schema. */
export type RowKey = { readonly kind: 'variable'; readonly id: number } | { readonly kind: 'panel' } | BoardKey;

/**
 * The boards that refer to a variable, by the text of their key (`chart#7`), each with the ascending positions of the bits that it
 * refers to; none: it refers to the whole variable. Stored in the row of the variable, so that two writes that change a board and its
 * variable conflict on one row.
 */
export type ReferencedBy = ReadonlyMap<string, readonly number[]>;

/** The version numbers of a row (shared/adapters/dynamo/README.md#rows-and-their-versions). */
interface Versioned {
	/** Counts the saves that clients see, from 1. If-Match is compared with it. */
	readonly version: number;
	/** Counts every change of the row, from 1. A commit is conditioned on it. */
	readonly rowVersion: number;
	/**
	 * Only of a row that cannot be read: the JSON that is stored. What the row shows is then a stand-in (`standInOf`), and a commit of the row
	 * keeps the rest of that JSON (shared/domain/integrity/README.md#rows-that-cannot-be-read).
	 */
	readonly unread?: UnreadJson;
}

/** The stored JSON of a row that cannot be read. A text that is no JSON object is its `content.text`. */
export interface UnreadJson {
	readonly content: Readonly<Record<string, unknown>>;
	readonly [field: string]: unknown;
}

/** A stored variable. The id of the variable is the id of the row. */
export interface VariableRow extends Versioned {
	readonly kind: 'variable';
	readonly variable: Variable;
	readonly referencedBy: ReferencedBy;
	/** Its deletion is in progress and takes several commits. Nothing new may refer to it, and it is not listed or read. */
	readonly deleting: boolean;
	/** The row version of the entry that tells of its deletion (`ChangeEntry`), while that is in progress. Earlier releases stored none. */
	readonly deletedAs?: number;
}

/** The stored panel of a schema. */
export interface PanelRow extends Versioned {
	readonly kind: 'panel';
	readonly panel: Panel;
}

/** A stored board of any of the kinds `Kind`. The id of the board is the id of the row. */
export interface BoardRow<Kind extends BoardKind = BoardKind> extends Versioned {
	readonly kind: Kind;
	readonly board: Board<Kind>;
	/**
	 * Of an alarm or a report: the time-series database on which it is evaluated or counted, which is that of the token of the last save.
	 * Absent from an alarm that was saved before alarms were evaluated, and from a report that an export of an earlier release held: until the
	 * next save, neither is evaluated or counted. Never on the wire.
	 */
	readonly database?: string;
}

/** A stored row of any kind. */
export type Row = VariableRow | PanelRow | BoardRow;

/** The type of row for each kind of key. */
export type RowKinds = { readonly variable: VariableRow; readonly panel: PanelRow } & { readonly [Kind in BoardKind]: BoardRow };

/** The type of row that a key names. */
export type RowOf<Key extends RowKey> = RowKinds[Key['kind']];

/** The kinds of row of which a schema has many. */
export type ListedKind = Exclude<keyof RowKinds, 'panel'>;

/** Whether a row is of a kind. */
export function isOfKind<Kind extends keyof RowKinds>(kind: Kind, row: Row): row is RowKinds[Kind] {
	return row.kind === kind;
}

/** Returns the id of a variable's or board's row. */
export function idOfRow(row: RowKinds[ListedKind]): number {
	return row.kind === 'variable' ? row.variable.id : row.board.content.id;
}

/** What a commit adds to the journals of its schema. */
export interface JournalEntries {
	/** For the journal of alarms. */
	readonly events?: readonly AlarmEvent[];
	/** For the journal of changes. */
	readonly changes?: readonly Change[];
}

/**
 * Checks the numbers of rows and journal entries of a commit.
 * @throws RangeError when there are more than `maxRowsPerCommit`, which is a bug of the caller
 */
export function checkCommitSize(rows: readonly RowCommit[], { events = [], changes = [] }: JournalEntries): void {
	const size = rows.length + events.length + changes.length;
	if (size > maxRowsPerCommit) throw new RangeError(`A commit takes ${maxRowsPerCommit} rows and entries; this has ${size}.`);
}

/** A row that a commit relies on, and its change. */
export interface RowCommit {
	readonly key: RowKey;
	/** The `rowVersion` that was read; null when the row did not exist. */
	readonly expected: number | null;
	/** The row to store, null to delete it, undefined to leave it unchanged. */
	readonly put?: Row | null;
	/** The commit changes only which boards refer to the variable. Readers of definitions need not see this change. */
	readonly keepsDefinition?: boolean;
}

/** The response of a completed request, stored with its last commit for the retries of the request (`Idempotency`). */
export interface IdempotencyRecord {
	readonly claim: Claim;
	/** The response as JSON text. */
	readonly response: string;
	/** When the record expires, epoch milliseconds. */
	readonly keepUntil: number;
}

/** A claim on an idempotency key: `key` is the same for every retry of a request, `token` identifies the one that holds the claim. */
export interface Claim {
	readonly key: string;
	readonly token: string;
}

/**
 * The result of a commit. `conflict`: a row is not as expected; read and decide again. `full`: the schema would have more than
 * `maxRows` rows of a kind that the commit adds rows of. `claim_lost`: another request holds the claim of the idempotency record. Only `committed` changed anything.
 */
export type CommitOutcome = 'committed' | 'conflict' | 'full' | 'claim_lost';

/** A revision of a schema, and the changes that led to it (shared/adapters/dynamo/README.md#metadata). */
export interface SchemaRevision {
	/** Number of commits that changed rows of the schema. */
	readonly revision: number;
	/** Number of revisions whose changes were listed. An earlier release advances the revision and lists nothing. */
	readonly listed: number;
	/** The ids of the variables whose definitions changed, one entry for each of the last listed revisions, oldest first. */
	readonly changes: readonly (readonly number[])[];
	/** A random number for each of those revisions; 0: a commit of an earlier release. A schema that was restored and written anew has others. */
	readonly marks: readonly number[];
}

/** Definitions as they were together at one revision, which `mark` tells from the same number of a schema that was restored. */
export interface PackedRevision {
	readonly revision: number;
	readonly listed: number;
	readonly mark: number;
}

/** The part of a variable's row that readings use. A commit that changes only the rest of the row is not listed as a change. */
export type Definition = Pick<VariableRow, 'variable' | 'version' | 'deleting' | 'unread'>;

/** What a pack holds of a schema (shared/domain/reading/README.md#packs). */
export interface Pack extends PackedRevision {
	/** Every requested definition that exists, by id, and perhaps others. */
	readonly definitions: ReadonlyMap<number, Definition>;
}

/** Variables of a schema as they were together at one revision. */
export interface Snapshot extends SchemaRevision {
	/** The requested variables that exist, by id. */
	readonly variables: ReadonlyMap<number, VariableRow>;
}

/** The revision, the counters and the latest changes of a schema (shared/adapters/dynamo/README.md#metadata). */
export interface SchemaMetadata extends SchemaRevision {
	/** Number of variables at that revision, as the commits counted them. */
	readonly variables: number;
	/** Number of boards of each kind, likewise. Null: not counted yet; the next commit that adds one counts them. */
	readonly boards: Readonly<Record<BoardKind, number | null>>;
	/** The highest id assigned so far. */
	readonly lastId: number;
}

/** A correction of the counters of a schema, computed from its rows at a revision. */
export interface MetadataCorrection {
	readonly expectedRevision: number;
	readonly variables: number;
	/** Left out: the counts stay as they are. */
	readonly boards?: Readonly<Record<BoardKind, number>>;
	/** The counter is raised to this id, and never lowered. */
	readonly lastId: number;
}

/** The part of a listing that a client asks for. */
export interface PageRequest {
	/** The id of the last row of the page before; 0 for the first page. There need not be such a row. */
	readonly after: number;
	/** Most rows of the page. */
	readonly limit: number;
}

/** A part of a listing. */
export interface RowPage<Kind extends ListedKind> {
	readonly rows: readonly RowKinds[Kind][];
	/** The id after which the next page starts; null on the last page. */
	readonly next: number | null;
}

/**
 * Reads the rows of every schema (shared/adapters/dynamo/README.md). Each call concerns one schema and never reaches another. A row that cannot
 * be read is returned as its stand-in (`unread`), and fails no call.
 * @throws DomainError `store_failed`. A snapshot also throws `write_contention` when writes keep landing between its reads.
 */
export interface SchemaReader {
	/** Returns the revision of the schema; 0 for a schema without commits. Strongly consistent. */
	revision(schema: string): Promise<SchemaRevision>;
	/**
	 * Returns the definitions with these ids, or every one, from the pack of the schema. It may be of an earlier revision. Null: there is none
	 * that can be read. A store whose rows are cheap to read keeps none.
	 */
	packed(schema: string, ids: readonly number[] | 'all'): Promise<Pack | null>;
	/** Returns the rows of `keys`, null for a row that does not exist. Each read is strongly consistent, but not all at one moment. */
	get<Key extends RowKey>(schema: string, keys: readonly Key[]): Promise<readonly (RowOf<Key> | null)[]>;
	/** Returns every row of a kind by ascending id. Each read is strongly consistent, but not all at one moment. */
	list<Kind extends ListedKind>(schema: string, kind: Kind): Promise<readonly RowKinds[Kind][]>;
	/**
	 * Returns rows of a kind, strongly consistent: variables by ascending id, boards in the order of their keys as text (`chart#10`
	 * before `chart#9`). A page has fewer rows than asked for where they would have more than `maxPageBytes`, but never none.
	 */
	page<Kind extends ListedKind>(schema: string, kind: Kind, page: PageRequest): Promise<RowPage<Kind>>;
	/**
	 * Returns the variables with these ids, or every variable of the schema, as they were together at one revision, with the changes
	 * of at least the last `minListedRevisions`. Without ids, only the revision and its changes.
	 */
	snapshot(schema: string, ids: readonly number[] | 'all'): Promise<Snapshot>;
}

/**
 * Reads and writes the rows of every schema.
 * @throws DomainError as `SchemaReader`. A commit also throws `outcome_unknown` when it may or may not have happened, and `too_large`
 * when its rows are too large together.
 */
export interface SchemaStore extends SchemaReader {
	/** Returns an id that no variable or board of the schema ever had or will get. Ids may have gaps. */
	nextId(schema: string): Promise<number>;
	/**
	 * Changes all rows or none, on condition that each row is as expected. Stores the idempotency record in the same transaction, and
	 * advances the revision by one when a row changes. Adds the entries to their journals in the same transaction; an entry whose key is
	 * stored already is a conflict. Takes at most `maxRowsPerCommit` rows and entries together, each once.
	 */
	commit(
		schema: string,
		rows: readonly RowCommit[],
		record?: IdempotencyRecord,
		journals?: JournalEntries,
	): Promise<CommitOutcome>;
	/** Returns the metadata of the schema, strongly consistent; zeros for a schema that was never written to. */
	schemaMetadata(schema: string): Promise<SchemaMetadata>;
	/**
	 * Corrects the counters of a schema that was restored from a backup, on condition that it is still at `expectedRevision`; the
	 * revision stays the same. `conflict` changed nothing. May be called repeatedly.
	 */
	correctMetadata(schema: string, correction: MetadataCorrection): Promise<'committed' | 'conflict'>;
}
