import * as v from 'valibot';
import {
	evaluationProgressSchema,
	evaluatorStateSchema,
	operatorStateSchema,
	outboxSchema,
} from '#domain/alarm-rows/alarm-rows.ts';
import { svgProblem } from '#domain/background/svg-problem.ts';
import { boardOf, completeBoard, parseBoard } from '#domain/board/board.ts';
import { type BoardKind, boardKinds } from '#domain/board/board-kinds.ts';
import { maxBackgroundBytes } from '#domain/board/symbol-kinds.ts';
import { DomainError, type ValidationIssue } from '#domain/errors.ts';
import { referencesByVariable } from '#domain/integrity/find-inconsistencies.ts';
import { parsePanel } from '#domain/panel/panel.ts';
import { type BoardRow, type ListedKind, maxRows, type PanelRow, type VariableRow } from '#domain/ports/schema-store.ts';
import { checkRowSize } from '#domain/transaction/checks.ts';
import { checkStart } from '#domain/use-cases/save-correction.ts';
import { checkSize } from '#domain/use-cases/save-variable.ts';
import { atMost } from '#domain/validation/field.ts';
import { parse, plainObject, shorten, ValidationIssues } from '#domain/validation/parse.ts';
import { problem } from '#domain/validation/problem.ts';
import { completeVariable, parseVariable, toJson } from '#domain/variable/variable.ts';
import { isList, isObject, type Json, toJsonValue } from '../plant/json.ts';
import { exportOf, listName, type SchemaContents } from './contents.ts';
import { differencesOf } from './differences.ts';
import { checkTogether } from './import-checks.ts';

/** A fault of a file, by its path (`variables.3.name`; `request` for the file as a whole). */
export type ImportFault = Pick<ValidationIssue, 'path' | 'message'>;

/** The result of reading a file: its contents, or all faults that must be corrected before anything is written. */
export type ImportedFile =
	| { readonly contents: SchemaContents; readonly leftOut: readonly ImportFault[] }
	| { readonly faults: readonly ImportFault[] };

/** Most characters of the cause of a failure that a message repeats. */
const maxCauseLength = 200;

const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const positive = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

const rowsOf = (kind: ListedKind) =>
	v.optional(v.pipe(v.instance(Array), atMost(maxRows[kind], kind === 'variable' ? 'variables' : listName(kind))), []);

const boardLists = {
	charts: rowsOf('chart'),
	diagrams: rowsOf('diagram'),
	alarms: rowsOf('alarm'),
	corrections: rowsOf('correction'),
	reports: rowsOf('report'),
	entries: rowsOf('entry'),
} satisfies Readonly<Record<ReturnType<typeof listName>, unknown>>;

const alarmRowsSchema = v.strictObject({
	id: positive,
	database: v.nullable(v.pipe(v.string(), v.nonEmpty())),
	state: v.nullable(evaluatorStateSchema),
	operator: v.nullable(operatorStateSchema),
	outbox: v.nullable(outboxSchema),
});

/**
 * The form of an export. The content of each row is parsed later, by the rules of its kind. An earlier release exported no
 * corrections, reports or entries.
 */
const fileSchema = v.strictObject({
	schema: v.pipe(v.string(), v.nonEmpty('Must not be empty.')),
	revision: whole,
	lastId: whole,
	variables: rowsOf('variable'),
	...boardLists,
	panel: v.nullable(plainObject),
	evaluation: v.strictObject({
		progress: v.nullable(evaluationProgressSchema),
		alarms: v.pipe(v.array(alarmRowsSchema), v.maxLength(maxRows.alarm)),
	}),
});

type File = v.InferOutput<typeof fileSchema>;

/** Exports of an earlier release had no `rowVersion`. */
const versionsSchema = v.pipe(
	v.object({ version: positive, rowVersion: v.optional(positive) }),
	v.transform(({ version, rowVersion = version }) => ({ version, rowVersion })),
);

/** The database that a row is bound to, where its kind has one. */
const databaseSchema = v.object({ database: v.optional(v.pipe(v.string(), v.nonEmpty())) });

/**
 * Parses the text of an export (infra/tools/schema/README.md#importing). Returns the faults of all parts at once, at most 100. If there
 * are none, it returns the contradictions between the parts.
 * @param now epoch milliseconds; no correction begins after it
 * @param options.withoutRefusedDrawings leaves out each background that a save refuses, and returns why. Otherwise it is a fault
 */
export function parseExport(text: string, now: number, { withoutRefusedDrawings = false } = {}): ImportedFile {
	let sent: Json;
	try {
		// JSON.parse returns nothing but JSON. The schema only gives it that type.
		sent = v.parse(
			v.custom<Json>(() => true),
			JSON.parse(text),
		);
	} catch (error) {
		const cause = error instanceof Error ? error.message.replace(/\s+/g, ' ').slice(0, maxCauseLength) : '';
		return { faults: [{ path: 'request', message: `Is no JSON: ${cause}` }] };
	}
	const issues = new ValidationIssues();
	const { json, refused } = withoutRefused(sent);
	if (!withoutRefusedDrawings) for (const { path, ...cause } of refused) issues.add(path, cause);
	try {
		const file = issues.parseField(fileSchema, json);
		// Rows are parsed even if other parts are wrong, so that all faults are reported at once.
		const contents = contentsIn(file ?? readableParts(json), issues, now);
		issues.throwIfAny();
		checkTogether(contents, issues);
		issues.throwIfAny();
		const lost = differencesOf(json, toJsonValue(exportOf(contents)));
		for (const path of lost) issues.add(path, notKept);
		issues.throwIfAny();
		return { contents, leftOut: refused };
	} catch (error) {
		if (!isInvalid(error)) throw error;
		return { faults: error.payload.issues.map(({ path, message }) => ({ path, message })) };
	}
}

/** Takes the backgrounds that saves refuse out of a file. Returns what is left, and why each is refused. */
function withoutRefused(json: Json): { readonly json: Json; readonly refused: readonly ValidationIssue[] } {
	const diagrams = isObject(json) ? json['diagrams'] : undefined;
	if (!isObject(json) || !isList(diagrams)) return { json, refused: [] };
	const refused: ValidationIssue[] = [];
	const kept = diagrams.map((diagram, index) => {
		if (!isObject(diagram)) return diagram;
		const { background, ...rest } = diagram;
		const { title } = rest;
		// A text that is too long is a fault of its own.
		if (typeof background !== 'string' || background.length > maxBackgroundBytes) return diagram;
		const found = svgProblem(background);
		if (found === null) return diagram;
		const name = typeof title === 'string' ? ` of ${JSON.stringify(shorten(title))}` : '';
		refused.push({ ...found, path: `diagrams.${index}.background`, message: `The drawing${name}: ${found.message}` });
		return rest;
	});
	return { json: { ...json, diagrams: kept }, refused };
}

const notKept = problem(
	'invalid_value',
	'Would not be stored as it is here: correct it, take it out, or import with the release that exported it.',
);

/**
 * Returns the readable parts of a file that also has wrong parts, whose faults are reported already. In their place stand values that add no
 * fault of their own.
 */
function readableParts(json: Json): File {
	const parts = isObject(json) ? json : {};
	const parsedOr = <Schema extends v.GenericSchema>(substitute: v.InferOutput<Schema>, schema: Schema, value: unknown) => {
		const result = v.safeParse(schema, value);
		return result.success ? result.output : substitute;
	};
	const { entries } = fileSchema;
	return {
		schema: parsedOr('-', entries.schema, parts['schema']),
		revision: parsedOr(Number.MAX_SAFE_INTEGER, entries.revision, parts['revision']),
		lastId: parsedOr(Number.MAX_SAFE_INTEGER, entries.lastId, parts['lastId']),
		variables: parsedOr([], entries.variables, parts['variables']),
		charts: parsedOr([], entries.charts, parts['charts']),
		diagrams: parsedOr([], entries.diagrams, parts['diagrams']),
		alarms: parsedOr([], entries.alarms, parts['alarms']),
		corrections: parsedOr([], entries.corrections, parts['corrections']),
		reports: parsedOr([], entries.reports, parts['reports']),
		entries: parsedOr([], entries.entries, parts['entries']),
		panel: parsedOr(null, entries.panel, parts['panel']),
		evaluation: parsedOr({ progress: null, alarms: [] }, entries.evaluation, parts['evaluation']),
	};
}

/** Parses the rows of a file, as saves check them. Rows that have issues are left out. */
function contentsIn(file: File, issues: ValidationIssues, now: number): SchemaContents {
	const { schema, revision, lastId, panel, evaluation } = file;
	const alarmDatabases = new Map(evaluation.alarms.map(({ id, database }) => [id, database]));
	const variables = parsedRows(file.variables, 'variables', issues, (input, versions): VariableRow => {
		const variable = completeVariable(parseVariable(input), null);
		checkSize(variable);
		checkRowSize(toJson(variable));
		return { kind: 'variable', ...versions, variable, referencedBy: new Map(), deleting: false };
	});
	const boards = boardKinds.flatMap((kind) =>
		parsedRows(file[listName(kind)], listName(kind), issues, (input, versions) =>
			boardRow(kind, input, versions, alarmDatabases, now),
		),
	);
	const panels = parsedRows(
		panel === null ? [] : [panel],
		'panel',
		issues,
		(input, versions): PanelRow => ({
			kind: 'panel',
			...versions,
			panel: parsePanel(input),
		}),
	);
	const references = referencesByVariable(boards);
	const alarmsWithRows = evaluation.alarms.filter(
		({ state, operator, outbox }) => state !== null || operator !== null || outbox !== null,
	);
	return {
		schema,
		revision,
		lastId,
		variables: variables.map((row) => ({ ...row, referencedBy: references.get(row.variable.id) ?? new Map() })),
		boards,
		panel: panels[0] ?? null,
		progress: evaluation.progress,
		alarmRows: new Map(alarmsWithRows.map(({ id, state, operator, outbox }) => [id, { state, operator, outbox }])),
	};
}

type Versions = v.InferOutput<typeof versionsSchema>;

/**
 * Parses a board with the database that it is bound to.
 * @param alarmDatabases the databases of alarms by their ids, which the file has beside the states of alarms. A board of another kind
 * has its database in `input`
 * @param now epoch milliseconds
 */
function boardRow(
	kind: BoardKind,
	input: unknown,
	versions: Versions,
	alarmDatabases: ReadonlyMap<number, string | null>,
	now: number,
): BoardRow {
	const board = boardOf(kind, parseBoard(kind, input));
	// The row is stored as it is in the file.
	completeBoard(board, null);
	const issues = new ValidationIssues();
	if (board.kind === 'correction') checkStart(board.content, now, issues);
	issues.throwIfAny();
	checkRowSize(board.content);
	const { database = kind === 'alarm' ? alarmDatabases.get(board.content.id) : undefined } = parse(databaseSchema, input);
	return { kind, ...versions, board, ...(database === undefined || database === null ? {} : { database }) };
}

/** Parses each item of a list. There is only one panel, so its path has no position. */
function parsedRows<Row>(
	items: readonly unknown[],
	list: string,
	issues: ValidationIssues,
	parseRow: (input: unknown, versions: Versions) => Row,
): readonly Row[] {
	return items.flatMap((input, index) => {
		if (issues.isFull) return [];
		const path = list === 'panel' ? list : `${list}.${index}`;
		const versions = issues.parseField(versionsSchema, input, path);
		try {
			// The content is parsed even where the versions are wrong, so that all faults are reported at once.
			const row = parseRow(input, versions ?? { version: 1, rowVersion: 1 });
			return versions === undefined ? [] : [row];
		} catch (error) {
			if (error instanceof DomainError && error.code === 'too_large')
				issues.add(path, problem('invalid_value', 'Is larger than a row may be: divide it, or take it out.'));
			else if (isInvalid(error))
				for (const { path: field, ...cause } of error.payload.issues)
					issues.add(field === 'request' ? path : `${path}.${field}`, cause);
			else throw error;
			return [];
		}
	});
}

function isInvalid(error: unknown): error is DomainError<'invalid'> & { payload: { issues: readonly ValidationIssue[] } } {
	return error instanceof DomainError && error.code === 'invalid';
}
