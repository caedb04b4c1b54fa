import * as v from 'valibot';
import { columnTypes } from '#http/table/table.ts';
import { describedObject } from '../component.ts';

const columnSchema = v.object({ key: v.string(), name: v.string(), unit: v.string(), type: v.picklist(columnTypes) });

/** The schema of a table in JSON. */
const tableSchema = v.object({
	timeZone: v.string(),
	columns: v.array(columnSchema),
	data: v.array(v.record(v.string(), v.nullable(v.union([v.string(), v.number()])))),
});

/** The schemas of tables. */
export const tableComponents = {
	TableColumn: describedObject(columnSchema, 'A column of a table.', {
		key: 'Its field in the rows.',
		name: 'What it holds. The headings of CSV and workbooks are the names with their units.',
		unit: 'The unit of its numbers; empty where there is none.',
		type: '`time`: local time with its offset. `date`: the local date of the day that begins then.',
	}),
	Table: describedObject(tableSchema, 'A table in JSON.', {
		timeZone: 'The IANA name of the time zone of its times and dates.',
		columns: 'The columns, in the order of CSV and workbooks.',
		data: 'The rows: an object each, with the keys of the columns. A number that is not known is null.',
	}),
} as const;
