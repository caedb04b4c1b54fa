import { expect, test } from 'vitest';
import { formOf } from '#http/table/table-request.ts';
import { makeEvent } from '#test/support/builders/events.ts';

const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

test.each([
	['/table/totals', undefined, 'json'],
	['/table/totals', '*/*', 'json'],
	['/table/totals', 'text/html', 'json'],
	['/table/totals', 'text/csv', 'csv'],
	['/table/totals', 'Text/CSV; header=present', 'csv'],
	['/table/totals', 'text/*', 'csv'],
	['/table/totals', xlsx, 'xlsx'],
	['/table/totals', `text/csv;q=0.5, ${xlsx};q=0.9`, 'xlsx'],
	['/table/totals', 'text/csv;q=0, application/json;q=0.1', 'json'],
	['/table/totals', 'text/html, */*;q=0.1, text/csv;q=0.8', 'csv'],
	['/table/totals', 'application/json;q=0, */*', 'csv'],
	['/table/totals', '*/*, application/json;q=0.5', 'csv'],
	['/table/totals', 'text/csv;q=0, text/*, application/json;q=0.2', 'json'],
	['/table/totals', 'text/csv, application/json', 'csv'],
	['/table/totals', 'application/json, text/csv', 'json'],
	['/table/totals.json', 'text/csv', 'json'],
	['/table/report/46.csv', xlsx, 'csv'],
	['/table/report/46.xlsx', undefined, 'xlsx'],
	['/table/report/46.pdf', undefined, 'json'],
])('%s with Accept %s is %s', (path, accept, form) => {
	const event = makeEvent('GET /table/totals', { headers: accept === undefined ? {} : { accept } });
	expect(formOf({ ...event, rawPath: path })).toBe(form);
});
