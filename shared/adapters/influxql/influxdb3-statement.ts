/** A statement as InfluxDB 3 takes it, and how its rows are read. */
export interface Influxdb3Statement {
	readonly text: string;
	/** Whether its rows have times, and tags beside the columns. */
	readonly isSelect: boolean;
	readonly columns: readonly Influxdb3Column[];
}

/** A column of values. */
export interface Influxdb3Column {
	readonly name: string;
	/** The function that makes its values; undefined for stored values and for names. */
	readonly aggregate: string | undefined;
}

/** The columns of statements that list names. */
const listings: readonly (readonly [start: string, columns: readonly string[], condition: string])[] = [
	['SHOW MEASUREMENTS', ['name'], ''],
	['SHOW FIELD KEYS', ['fieldKey', 'fieldType'], ''],
	// Without a time, InfluxDB 3 lists the tags of the last day.
	['SHOW TAG VALUES', ['key', 'value'], ' WHERE time >= 0ms'],
];

const select = 'SELECT ';
/** One item of a SELECT, as the statements here are written: a field, or a function of it. */
const item = /(?:(\w+)\()?"(?:[^"\\]|\\.)*"(?:::\w+)?\)?/y;
const trailing = ' ORDER BY time DESC LIMIT 1';
const afterSubquery = ') WHERE time ';

/**
 * Rewrites a statement for InfluxDB 3 (shared/adapters/influxql/README.md#influxdb-3). Its columns get names that no tag has, because its rows have
 * tags and values side by side.
 * @throws RangeError for a statement of another form
 */
export function influxdb3StatementOf(text: string): Influxdb3Statement {
	const listing = listings.find(([start]) => text.startsWith(start));
	if (listing !== undefined) {
		const [, names, condition] = listing;
		return {
			text: `${text}${condition}`,
			isSelect: false,
			columns: names.map((name) => ({ name, aggregate: undefined })),
		};
	}
	const items: string[] = [];
	const columns: Influxdb3Column[] = [];
	let at = select.length - 1;
	do {
		item.lastIndex = at + 1;
		const [found, aggregate] = item.exec(text) ?? [];
		if (found === undefined || !text.startsWith(select)) throw new RangeError(`InfluxDB 3 is not asked: ${text.slice(0, 100)}`);
		const name = `caudal=${columns.length}`;
		items.push(`${found} AS "${name}"`);
		columns.push({ name, aggregate });
		at = item.lastIndex;
	} while (text[at] === ',');
	return { text: `${select}${items.join()}${sourceOf(text.slice(at), columns)}`, isSelect: true, columns };
}

/** Rewrites what follows the items, which allows for windows and slots without a value: InfluxDB 3 may have rows of them, of other fields' samples. */
function sourceOf(text: string, columns: readonly Influxdb3Column[]): string {
	const isTrailing = text.endsWith(trailing) && columns.every(({ aggregate }) => aggregate !== undefined);
	const all = isTrailing ? text.slice(0, -trailing.length) : text;
	if (!all.startsWith(' FROM (')) return all;
	// Only times follow a subquery.
	const end = all.lastIndexOf(afterSubquery);
	return `${all.slice(0, end)}) WHERE "n" > 0 AND time ${all.slice(end + afterSubquery.length)}`;
}
