import type * as v from 'valibot';
import { parse } from '../validation/parse.ts';
import { type Alarm, alarmSchema, completeAlarm } from './alarm.ts';
import type { BoardKind } from './board-kinds.ts';
import { type Chart, chartSchema } from './chart.ts';
import { type Correction, checkedCorrection, correctionSchema } from './correction.ts';
import { completeDiagram, type Diagram, diagramReferences, diagramSchema, diagramWithout } from './diagram.ts';
import { checkedEntry, entrySchema, type ReportEntry } from './entry.ts';
import type { Reference } from './reference.ts';
import { checkedReport, type Report, reportSchema, reportWithout } from './report.ts';

interface Contents {
	readonly chart: Chart;
	readonly diagram: Diagram;
	readonly alarm: Alarm;
	readonly correction: Correction;
	readonly report: Report;
	readonly entry: ReportEntry;
}

/** A board of any of the kinds `Kind`. */
export type Board<Kind extends BoardKind = BoardKind> = {
	readonly [Each in Kind]: { readonly kind: Each; readonly content: Contents[Each] };
}[Kind];

/**
 * Parses a board that a client sent or that is stored.
 * @throws DomainError `invalid` with all issues
 * @example
 * parseBoard('chart', { id: 0, title: 'Flows', series: [{ varId: 3 }] });
 */
export function parseBoard<Kind extends BoardKind>(kind: Kind, input: unknown): Contents[Kind] {
	return parse(rules[kind].schema, input);
}

/**
 * Parses a stored board, with the rules over several fields without which it could not be evaluated.
 * @throws DomainError `invalid` with all issues
 */
export function parseStoredBoard<Kind extends BoardKind>(kind: Kind, input: unknown): Contents[Kind] {
	const content = parseBoard(kind, input);
	return rules[kind].check?.(content) ?? content;
}

/** Returns the schema of a kind of board, as it is sent and stored. */
export function boardSchema<Kind extends BoardKind>(kind: Kind): v.GenericSchema<unknown, Contents[Kind]> {
	return rules[kind].schema;
}

/** Creates a board from parsed content. */
export function boardOf<Kind extends BoardKind>(kind: Kind, content: Contents[Kind]): Board<Kind> {
	return { kind, content };
}

/** Returns a copy of the board with another id. */
export function boardWithId<Kind extends BoardKind>({ kind, content }: Board<Kind>, id: number): Board<Kind> {
	return { kind, content: { ...content, id } };
}

/**
 * Returns the board that a save stores: what was sent, completed by what is stored (null: the board is new).
 * @throws DomainError `invalid` when fields do not fit together
 */
export function completeBoard<Kind extends BoardKind>({ kind, content }: Board<Kind>, stored: Board | null): Board<Kind> {
	return { kind, content: rules[kind].complete(content, stored) };
}

/** Returns the name of the board that a user sees. */
export function boardName({ content }: Board): string {
	// Corrections and entries have no other name.
	if ('reason' in content) return content.reason;
	return 'title' in content ? content.title : content.name;
}

/** Returns every reference from the board to a variable. */
export function referencesOf<Kind extends BoardKind>({ kind, content }: Board<Kind>): readonly Reference[] {
	return rules[kind].references(content);
}

/** Returns the board's content without its references to a deleted variable; null when the board must be deleted too. */
export function withoutVariable<Kind extends BoardKind>({ kind, content }: Board<Kind>, varId: number): Contents[Kind] | null {
	return rules[kind].without(content, varId);
}

/** Returns what stands in for the content of a stored board that cannot be read: it shows nothing, and is neither evaluated nor counted. */
export function standInContent<Kind extends BoardKind>(kind: Kind, id: number, name: string): Contents[Kind] {
	return rules[kind].standIn(id, name);
}

interface BoardRules<Kind extends BoardKind> {
	readonly schema: v.GenericSchema<unknown, Contents[Kind]>;
	/** Returns what a save stores, from what was sent and what is stored (null: nothing). Throws when fields do not fit together. */
	readonly complete: (sent: Contents[Kind], stored: Board | null) => Contents[Kind];
	/** Checks the rules over several fields of what is stored, and returns the same. Left out: there are none. */
	readonly check?: (stored: Contents[Kind]) => Contents[Kind];
	readonly references: (content: Contents[Kind]) => readonly Reference[];
	/** Returns the content without a deleted variable; null: the board goes with it. */
	readonly without: (content: Contents[Kind], varId: number) => Contents[Kind] | null;
	/** Returns the content that stands in for one that cannot be read. `varId` is then 0: there is no such variable. */
	readonly standIn: (id: number, name: string) => Contents[Kind];
}

/** How each kind is parsed and refers to variables. A new kind also needs an entry in `boardKinds` (board-kinds.ts) and in `Contents`. */
const rules: { readonly [Kind in BoardKind]: BoardRules<Kind> } = {
	chart: {
		schema: chartSchema,
		complete: (chart) => chart,
		references: ({ series }) => series.map(({ varId }, index) => ({ path: `series.${index}`, varId })),
		without: (chart, varId) => ({ ...chart, series: chart.series.filter((line) => line.varId !== varId) }),
		standIn: (id, title) => ({ id, title, series: [] }),
	},
	diagram: {
		schema: diagramSchema,
		complete: (diagram, stored) => completeDiagram(diagram, stored?.kind === 'diagram' ? stored.content : null),
		references: diagramReferences,
		without: diagramWithout,
		standIn: (id, title) => ({ id, title, items: [] }),
	},
	alarm: {
		schema: alarmSchema,
		complete: (alarm, stored) => completeAlarm(alarm, stored?.kind === 'alarm' ? stored.content : null),
		references: ({ varId, bit }) => (varId === 0 ? [] : [{ path: '', varId, bit }]),
		without: () => null,
		standIn: (id, name) => ({
			...{ id, name, varId: 0, condition: '>', threshold: 0, severity: 'info' },
			...{ message: 'The stored alarm cannot be read.', enabled: false },
		}),
	},
	correction: {
		schema: correctionSchema,
		complete: checkedCorrection,
		check: checkedCorrection,
		references: ({ varId }) => (varId === 0 ? [] : [{ path: '', varId }]),
		without: () => null,
		standIn: (id, reason) => ({ id, varId: 0, type: 'exclude', reason }),
	},
	report: {
		schema: reportSchema,
		complete: checkedReport,
		check: checkedReport,
		references: ({ lines }) =>
			lines.flatMap(({ varId, bit }, index) => (varId === undefined ? [] : [{ path: `lines.${index}`, varId, bit }])),
		without: reportWithout,
		standIn: (id, title) => ({ id, title, timeZone: 'UTC', dayStart: '00:00', lines: [], send: false }),
	},
	entry: {
		schema: entrySchema,
		complete: checkedEntry,
		// It refers to a report, and through its line to no variable.
		references: () => [],
		without: (entry) => entry,
		standIn: (id, reason) => ({ id, reportId: 0, key: '', from: '1970-01-01', to: '1970-01-01', value: 0, reason }),
	},
};
