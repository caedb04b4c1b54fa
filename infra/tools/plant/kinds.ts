import { boardOf, boardSchema, completeBoard, parseBoard, referencesOf } from '#domain/board/board.ts';
import type { BoardKind } from '#domain/board/board-kinds.ts';
import type { Reference } from '#domain/board/reference.ts';
import { itemsOf, panelSchema, parsePanel } from '#domain/panel/panel.ts';
import { maxRows } from '#domain/ports/schema-store.ts';
import { parseSentVariable, sentFields, withTrimmedName } from '#domain/variable/sent-variable.ts';
import { completeVariable, parseVariable, toJson } from '#domain/variable/variable.ts';
import { sentDiagramSchemaFor } from '#http/sent-diagram.ts';
import { parseSent } from '#http/sent-input.ts';
import { type JsonObject, objectOf } from './json.ts';

/** A kind of items of a plant's file. Corrections and entries are no part of a plant's definition: they say what happened in one plant. */
export type PlantKind = 'variable' | 'panel' | Exclude<BoardKind, 'correction' | 'entry'>;

/** The rules for a kind of items. */
export interface KindRules {
	/** The field of the file that holds the items. */
	readonly list: string;
	/** The field of an item that names it. */
	readonly nameField: 'name' | 'title';
	/** Most items of this kind in a plant. */
	readonly maxItems: number;
	/** Whether the service lists items with more fields than their content, such as the state of an alarm or of the panel's items. */
	readonly hasState: boolean;
	/**
	 * Parses the content of an item. Returns it without its id, with all defaults, and with its fields in a fixed order.
	 * @throws DomainError `invalid` with the issues of all fields
	 */
	readonly parse: (content: JsonObject) => JsonObject;
	/**
	 * Checks content by the rules for saves. They are stricter than those of `parse`, which accepts content that earlier releases stored.
	 * @param stored the content that it replaces; null: the item is new
	 * @throws DomainError `invalid` with the issues of all fields
	 */
	readonly checkSent: (content: JsonObject, stored: JsonObject | null) => void;
	/** Returns the references of parsed content to variables. */
	readonly references: (content: JsonObject) => readonly Reference[];
}

/** The rules of a kind of boards. */
const boardRules = (
	kind: PlantKind & BoardKind,
	{ list, nameField, hasState = false }: Pick<KindRules, 'list' | 'nameField'> & { readonly hasState?: boolean },
): KindRules => ({
	list,
	nameField,
	maxItems: maxRows[kind],
	hasState,
	parse: (content) => {
		const board = boardOf(kind, parseBoard(kind, asNew(content)));
		return withoutId(completeBoard(board, nothingStored).content);
	},
	checkSent: (content, stored) => {
		if (kind === 'diagram') parseSent(sentDiagramSchemaFor(content, stored), asNew(content));
		else parseSent(boardSchema(kind), asNew(content));
	},
	references: (content) => referencesOf(boardOf(kind, parseBoard(kind, asNew(content)))),
});

/** No stored board completes the content: what it lacks gets its default. */
const nothingStored = null;

/** Adds the id of what is not stored yet. The domain parses content with an id only, and a file has none. */
const asNew = (content: JsonObject): JsonObject => ({ ...content, id: 0 });

/** The rules of each kind. */
export const kinds: Readonly<Record<PlantKind, KindRules>> = {
	variable: {
		list: 'variables',
		nameField: 'name',
		maxItems: maxRows.variable,
		hasState: false,
		parse: (content) => {
			const { varsTsdb, ...rest } = withoutId(toJson(completeVariable(parseVariable(asNew(content)), null)));
			// The queries come last, as in a file. They are always there, but the type of JSON does not say so.
			return { ...rest, varsTsdb: varsTsdb ?? {} };
		},
		checkSent: (content) => void parseSent(sentFields, withTrimmedName(asNew(content)), parseSentVariable),
		// A variable reads series by their topics, and no other variable.
		references: () => [],
	},
	chart: boardRules('chart', { list: 'charts', nameField: 'title' }),
	diagram: boardRules('diagram', { list: 'diagrams', nameField: 'title' }),
	report: boardRules('report', { list: 'reports', nameField: 'title' }),
	panel: {
		list: 'panel',
		nameField: 'title',
		maxItems: 1,
		hasState: true,
		parse: (content) => objectOf(parsePanel(content)),
		checkSent: (content) => void parseSent(panelSchema, content),
		references: (content) => itemsOf(parsePanel(content)).map(({ path, item: { varId, bit } }) => ({ path, varId, bit })),
	},
	alarm: boardRules('alarm', { list: 'alarms', nameField: 'name', hasState: true }),
};

/** The kinds, in the order in which the items are saved. */
export const plantKinds: readonly PlantKind[] = Object.keys(kinds).filter((kind): kind is PlantKind => kind in kinds);

function withoutId(content: unknown): JsonObject {
	const { id: _id, ...rest } = objectOf(content);
	return rest;
}
