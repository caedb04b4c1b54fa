import { languageChoices } from '#page/core/languages.ts';
import { commonText } from '#page/i18n/common.ts';
import { folded } from '#page/parts/matching-options.ts';
import { editorText } from '../editor-texts.ts';
import { topicWithTags } from '../tag-sets.ts';
import { columnHeads } from './column-heads.ts';
import { describeText } from './describe-texts.ts';
import type { Cell, CellEdit, SheetRows } from './grid-edits.ts';
import { columns, type GridColumn } from './grid-row.ts';
import type { TaggedField } from './topic-path.ts';

/** The edits of a pasted table that names its columns or its rows. */
interface NamedEdits {
	readonly edits: readonly CellEdit[];
	/** The heads that are no column, and the topics that are no row or several rows. Their cells are left out. */
	readonly unplaced: readonly string[];
}

/**
 * Places a pasted table by its names: columns by a head row, rows by their topics. An empty cell changes nothing. Null without such names:
 * then the table is placed by position.
 * @example a row `wells/3/level`, `m` below the heads `Topic` and `Unit` is the unit of that series, wherever its row stands
 * @param from the first cell. Rows without topics begin at its row, columns without heads at its column
 * @param series the series of the grid's rows
 */
export function editsByName(table: SheetRows, from: Cell, series: readonly TaggedField[]): NamedEdits | null {
	const [firstRow = [], ...rowsBelow] = table;
	const heads = rowsBelow.length === 0 ? null : headsOf(firstRow);
	const rows = heads === null ? table : rowsBelow;
	const places = heads ?? placesByTopic(rows, from, series);
	if (places === null) return null;
	const [topicAt, fieldAt] = [places.indexOf('topic'), places.indexOf('field')];
	const placed = rows.map((texts, index) => {
		const topic = texts[topicAt] ?? '';
		const row = topicAt < 0 ? from.row + index : rowOf(series, topic, texts[fieldAt] ?? '');
		return { texts, topic, row };
	});
	const edits = placed.flatMap(({ texts, row }) =>
		columns.flatMap((name, column) => {
			// A length may have its number and its unit in two columns. Sorted, the number is first.
			const parts = new Set(texts.filter((text, at) => places[at] === name && text !== ''));
			const isInGrid = row >= 0 && row < series.length;
			return isInGrid && parts.size > 0 ? [{ row, column, text: [...parts].sort().join(' ') }] : [];
		}),
	);
	const unknownHeads = heads === null ? [] : firstRow.filter((_, at) => heads[at] === null);
	const unknownTopics = placed.filter(({ row }) => row < 0).map(({ topic }) => topic);
	return { edits, unplaced: [...unknownHeads, ...unknownTopics].filter((name) => name !== '') };
}

/** What a column of a pasted table holds. */
type PastedColumn = GridColumn | 'topic' | 'field';

/** What the fields of a variable and of its query hold, by their names in the API. */
const apiFields: Readonly<Record<string, PastedColumn>> = {
	name: 'name',
	unit: 'unit',
	process: 'process',
	calc_topic: 'topic',
	calc_field: 'field',
	calc_type_period: 'aggregate',
	calc_period: 'period',
	calc_unit_period: 'period',
	calc_time: 'lookback',
	calc_unit: 'lookback',
	calc_unit_topic: 'lookback',
};

/** Returns what heads name, null for each unknown one. Null if the row is no head row: it has no known head, or one beside unknown ones. */
function headsOf(texts: readonly string[]): readonly (PastedColumn | null)[] | null {
	const places = new Map(Object.entries(apiFields));
	for (const { value: tag } of languageChoices) {
		const heads = columnHeads(tag);
		for (const column of columns) places.set(folded(heads[column]), column);
		for (const word of [commonText(tag).topic, describeText(tag).topicField]) places.set(folded(word), 'topic');
		places.set(folded(editorText(tag).field), 'field');
	}
	const heads = texts.map((text) => places.get(folded(text)) ?? null);
	const known = heads.filter((head) => head !== null).length;
	return known > 1 || (known === 1 && texts.every((text, at) => text === '' || heads[at] !== null)) ? heads : null;
}

/**
 * Returns what the columns of rows without heads hold, if one of them has topics of the grid: the topic, maybe the field after it, and the
 * columns of the grid from a cell on.
 */
function placesByTopic(rows: SheetRows, from: Cell, series: readonly TaggedField[]): readonly (PastedColumn | null)[] | null {
	const width = Math.max(...rows.map(({ length }) => length));
	const isKnown = (topic: string, field: string): boolean => topic !== '' && rowsOf(series, topic, field).length > 0;
	const indexes = Array.from({ length: width }, (_, at) => at);
	const topicAt = indexes.findIndex((at) => rows.some((texts) => isKnown(texts[at] ?? '', '')));
	if (width < 2 || topicAt < 0) return null;
	const [topics, fields] = [topicAt, topicAt + 1].map((at) => rows.map((texts) => texts[at] ?? ''));
	const hasFields = fields?.every((field, index) => field !== '' && isKnown(topics?.[index] ?? '', field)) === true;
	let column = from.column;
	return indexes.map((at) => {
		if (at === topicAt) return 'topic';
		if (hasFields && at === topicAt + 1) return 'field';
		column += 1;
		return columns[column - 1] ?? null;
	});
}

/** Returns the index of the row with a topic; -1 for no row, and for several. */
function rowOf(series: readonly TaggedField[], topic: string, field: string): number {
	const [row = -1, second] = rowsOf(series, topic, field);
	return second === undefined ? row : -1;
}

/** Returns the indexes of the rows with a topic and a field. The topic may be followed by its tags, and without a field by that. */
function rowsOf(series: readonly TaggedField[], topic: string, field: string): readonly number[] {
	return series.flatMap((one, index) => {
		const topics = [one.topic, topicWithTags(one.topic, one.queryTags)];
		const withField = topics.map((name) => `${name} ${one.field}`);
		const names = field === '' ? [...topics, ...withField] : one.field === field ? topics : [];
		return names.includes(topic) ? [index] : [];
	});
}
