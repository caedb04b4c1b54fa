import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { boardKinds, boardOf, parseBoard } from '#domain/board/board.ts';
import { parsePanel } from '#domain/panel/panel.ts';
import type { SchemaStore } from '#domain/ports/schema-store.ts';
import { saveBoard } from '#domain/use-cases/save-board.ts';
import { savePanel } from '#domain/use-cases/save-panel.ts';
import { saveVariable } from '#domain/use-cases/save-variable.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteSchemaStore } from '#infra/local/adapters/sqlite/sqlite-schema-store.ts';
import type { LocalServer } from '#infra/local/server.ts';
import { makeBitsBody, makeBody, makeCalculatedBody, makePanel } from '#test/support/builders/builders.ts';
import { contentsOf, damageUser, damageVariable, drop, leaveBits } from '#test/support/builders/damage.ts';
import { run } from '#test/support/process.ts';
import { startLocal } from '#test/support/servers/local.ts';

const directory = mkdtempSync(join(tmpdir(), 'caudal-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const schemaTool = async (STATE_DIR: string, ...args: string[]) => {
	const program = run('infra/tools/schema/schema.ts', args, { STATE_DIR });
	const streams = { out: '', err: '' };
	program.child.stdout?.on('data', (chunk: Buffer) => (streams.out += chunk.toString()));
	program.child.stderr?.on('data', (chunk: Buffer) => (streams.err += chunk.toString()));
	return { code: await program.ended, ...streams, lines: () => streams.out.trim().split('\n') };
};

describe('schema, on a state of its own', () => {
	let states = 0;
	let state: string;
	let store: SchemaStore;
	let close: () => void;
	/** Variables 1 (`__proto__`, plain), 2 (calculated) and 3 (bits 0, 7); chart 4 of 1 and 3, alarm 5 of 3's bit 7, the panel of 1. */
	beforeEach(async () => {
		states += 1;
		state = join(directory, `state-${states}`);
		mkdirSync(state);
		const database = openDatabase(join(state, 'caudal.db'));
		close = () => database.close();
		store = createSqliteSchemaStore(database);
		const deps = { store, pause: async () => undefined };
		const bodies = [makeBody({ name: '__proto__' }), makeCalculatedBody('constructor + __proto__ / 2'), makeBitsBody()];
		for (const body of bodies) await saveVariable(deps, 's', parseVariable(body));
		const chart = { id: 0, title: 'C', series: [{ varId: 1, label: 'é "\n' }, { varId: 3 }] };
		await saveBoard(deps, 's', boardOf('chart', parseBoard('chart', chart)));
		const rule = { condition: '>', threshold: 1, severity: 'info', message: 'm' };
		await saveBoard(deps, 's', boardOf('alarm', parseBoard('alarm', { id: 0, name: 'A', varId: 3, bit: 7, ...rule })));
		await savePanel(deps, 's', makePanel(1, { title: 'Station' }));
		return close;
	});

	test('export gives back every variable, board and panel as stored', async () => {
		const { code, out, err } = await schemaTool(state, 'export', '--schema', 's');
		expect([code, err]).toEqual([
			0,
			'Exported 3 variables, 1 chart, 0 diagrams, 1 alarm and the panel of schema s, revision 6.\n',
		]);
		const exported = JSON.parse(out);
		expect([exported.schema, exported.revision, exported.lastId]).toEqual(['s', 6, 5]);
		const stored = await contentsOf(store, 's');
		expect(exported.variables.map(parseVariable)).toEqual(stored.variables.map(({ variable }) => variable));
		for (const kind of boardKinds)
			expect(exported[`${kind}s`].map((board: unknown) => parseBoard(kind, board))).toEqual(
				stored[`${kind}s`].map(({ board }) => board.content),
			);
		expect(parsePanel(exported.panel)).toEqual(makePanel(1, { title: 'Station' }));
		const versions = [...exported.variables, ...exported.charts, ...exported.alarms, exported.panel];
		expect(versions.map(({ version }) => version)).toEqual([1, 1, 1, 1, 1, 1]);
		expect(Object.keys(exported.variables[0].varsTsdb)).toEqual(['__proto__']);
	});

	test('export to a file replaces it whole, and says so; what is being deleted is left out', async () => {
		await damageVariable(store, 's', 2, () => ({ deleting: true }));
		const file = join(state, 'export.json');
		writeFileSync(file, 'older');
		const { code, out } = await schemaTool(state, 'export', '--schema', 's', '--out', file);
		expect([code, out]).toEqual([
			0,
			`Exported 2 variables, 1 chart, 0 diagrams, 1 alarm and the panel of schema s, revision 7 to ${file}.\n` +
				'Left out 1 variable, deleted but not to the end: check --repair finishes that.\n',
		]);
		expect(JSON.parse(readFileSync(file, 'utf8')).variables.map(({ id }: { id: number }) => id)).toEqual([1, 3]);
		expect(readdirSync(state).filter((name) => name.includes('partial'))).toEqual([]);
		const again = await schemaTool(state, 'export', '--schema', 's');
		expect(again.out).toBe(readFileSync(file, 'utf8'));
	});

	test.each([
		['a schema without anything', ['export', '--schema', 'S'], /Nothing is stored for schema S/],
		['a file in no directory', ['export', '--schema', 's', '--out', join(directory, 'none', 'x.json')], /cannot be written/],
		['no schema', ['export'], /required option '--schema/],
		['an empty schema', ['check', '--schema', ' '], /must not be empty/],
	])('refuses %s in one line', async (_, args, words) => {
		const { code, out, err } = await schemaTool(state, ...args);
		expect([code, out]).toEqual([1, '']);
		expect(err).toMatch(words);
		expect(err.trim().split('\n')).toHaveLength(1);
	});

	test('a state that keeps nothing is refused', async () => {
		const { code, err } = await schemaTool('memory', 'check', '--schema', 's');
		expect([code, err]).toEqual([1, expect.stringContaining('STATE_DIR=memory')]);
		expect(existsSync('memory')).toBe(false);
	});

	const checked = 'Checked 3 variables, 1 chart, 0 diagrams, 1 alarm and the panel of schema s.';

	test('check of a schema that is right: nothing found, and 0', async () => {
		for (const args of [[], ['--repair']]) {
			const { code, out, err } = await schemaTool(state, 'check', '--schema', 's', ...args);
			expect([code, out, err]).toEqual([0, `${checked}\nNothing found.\n`, '']);
		}
		const empty = await schemaTool(state, 'check', '--schema', 'S');
		expect([empty.code, empty.out]).toEqual([0, expect.stringContaining('Nothing is stored for schema S')]);
	});

	test('check says what it finds, repair mends it, and another check finds nothing', async () => {
		await drop(store, 's', { kind: 'variable', id: 1 });
		await leaveBits(store, 's', 3, 0);
		await damageUser(store, 's', 3, 'chart#4', null);
		await damageUser(store, 's', 3, '\u001b[2J', []);
		await damageVariable(store, 's', 2, () => ({ deleting: true }));
		const { revision } = await store.schemaMetadata('s');
		await store.correctMetadata('s', { expectedRevision: revision, variables: 9, lastId: 0 });
		const before = await contentsOf(store, 's');
		const lines = [
			'the head counts 9 variables, and there are 2',
			'variable 3 says that "\\u001b[2J" uses it, which it does not',
			'variable 3 does not know that chart#4 uses it',
			'the deletion of variable 2 was begun and not finished',
			'chart#4 refers to variable 1, which is not there',
			'alarm#5 picks bit 7 of variable 3, which does not define it',
		];
		const counts = 'Checked 2 variables, 1 chart, 0 diagrams, 1 alarm and the panel of schema s.';
		const found = await schemaTool(state, 'check', '--schema', 's');
		expect(found.lines()).toEqual([
			...lines.map((line) => `found  ${line}`),
			counts,
			'6 found; --repair mends what can be mended.',
		]);
		expect([found.code, found.err]).toEqual([1, '']);
		expect(await contentsOf(store, 's')).toEqual(before);

		const mended = await schemaTool(state, 'check', '--schema', 's', '--repair');
		const did = ['counted anew', 'corrected', 'corrected', 'deletion finished', '1 item dropped', 'board deleted'];
		expect(mended.lines()).toEqual([
			...did.map((words, index) => `mended ${lines[index]}: ${words}`),
			counts,
			'6 found, 6 mended.',
		]);
		expect([mended.code, mended.err]).toEqual([0, '']);
		expect(await store.schemaMetadata('s')).toMatchObject({ variables: 1 });
		const after = await schemaTool(state, 'check', '--schema', 's');
		expect([after.code, after.lines().at(-1)]).toEqual([0, 'Nothing found.']);
	});

	test('what only a person can mend is left, and the code says so', async () => {
		const item = { id: 1, name: 'S', varId: 3, type: 'status' as const, bit: 7 };
		await savePanel({ store, pause: async () => undefined }, 's', makePanel(1, { states: [item] }));
		await leaveBits(store, 's', 3, 0);
		const { code, lines } = await schemaTool(state, 'check', '--schema', 's', '--repair');
		expect(lines()).toEqual([
			'mended alarm#5 picks bit 7 of variable 3, which does not define it: board deleted',
			"left   the panel's states.0 picks bit 7 of variable 3, which does not define it: bind the item anew and save the panel",
			checked,
			'2 found, 1 mended, 1 left.',
		]);
		expect(code).toBe(1);
	});
});

describe('schema, beside a running service', () => {
	const STATE_DIR = join(directory, 'running');
	let local: LocalServer;
	beforeAll(async () => {
		local = await startLocal({ STATE_DIR, DEMO_PLANT: 'on' });
	});
	afterAll(() => local.close());

	test('exports and checks what the service has', async () => {
		const exported = await schemaTool(STATE_DIR, 'export', '--schema', 'plant_a');
		expect(exported.code).toBe(0);
		const { variables, panel } = JSON.parse(exported.out);
		expect(variables.length).toBeGreaterThan(5);
		expect(panel.title).not.toBe('');
		const { code, lines } = await schemaTool(STATE_DIR, 'check', '--schema', 'plant_a', '--repair');
		expect([code, lines().at(-1)]).toEqual([0, 'Nothing found.']);
	});
});
