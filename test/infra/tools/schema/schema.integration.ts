import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { boardOf, parseBoard } from '#domain/board/board.ts';
import { boardKinds, boardPlurals } from '#domain/board/board-kinds.ts';
import { parsePanel } from '#domain/panel/panel.ts';
import type { AlarmStore } from '#domain/ports/alarm-store.ts';
import type { SchemaStore } from '#domain/ports/schema-store.ts';
import { saveAlarm } from '#domain/use-cases/save-alarm.ts';
import { saveBoard } from '#domain/use-cases/save-board.ts';
import { savePanel } from '#domain/use-cases/save-panel.ts';
import { saveVariable } from '#domain/use-cases/save-variable.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { createSqliteAlarmStore } from '#infra/local/adapters/sqlite/sqlite-alarm-store.ts';
import { createSqliteChangeJournal } from '#infra/local/adapters/sqlite/sqlite-change-journal.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteReportClosings } from '#infra/local/adapters/sqlite/sqlite-report-closings.ts';
import { createSqliteReportDays } from '#infra/local/adapters/sqlite/sqlite-report-days.ts';
import { createSqliteSchemaImports } from '#infra/local/adapters/sqlite/sqlite-schema-imports.ts';
import { createSqliteSchemaStore } from '#infra/local/adapters/sqlite/sqlite-schema-store.ts';
import type { LocalServer } from '#infra/local/server.ts';
import { readLocalSettings } from '#infra/local/wiring/settings.ts';
import { openLocalSeries } from '#infra/local/wiring/time-series.ts';
import { makeEvaluatorState, makeOperatorState, makeOutbox } from '#test/support/builders/alarm-rows.ts';
import { makeBitsBody, makeBody, makeCalculatedBody, makePanel, makeQuery } from '#test/support/builders/builders.ts';
import {
	addBoard,
	contentsOf,
	damageReference,
	damageVariable,
	deleteRow,
	leaveBackground,
	leaveBits,
} from '#test/support/builders/damage.ts';
import { testOrigin } from '#test/support/builders/origin.ts';
import { alarmRule } from '#test/support/builders/small-schema.ts';
import { runProgram } from '#test/support/process.ts';
import { makeStoredDay } from '#test/support/reports/report-days.ts';
import { startLocal } from '#test/support/servers/local.ts';

const directory = mkdtempSync(join(tmpdir(), 'caudal-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const schemaTool = async (STATE_DIR: string, ...args: string[]) => {
	const program = runProgram('infra/tools/schema/schema.ts', args, { STATE_DIR });
	const streams = { out: '', err: '' };
	program.child.stdout?.on('data', (chunk: Buffer) => (streams.out += chunk.toString()));
	program.child.stderr?.on('data', (chunk: Buffer) => (streams.err += chunk.toString()));
	return { code: await program.ended, ...streams, lines: () => streams.out.trim().split('\n') };
};

const notExportedLine =
	'Not in an export: the journals, the stored days of reports, people, machines and owners (infra/tools/schema/README.md).\n';

describe('npm run schema, on a state of its own', () => {
	let states = 0;
	let state: string;
	let store: SchemaStore;
	let alarms: AlarmStore;
	let close: () => void;
	/** Variables 1 (`__proto__`, plain), 2 (calculated) and 3 (bits 0, 7); chart 4 of 1 and 3, alarm 5 of 3's bit 7, the panel of 1. */
	beforeEach(async () => {
		states += 1;
		state = join(directory, `state-${states}`);
		mkdirSync(state);
		const database = openDatabase(join(state, 'caudal.db'));
		close = () => database.close();
		store = createSqliteSchemaStore(database);
		alarms = createSqliteAlarmStore(database);
		const deps = { store, alarms, pause: async () => undefined, now: Date.now, origin: testOrigin };
		const bodies = [makeBody({ name: '__proto__' }), makeCalculatedBody('constructor + __proto__ / 2'), makeBitsBody()];
		for (const body of bodies) await saveVariable(deps, 's', parseVariable(body));
		const chart = { id: 0, title: 'C', series: [{ varId: 1, label: 'é "\n' }, { varId: 3 }] };
		await saveBoard(deps, 's', boardOf('chart', parseBoard('chart', chart)));
		const alarm = boardOf('alarm', parseBoard('alarm', { id: 0, name: 'A', varId: 3, bit: 7, ...alarmRule }));
		await saveAlarm(deps, { schema: 's', database: 'plant' }, alarm);
		await savePanel(deps, 's', makePanel(1, { title: 'Station' }));
		return close;
	});

	test('export writes every variable, board and panel as stored', async () => {
		const { code, out, err } = await schemaTool(state, 'export', '--schema', 's');
		expect([code, err]).toEqual([
			0,
			'Exported 3 variables, 1 chart, 0 diagrams, 1 alarm, 0 corrections, 0 reports, 0 entries and the panel of schema s, revision 6.\n' +
				notExportedLine,
		]);
		const exported = JSON.parse(out);
		expect([exported.schema, exported.revision, exported.lastId]).toEqual(['s', 6, 5]);
		const stored = await contentsOf(store, 's');
		expect(exported.variables.map(parseVariable)).toEqual(stored.variables.map(({ variable }) => variable));
		for (const kind of boardKinds)
			expect(exported[boardPlurals[kind]].map((board: unknown) => parseBoard(kind, board))).toEqual(
				stored[boardPlurals[kind]].map(({ board }) => board.content),
			);
		expect(parsePanel(exported.panel)).toEqual(makePanel(1, { title: 'Station' }));
		const versions = [...exported.variables, ...exported.charts, ...exported.alarms, exported.panel];
		expect(versions.map(({ version }) => version)).toEqual([1, 1, 1, 1, 1, 1]);
		expect(Object.keys(exported.variables[0].varsTsdb)).toEqual(['__proto__']);
	});

	test('export replaces a file whole and leaves out variables with an unfinished deletion', async () => {
		await damageVariable(store, 's', 2, () => ({ deleting: true }));
		const file = join(state, 'export.json');
		writeFileSync(file, 'older');
		const { code, out } = await schemaTool(state, 'export', '--schema', 's', '--out', file);
		expect([code, out]).toEqual([
			0,
			`Exported 2 variables, 1 chart, 0 diagrams, 1 alarm, 0 corrections, 0 reports, 0 entries and the panel of schema s, revision 7 to ${file}.\n` +
				'Left out 1 variable with an unfinished deletion: check --repair finishes it.\n' +
				notExportedLine,
		]);
		expect(JSON.parse(readFileSync(file, 'utf8')).variables.map(({ id }: { id: number }) => id)).toEqual([1, 3]);
		expect(readdirSync(state).filter((name) => name.includes('partial'))).toEqual([]);
		const again = await schemaTool(state, 'export', '--schema', 's');
		expect(again.out).toBe(readFileSync(file, 'utf8'));
	});

	test('import puts an export into another state, once, and check finds nothing there', async () => {
		const file = join(state, 'export.json');
		await schemaTool(state, 'export', '--schema', 's', '--out', file);
		const other = join(directory, `other-${states}`);
		mkdirSync(other);
		const refused = await schemaTool(other, 'import', file);
		expect([refused.code, refused.out]).toEqual([1, '']);
		expect(refused.err).toMatch(
			/^schema: Schema s belongs to nobody, and the database plant, .* to nobody\. Nothing was written/,
		);
		const own = (schema: string) => schemaTool(other, 'owner', '--schema', schema, '--database', 'plant', '--set', '7');
		await own('s');
		const imported = await schemaTool(other, 'import', file);
		expect([imported.code, imported.err]).toEqual([0, '']);
		expect(imported.lines()).toEqual([
			'Imported 3 variables, 1 chart, 0 diagrams, 1 alarm, 0 corrections, 0 reports, 0 entries and the panel into schema s, revision 6.',
			'The evaluation of its alarms goes on; stop-evaluation ends it.',
			notExportedLine.trim(),
			'All that was imported was read back and is the same.',
		]);
		expect((await schemaTool(other, 'export', '--schema', 's')).out).toBe(readFileSync(file, 'utf8'));
		expect((await schemaTool(other, 'check', '--schema', 's')).lines().at(-1)).toBe('Nothing found.');
		const again = await schemaTool(other, 'import', file);
		expect([again.code, again.out]).toEqual([1, '']);
		expect(again.err).toMatch(/^schema: Schema s is not empty: it has 3 variables, .* Nothing was written/);
		await own('t');
		const renamed = await schemaTool(other, 'import', file, '--schema', 't');
		expect([renamed.code, renamed.lines().at(-1)]).toEqual([0, 'All that was imported was read back and is the same.']);
	});

	test('import names the faults of a file and writes nothing', async () => {
		const file = join(state, 'export.json');
		await schemaTool(state, 'export', '--schema', 's', '--out', file);
		const text = readFileSync(file, 'utf8');
		const faultsOf = async (damaged: string): Promise<readonly string[]> => {
			writeFileSync(file, damaged);
			const { code, out } = await schemaTool(state, 'import', file, '--schema', 't');
			expect(code).toBe(1);
			return out.trim().split('\n');
		};
		expect(await faultsOf(text.replace('"varId": 3', '"varId": 9').replace('"lastId": 5', '"lastId": 4'))).toEqual([
			`${file}: alarms.0.id: Must be at most lastId, which is 4.`,
			`${file}: charts.0.series.1.varId: There is no variable 9: choose one that exists.`,
			'2 faults. Nothing was written.',
		]);
		expect(await faultsOf(text.replace('"id": 4,', '"id": 4, "database": 5,'))).toEqual([
			`${file}: charts.0.database: Expected text, received 5.`,
			'1 fault. Nothing was written.',
		]);
		expect((await store.schemaMetadata('t')).revision).toBe(0);
	});

	test('import refuses a drawing that a save refuses, and leaves it out by an option', async () => {
		const diagram = { id: 0, title: 'Intake', items: [{ varId: 1, x: 0, y: 0 }] };
		const deps = { store, pause: async () => undefined, now: Date.now, origin: testOrigin };
		const { board } = await saveBoard(deps, 's', boardOf('diagram', parseBoard('diagram', diagram)));
		await leaveBackground(store, 's', board.content.id, '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>');
		const file = join(state, 'export.json');
		await schemaTool(state, 'export', '--schema', 's', '--out', file);
		await schemaTool(state, 'owner', '--schema', 't', '--database', 'plant', '--set', '7');
		const reason = 'The drawing of "Intake": Holds <script> at line 1, column 41, which a background must not have: remove it.';
		const refused = await schemaTool(state, 'import', file, '--schema', 't');
		expect([refused.code, refused.lines()]).toEqual([
			1,
			[
				`${file}: diagrams.0.background: ${reason}`,
				'--without-refused-drawings imports these diagrams without their drawings.',
				'1 fault. Nothing was written.',
			],
		]);
		const imported = await schemaTool(state, 'import', file, '--schema', 't', '--without-refused-drawings');
		expect([imported.code, imported.lines()[0]]).toEqual([0, `${file}: diagrams.0.background is left out. ${reason}`]);
		const exported = JSON.parse((await schemaTool(state, 'export', '--schema', 't')).out);
		expect(exported.diagrams).toEqual([{ ...diagram, id: board.content.id, version: 1, rowVersion: 2 }]);
	});

	test('export, check and another import say that an import is not finished', async () => {
		const file = join(state, 'export.json');
		await schemaTool(state, 'export', '--schema', 's', '--out', file);
		await createSqliteSchemaImports(openDatabase(join(state, 'caudal.db'))).begin('t', {
			importId: 'abc',
			revision: 1,
			lastId: 1,
		});
		const exported = await schemaTool(state, 'export', '--schema', 't');
		expect([exported.code, exported.err]).toEqual([1, expect.stringContaining('An import into schema t is not finished')]);
		await schemaTool(state, 'owner', '--schema', 't', '--database', 'plant', '--set', '7');
		const imported = await schemaTool(state, 'import', file, '--schema', 't');
		expect([imported.code, imported.err]).toEqual([1, expect.stringContaining('An import of another file into schema t')]);
		const checked = await schemaTool(state, 'check', '--schema', 't', '--repair');
		expect([checked.code, checked.out]).toEqual([1, expect.stringContaining('left     an import that is not finished')]);
	});

	test.each([
		['a file that is not there', ['import', 'none.json'], /none\.json cannot be read: ENOENT/],
		['a schema without anything', ['export', '--schema', 'S'], /Nothing is stored for schema S/],
		['a file in no directory', ['export', '--schema', 's', '--out', join(directory, 'none', 'x.json')], /cannot be written/],
		['no schema', ['export'], /required option '--schema/],
		['an owner without a schema', ['owner', '--set', '3'], /Name the schema too, with --schema/],
		['an owner that is no client', ['owner', '--schema', 's', '--set', '0'], /positive whole number/],
		['an empty schema', ['check', '--schema', ' '], /must not be empty/],
	])('refuses %s in one line', async (_, args, words) => {
		const { code, out, err } = await schemaTool(state, ...args);
		expect([code, out]).toEqual([1, '']);
		expect(err).toMatch(words);
		expect(err.trim().split('\n')).toHaveLength(1);
	});

	test('refuses a state in memory', async () => {
		const { code, err } = await schemaTool('memory', 'check', '--schema', 's');
		expect([code, err]).toEqual([1, expect.stringContaining('STATE_DIR=memory')]);
		expect(existsSync('memory')).toBe(false);
	});

	test('owner lists, sets and shows the owners of schemas and databases', async () => {
		const run = async (...args: string[]) => (await schemaTool(state, 'owner', ...args)).lines();
		const hint =
			'A protected environment refuses sign-ins with these schemas until you set their owner: --schema S --set CLIENT.';
		const note = 'Other tokens that another client has for it stay valid until they expire.';
		expect(await run()).toEqual(['schema s: nobody', '0 owners; 1 schema with data and without an owner.', hint]);
		expect(await run('--schema', 's', '--database', 'd')).toEqual(['schema s: nobody', 'database d: nobody']);
		expect(await run('--schema', 's', '--database', 'd', '--set', '3')).toEqual([
			'schema s: client 3',
			'database d: client 3',
			note,
		]);
		expect(await run('--schema', 's', '--set', '4')).toEqual(['schema s: client 4', note]);
		expect(await run()).toEqual([
			'database d: client 3',
			'schema s: client 4',
			'2 owners; 0 schemas with data and without an owner.',
		]);
	});

	const checked =
		'Checked 3 variables, 1 chart, 0 diagrams, 1 alarm, 0 corrections, 0 reports, 0 entries and the panel of schema s.';

	test('check finds nothing in a consistent schema and exits with 0', async () => {
		for (const args of [[], ['--repair']]) {
			const { code, out, err } = await schemaTool(state, 'check', '--schema', 's', ...args);
			expect([code, out, err]).toEqual([0, `${checked}\nNothing found.\n`, '']);
		}
		const empty = await schemaTool(state, 'check', '--schema', 'S');
		expect([empty.code, empty.out]).toEqual([0, expect.stringContaining('Nothing is stored for schema S')]);
	});

	test('check prints what it finds, --repair repairs it, and another check finds nothing', async () => {
		await deleteRow(store, 's', { kind: 'variable', id: 1 });
		await damageReference(store, 's', 3, 'chart#4', null);
		await damageReference(store, 's', 3, 'alarm#5', [0, 7]);
		await damageReference(store, 's', 3, '\u001b[2J', []);
		await addBoard(store, 's', boardOf('alarm', parseBoard('alarm', { id: 6, name: 'B', varId: 1, ...alarmRule })));
		const correction = { id: 7, varId: 1, type: 'exclude', from: 1_700_000_000_000, to: 1_700_000_060_000, reason: 'Calibrated' };
		await addBoard(store, 's', boardOf('correction', parseBoard('correction', correction)));
		await damageVariable(store, 's', 2, () => ({ deleting: true }));
		const { revision } = await store.schemaMetadata('s');
		const boards = { chart: 1, diagram: 2, alarm: 0, correction: 1, report: 0, entry: 0 };
		await store.correctMetadata('s', { expectedRevision: revision, variables: 9, boards, lastId: 0 });
		const before = await contentsOf(store, 's');
		const lines = [
			'the metadata say 9 variables, 2 diagrams, 0 alarms and last id 5 instead of 2, 0, 2 and 7',
			'variable 3: alarm#5 is recorded as using bits 0, 7, but uses bit 7',
			'variable 3: "\\u001b[2J" is recorded as using the variable, but uses nothing',
			'variable 3: chart#4 is recorded as using nothing, but uses the variable',
			'the deletion of variable 2 is not finished',
			'chart#4 refers to variable 1, which does not exist',
			'alarm#6 refers to variable 1, which does not exist',
			'correction#7 refers to variable 1, which does not exist',
		];
		const gaps = [1, 2].map(
			(id) =>
				`variable#${id}: the journal of changes does not follow from version 1 to 0: less is stored than it tells of, as after a restored backup`,
		);
		const counts =
			'Checked 2 variables, 1 chart, 0 diagrams, 2 alarms, 1 correction, 0 reports, 0 entries and the panel of schema s.';
		const found = await schemaTool(state, 'check', '--schema', 's');
		expect(found.lines()).toEqual([
			...lines.map((line) => `found ${line}`),
			'1 alarm saved before alarms were evaluated: bind-alarms starts their evaluation.',
			...gaps,
			counts,
			'8 found; --repair repairs what it can.',
		]);
		expect([found.code, found.err]).toEqual([1, '']);
		expect(await contentsOf(store, 's')).toEqual(before);

		const repaired = await schemaTool(state, 'check', '--schema', 's', '--repair');
		const remedies = [
			...Array.from({ length: 4 }, () => 'corrected'),
			'deletion finished',
			'items dropped',
			'alarm deleted',
			'correction deleted',
		];
		expect(repaired.lines()).toEqual([
			...remedies.map((remedy, index) => `repaired ${lines[index]}: ${remedy}`),
			...gaps,
			counts,
			'8 found, 8 repaired, 0 left.',
		]);
		expect([repaired.code, repaired.err]).toEqual([0, '']);
		expect(await store.schemaMetadata('s')).toMatchObject({ variables: 1, lastId: 7 });
		const after = await schemaTool(state, 'check', '--schema', 's');
		expect([after.code, after.lines().at(-1)]).toEqual([0, 'Nothing found.']);
	});

	test('export has the databases and the states of alarms', async () => {
		const stored = { state: makeEvaluatorState({ value: 0 }), operator: makeOperatorState(), outbox: makeOutbox() };
		await alarms.commit('s', {
			alarmId: 5,
			state: { expected: null, put: stored.state },
			operator: { expected: null, put: stored.operator },
			outbox: { expected: null, put: stored.outbox },
		});
		await addBoard(store, 's', boardOf('alarm', parseBoard('alarm', { id: 6, name: 'B', varId: 1, ...alarmRule })));
		const { evaluation } = JSON.parse((await schemaTool(state, 'export', '--schema', 's')).out);
		expect(evaluation).toEqual({
			progress: await alarms.progress('s'),
			alarms: [
				{ id: 5, database: 'plant', ...stored },
				{ id: 6, database: null, state: null, operator: null, outbox: null },
			],
		});
	});

	test('rows that cannot be read are named by check and export, and --repair moves them to the journal', async () => {
		const database = openDatabase(join(state, 'caudal.db'));
		database.exec("UPDATE row SET body = replace(body, '\"last\"', '\"map\"') WHERE kind = 'variable' AND id = 2");
		database.exec("UPDATE row SET body = '{' WHERE kind = 'chart'");
		database.close();
		const found = ['variable#2', 'chart#4'].map(
			(row) => `${row} cannot be read: it is damaged, or a newer release wrote it, which reads it`,
		);
		const named = await schemaTool(state, 'check', '--schema', 's');
		expect([named.code, named.lines()]).toEqual([
			1,
			[...found.map((problem) => `found ${problem}`), checked, '2 found; --repair repairs what it can.'],
		]);
		expect(named.err).toContain('{"level":"ERROR","message":"stored_row_invalid","schema":"s","row":"variable#2"}');
		const exported = await schemaTool(state, 'export', '--schema', 's');
		expect(exported.err).toContain('Left out what cannot be read, with the references to it: variable#2, chart#4');
		expect(JSON.parse(exported.out)).toMatchObject({ variables: [{ id: 1 }, { id: 3 }], charts: [], alarms: [{ id: 5 }] });
		const repaired = await schemaTool(state, 'check', '--schema', 's', '--repair');
		expect([repaired.code, repaired.lines()]).toEqual([
			0,
			[
				...found.map((problem) => `repaired ${problem}: set aside; the journal of changes holds it`),
				checked,
				'2 found, 2 repaired, 0 left.',
			],
		]);
		expect((await schemaTool(state, 'check', '--schema', 's')).code).toBe(0);
		const journal = createSqliteChangeJournal(openDatabase(join(state, 'caudal.db')));
		const [, deletion] = await journal.history('s', { kind: 'variable', itemId: 2 }, 1, 9);
		expect(deletion).toMatchObject({ entry: { action: 'deleted' }, before: { content: { id: 2, type: 'map' } } });
	});

	test('check lists the days of reports that cannot be read, and --repair leaves them', async () => {
		const deps = { store, pause: async () => undefined, now: Date.now, origin: testOrigin };
		const report = { id: 0, title: 'R', lines: [{ key: 'k', name: 'L', unit: '', function: 'mean', varId: 1 }] };
		const { board } = await saveBoard(deps, 's', boardOf('report', parseBoard('report', report)));
		const reportId = board.content.id;
		const days = createSqliteReportDays(openDatabase(join(state, 'caudal.db')));
		await days.put({ schema: 's', reportId }, makeStoredDay('2026-11-20'), null);
		await days.put({ schema: 's', reportId }, makeStoredDay('2026-11-21', { lines: 'later' as never }), null);
		for (const [options, word] of [
			[[], 'found'],
			[['--repair'], 'left    '],
		] as const) {
			const { code, out } = await schemaTool(state, 'check', '--schema', 's', ...options);
			expect([code, out]).toEqual([1, expect.stringContaining(`${word} day#${reportId}#2026-11-21 cannot be read: `)]);
			expect(out).not.toContain('2026-11-20');
		}
		const all = await schemaTool(state, 'check', '--all');
		expect([all.code, all.out]).toEqual([1, expect.stringContaining('s: 1 found')]);
	});

	test('check finds a schema that is not evaluated, and --repair adds it again', async () => {
		await alarms.stopEvaluation('s');
		const lost = 'the schema has 1 alarm to evaluate, but is not in the list of evaluated schemas';
		const found = await schemaTool(state, 'check', '--schema', 's');
		expect([found.code, found.lines()]).toEqual([1, [`found ${lost}`, checked, '1 found; --repair repairs what it can.']]);
		expect(await alarms.progress('s')).toBeNull();
		const repaired = await schemaTool(state, 'check', '--schema', 's', '--repair');
		expect([repaired.code, repaired.lines()]).toEqual([
			0,
			[`repaired ${lost}: started again`, checked, '1 found, 1 repaired, 0 left.'],
		]);
		expect(await alarms.progress('s')).toMatchObject({ evaluatedUntil: null });
	});

	test('check finds a progress that cannot be read, and --repair starts it again', async () => {
		const database = openDatabase(join(state, 'caudal.db'));
		database.exec("UPDATE evaluation SET body = '{}'");
		database.close();
		const lost = 'the progress of the evaluation cannot be read';
		expect((await schemaTool(state, 'check', '--schema', 's')).lines()[0]).toBe(`found ${lost}`);
		const repaired = await schemaTool(state, 'check', '--schema', 's', '--repair');
		expect([repaired.code, repaired.lines()[0]]).toEqual([0, `repaired ${lost}: started again`]);
		expect(await alarms.progress('s')).toMatchObject({ evaluatedUntil: null });
	});

	test('check names a state that cannot be read, and leaves it', async () => {
		await alarms.commit('s', { alarmId: 5, state: { expected: null, put: makeEvaluatorState() } });
		const database = openDatabase(join(state, 'caudal.db'));
		database.exec("UPDATE alarm_row SET body = '{}'");
		database.close();
		const { code, lines } = await schemaTool(state, 'check', '--schema', 's', '--repair');
		expect([code, lines()]).toEqual([
			1,
			['left     alarm#5: a row of its state cannot be read', checked, '1 found, 0 repaired, 1 left.'],
		]);
	});

	test('bind-alarms binds alarms without a database and names those without a value', async () => {
		for (const [id, varId] of [
			[6, 2],
			[7, 2],
			[8, 3],
		] as const) {
			const rule = { ...alarmRule, ...(id === 7 ? { noDataSeconds: 0 } : {}), ...(id === 8 ? { bit: 0 } : {}) };
			await addBoard(store, 's', boardOf('alarm', parseBoard('alarm', { id, name: `Alarm ${id}`, varId, ...rule })));
		}
		await alarms.stopEvaluation('s');
		const series = await openLocalSeries(readLocalSettings({ STATE_DIR: state }), join(state, 'series.db'));
		const { calc_topic: measurement, calc_field: field } = makeQuery();
		const timeNs = BigInt(Date.now() - 1000) * 1_000_000n;
		await series.write('plant_b', [{ measurement, tags: '[]', field, value: { kind: 'float', value: 0 }, timeNs }]);
		await series.close();
		const bind = () => schemaTool(state, 'bind-alarms', '--schema', 's', '--database', 'plant_b');
		expect((await bind()).err).toMatch(/^schema: Schema s belongs to nobody, and the database plant_b, .* Nothing was written/);
		expect((await alarms.alarms('s')).alarms.filter(({ database }) => database === 'plant_b')).toEqual([]);
		await schemaTool(state, 'owner', '--schema', 's', '--database', 'plant_b', '--set', '7');
		const bound = await bind();
		expect([bound.err, bound.lines()]).toEqual([
			'',
			[
				'Bound 3 alarms of schema s to the database plant_b.',
				"Left 1 alarm bound to another database: a save of each binds it to that of the user's token.",
				'Their evaluation starts now.',
				'1 alarm has no value now and is raised as no_data unless data arrives: 6 "Alarm 6".',
			],
		]);
		expect((await alarms.alarms('s')).alarms.map(({ database, version }) => [database, version])).toEqual([
			['plant', 1],
			['plant_b', 1],
			['plant_b', 1],
			['plant_b', 1],
		]);
		expect(await alarms.progress('s')).toMatchObject({ evaluatedUntil: null, createdAt: expect.any(Number) });
		const page = { start: 2_000_000, end: Date.now() + 60_000, alarmId: null, limit: 10, after: null };
		const { events } = await alarms.events('s', page);
		const ofBound = events.filter(({ alarmId }) => alarmId !== 5);
		expect(ofBound.map(({ alarmId, kind, comment }) => [alarmId, kind, comment])).toEqual(
			[8, 7, 6].map((id) => [id, 'changed', 'From now on it is evaluated on the database plant_b.']),
		);
		expect((await bind()).lines()[0]).toBe('Bound 0 alarms of schema s to the database plant_b.');
	});

	test('stop-evaluation ends the evaluation of a schema, and keeps its states', async () => {
		await alarms.commit('s', { alarmId: 5, state: { expected: null, put: makeEvaluatorState() } });
		const stop = async () => (await schemaTool(state, 'stop-evaluation', '--schema', 's')).out;
		expect(await stop()).toMatch(/^The alarms of schema s are not evaluated any more\./);
		expect(await alarms.progress('s')).toBeNull();
		expect((await alarms.rows('s')).rows.size).toBe(1);
		expect(await stop()).toBe('The alarms of schema s were not evaluated.\n');
	});

	test('stop-reports ends the runs of a schema, and start-reports begins them again', async () => {
		const tool = (command: string) => schemaTool(state, command, '--schema', 's');
		const refused = await tool('stop-reports');
		expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('The schema s has no owner')]);
		await schemaTool(state, 'owner', '--schema', 's', '--set', '7');
		const closings = createSqliteReportClosings(openDatabase(join(state, 'caudal.db')));
		expect((await tool('stop-reports')).out).toMatch(/^The days of the reports of schema s are not stored and sent any more\./);
		expect(await closings.begin('s', 1, 2)).toBe(false);
		expect((await tool('start-reports')).out).toBe('The days of the reports of schema s are stored and sent within 5 minutes.\n');
		expect(await closings.begin('s', 1, 2)).toBe(true);
	});

	test('check --all checks every schema, and excludes --schema', async () => {
		await schemaTool(state, 'owner', '--schema', 't', '--set', '7');
		const consistent = await schemaTool(state, 'check', '--all');
		expect([consistent.code, consistent.out, consistent.err]).toEqual([0, 'Checked 2 schemas: nothing found.\n', '']);
		await damageReference(store, 's', 3, 'chart#4', null);
		const found = await schemaTool(state, 'check', '--all');
		expect([found.code, found.lines()]).toEqual([
			1,
			[
				's: 1 found',
				'Checked 2 schemas: 1 found.',
				'Check a schema by itself for what it is: --schema NAME; --repair repairs what it can.',
			],
		]);
		const repaired = await schemaTool(state, 'check', '--all', '--repair');
		expect([repaired.code, repaired.lines()]).toEqual([
			0,
			['s: 1 found, 1 repaired, 0 left', 'Checked 2 schemas: 1 found, 1 repaired, 0 left.'],
		]);
		for (const args of [[], ['--all', '--schema', 's']]) {
			const refused = await schemaTool(state, 'check', ...args);
			expect([refused.code, refused.out, refused.err]).toEqual([
				1,
				'',
				'schema: Name one schema with --schema, or check every one with --all.\n',
			]);
		}
	});

	test('check --repair leaves what needs a person and exits with 1', async () => {
		const item = { id: 1, name: 'S', varId: 3, type: 'status' as const, bit: 7 };
		await savePanel(
			{ store, pause: async () => undefined, now: Date.now, origin: testOrigin },
			's',
			makePanel(1, { states: [item] }),
		);
		await damageReference(store, 's', 3, 'chart#4', null);
		await leaveBits(store, 's', 3, 0);
		const { code, lines } = await schemaTool(state, 'check', '--schema', 's', '--repair');
		expect(lines()).toEqual([
			'repaired variable 3: chart#4 is recorded as using nothing, but uses the variable: corrected',
			'left     alarm#5 uses bit 7 of variable 3, which does not define it: choose another bit and save it',
			'left     panel states.0 uses bit 7 of variable 3, which does not define it: choose another bit and save it',
			checked,
			'3 found, 1 repaired, 2 left.',
		]);
		expect(code).toBe(1);
	});
});

describe('npm run schema, beside a running service', () => {
	const STATE_DIR = join(directory, 'running');
	let local: LocalServer;
	beforeAll(async () => {
		local = await startLocal({ STATE_DIR, DEMO_PLANT: 'on' });
	});
	afterAll(() => local.close());

	test('exports and checks the rows of the service', async () => {
		const exported = await schemaTool(STATE_DIR, 'export', '--schema', 'plant_a');
		expect(exported.code).toBe(0);
		const { variables, panel } = JSON.parse(exported.out);
		expect(variables.length).toBeGreaterThan(5);
		expect(panel.title).not.toBe('');
		const { code, lines } = await schemaTool(STATE_DIR, 'check', '--schema', 'plant_a', '--repair');
		expect([code, lines().at(-1)]).toEqual([0, 'Nothing found.']);
	});
});
