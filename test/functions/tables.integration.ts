import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoMachine } from '#infra/local/demo/idp.ts';
import { run, runOrFail } from '#test/support/foreign-tools/run.ts';
import { type LocalTarget, openLocalTarget } from '#test/support/servers/local.ts';
import { installPython } from '#test/support/servers/python-packages.ts';

/** The first run installs the packages. */
const timeoutMs = 600_000;
const folder = mkdtempSync(join(tmpdir(), 'caudal-tables-'));
const authorization = `Basic ${Buffer.from(`${demoMachine.clientId}:${demoMachine.secret}`).toString('base64')}`;

/** The columns of a number and of a byte, which has no mean and no maximum: its columns are empty. */
const historyHeads = [
	'Start',
	'Distribution flow mean [m³/h]',
	'Distribution flow max [m³/h]',
	'Distribution flow count',
	'Plant status mean [boolean]',
	'Plant status max [boolean]',
	'Plant status count',
];

describe('the tables of the demo plant, read by programs of others,', () => {
	let target: LocalTarget;
	let python: string;
	beforeAll(async () => {
		python = await installPython('tables-1', ['openpyxl==3.1.5', 'pandas==3.1.1', 'csvkit==2.2.0']);
		target = await openLocalTarget({ DEMO_PLANT: 'on' });
	}, timeoutMs);
	afterAll(async () => {
		await target.close();
		rmSync(folder, { recursive: true, force: true });
	});

	const get = async (path: string): Promise<Buffer> => {
		const response = await fetch(`${target.baseUrl}${path}`, { headers: { authorization } });
		expect(response.status).toBe(200);
		return Buffer.from(await response.arrayBuffer());
	};
	/** Saves a table as a file, and returns its path. */
	const save = async (name: string, path: string): Promise<string> => {
		const file = join(folder, name);
		writeFileSync(file, await get(path));
		return file;
	};
	const jsonOf = async (path: string) => JSON.parse((await get(path)).toString());
	/** Runs a program in Python that prints JSON. */
	const inPython = async (program: string, ...files: readonly string[]) =>
		JSON.parse(await runOrFail(python, ['-W', 'ignore', '-c', program, ...files], { cwd: folder }));
	const report = '/table/report/46';
	// Days that stay provisional while the test runs.
	const days = 'date=last-2-days&columns=all';

	test('are workbooks with real dates and numbers for openpyxl', async () => {
		const { columns, data } = await jsonOf(`${report}.json?${days}`);
		const file = await save('report.xlsx', `${report}.xlsx?${days}`);
		const sheet = await inPython(
			`import json, sys, openpyxl
sheet = openpyxl.load_workbook(sys.argv[1])['Table']
rows = [[cell.isoformat() if hasattr(cell, 'isoformat') else cell for cell in row] for row in sheet.iter_rows(values_only=True)]
formulas = [cell.coordinate for row in sheet.iter_rows() for cell in row if cell.data_type == 'f']
print(json.dumps([rows, formulas, sheet.freeze_panes, sheet['A2'].number_format, sheet['D2'].number_format]))`,
			file,
		);
		const [[, ...rows], formulas, ...formats] = sheet;
		expect(rows).toEqual(
			data.map((row: Readonly<Record<string, string | number | null>>) =>
				columns.map(({ key, type }: { readonly key: string; readonly type: string }) => {
					if (type === 'date') return `${row[key]}T00:00:00`;
					// A workbook has local times without a zone.
					return type === 'time' ? String(row[key]).slice(0, 19) : row[key];
				}),
			),
		);
		expect([formulas, ...formats]).toEqual([[], 'A2', 'yyyy-mm-dd', '0']);
	});

	test('are frames with dates and numbers for pandas, from each form', async () => {
		const path = '/table/history';
		// Its clocks never change, so neither does the type of the column.
		const query = 'ids=13,18&aggregates=mean,max,count&period=hour&timeZone=Africa/Algiers';
		const files = await Promise.all([
			save('history.csv', `${path}.csv?${query}`),
			save('history-es.csv', `${path}.csv?${query}&locale=es&bom=1`),
			save('history.xlsx', `${path}.xlsx?${query}`),
		]);
		const [types, ...frames] = await inPython(
			`import json, sys, pandas
plain = pandas.read_csv(sys.argv[1], parse_dates=['Start'], float_precision='round_trip')
spanish = pandas.read_csv(sys.argv[2], parse_dates=['Start'], sep=';', decimal=',', float_precision='round_trip')
book = pandas.read_excel(sys.argv[3])
rows = lambda frame: [[None if pandas.isna(cell) else float(cell) for cell in row] for row in frame.iloc[:, 1:].itertuples(index=False)]
start = lambda frame: frame['Start'].iloc[0].isoformat()
print(json.dumps([[str(each) for each in plain.dtypes], *[[start(each), list(each.columns), rows(each)] for each in (plain, spanish, book)]]))`,
			...files,
		);
		expect(types[0]).toMatch(/^datetime64\[\w+, UTC\+01:00\]$/);
		expect(types.slice(1)).toEqual(['float64', 'float64', 'int64', 'float64', 'float64', 'int64']);
		const { data } = await jsonOf(`${path}?${query}`);
		const cells = data.map(({ start: _, ...row }: object & { readonly start: string }) => Object.values(row));
		const start = data[0].start;
		expect(frames.map((frame: readonly unknown[]) => frame[0])).toEqual([start, start, start.slice(0, 19)]);
		for (const [, columns, rows] of frames) {
			expect(columns).toEqual(historyHeads);
			expect(rows).toEqual(cells);
		}
	});

	test(
		'are the same sheet in LibreOffice, from a workbook and from CSV of another locale',
		async () => {
			const path = '/table/history';
			const query = 'ids=13,18&aggregates=mean,max,count&period=hour';
			const { data } = await jsonOf(`${path}?${query}`);
			const cells = data.map(({ start: _, ...row }: object & { readonly start: string }) => Object.values(row));
			// A comma, quotes, UTF-8, from row 1; then numbers as they are, not as they are shown.
			const written = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false';
			// Of the file that is read: a semicolon, quotes, UTF-8, from row 1, the language of Spain.
			const spanish = ['--infilter=Text - txt - csv (StarCalc):59,34,76,1,,1034,false,true'];
			for (const [name, args] of [
				['history.xlsx', []],
				['history-es.csv', spanish],
			] as const) {
				const file = await save(
					name,
					`${path}${name.slice(name.lastIndexOf('.'))}?${query}${args.length === 0 ? '' : '&locale=es&bom=1'}`,
				);
				const profile = `-env:UserInstallation=file://${join(folder, 'libreoffice')}`;
				const out = join(folder, `of-${name}`);
				await runOrFail('soffice', [profile, '--headless', ...args, '--convert-to', written, '--outdir', out, file], {
					cwd: folder,
				});
				const text = readFileSync(join(out, `${name.slice(0, name.lastIndexOf('.'))}.csv`), 'utf8');
				const [heads, ...rows] = text
					.trimEnd()
					.split('\n')
					.map((line) => line.split(','));
				expect(heads).toEqual(historyHeads);
				// LibreOffice writes 15 digits.
				const digits = (cell: number | null) => (cell === null ? null : Number(cell.toPrecision(15)));
				expect(rows.map(([, ...row]) => row.map((cell) => (cell === '' ? null : Number(cell))))).toEqual(
					cells.map((row: readonly (number | null)[]) => row.map(digits)),
				);
			}
		},
		timeoutMs,
	);

	test('are what csvkit describes, without a fault', async () => {
		const file = await save('readings.csv', '/table/readings.csv');
		const bin = (name: string): string => join(dirname(python), name);
		expect((await run(python, [bin('csvclean'), '--enable-all-checks', file], { cwd: folder })).ok).toBe(true);
		const stat = JSON.parse(await runOrFail(python, [bin('csvstat'), '--json', file], { cwd: folder }));
		expect(stat.map(({ column_name: name, type }: Readonly<Record<string, string>>) => `${name} ${type}`)).toEqual([
			...['Id Number', 'Name Text', 'Value Number', 'Unit Text', 'Time DateTime', 'Quality Text'],
		]);
		expect(readFileSync(file, 'utf8').split('\r\n').length - 2).toBe((await jsonOf('/table/readings')).data.length);
	});
});
