import * as v from 'valibot';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { boardKinds } from '#domain/board/board-kinds.ts';
import { panelKey } from '#domain/transaction/read-set.ts';
import type { Stores } from '#infra/local/wiring/stores.ts';
import { exportText, readContents, type SchemaContents } from '#infra/tools/schema/contents.ts';
import { importSchema } from '#infra/tools/schema/import.ts';
import { parseExport } from '#infra/tools/schema/import-file.ts';
import { type Random, randomFrom } from '#test/support/alarms/random.ts';
import { makeEvaluatorState, makeOperatorState, makeOutbox } from '#test/support/builders/alarm-rows.ts';
import { firstSeed } from '#test/support/cases.ts';
import { makeStoredDay } from '#test/support/reports/report-days.ts';
import { dyingStores, Killed } from './dying-stores.ts';
import { type InProcessService, openInProcess, plantNow } from './in-process.ts';
import { randomPlant, savePlant } from './random-plant.ts';

const itemSchema = v.looseObject({ id: v.optional(v.number(), 0), version: v.optional(v.number()) });
const dataSchema = v.object({ data: v.optional(v.union([v.array(itemSchema), itemSchema])) });

type Item = v.InferOutput<typeof itemSchema>;

const lists = ['getVarsTsdb', 'getCharts', 'getDiagrams', 'getReports', 'getCorrections', 'getAlarms', 'getBombs'] as const;

/** An export, and its import into an empty schema (infra/tools/schema/README.md). `environment`: settings of each service by its number. */
export const importSuite = (environment: () => Readonly<Record<string, string>>, cases: number): void => {
	let first: InProcessService;
	let second: InProcessService;
	beforeAll(async () => {
		first = await openInProcess(environment());
		second = await openInProcess(environment());
		vi.spyOn(process.stdout, 'write').mockReturnValue(true);
	}, 60_000);
	afterAll(async () => {
		vi.restoreAllMocks();
		await first.close();
		await second.close();
	});

	const call = async ({ call: send }: InProcessService, schema: string, path: string, body?: unknown) => {
		const post = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
		const response = await send(schema, new Request(`http://plant.invalid/${path}`, body === undefined ? {} : post));
		return { status: response.status, etag: response.headers.get('etag'), body: await response.json() };
	};
	const itemsOf = async (service: InProcessService, schema: string, path: string): Promise<readonly Item[]> =>
		[v.parse(dataSchema, (await call(service, schema, path)).body).data ?? []].flat();

	/** Everything that the API answers about definitions, and the readings of all variables. */
	const answersOf = async (service: InProcessService, schema: string) => {
		const answers: Record<string, unknown> = {};
		for (const path of lists) answers[path] = await call(service, schema, path);
		const ids = (await itemsOf(service, schema, 'getVarsTsdb')).map(({ id }) => id);
		answers['readings'] = ids.length === 0 ? null : await call(service, schema, 'multipleDataTsdb', { ids });
		for (const id of ids) answers[`usages of ${id}`] = await call(service, schema, `usages/${id}`);
		for (const { id } of await itemsOf(service, schema, 'getReports'))
			answers[`report ${id}`] = await call(service, schema, 'readReport', {
				id,
				start: '2026-11-22T00:00:00Z',
				end: '2026-11-24T00:00:00Z',
				period: 'day',
			});
		return answers;
	};

	/** Saves a plant, changes and deletes some of it, and gives some alarms states, so that versions and ids have gaps. */
	const seed = async (schema: string, random: Random) => {
		await savePlant((request) => first.call(schema, request), randomPlant(random), random);
		const save = { getVarsTsdb: 'saveVariable', getCharts: 'saveChart', getDiagrams: 'saveDiagram', getReports: 'saveReport' };
		for (const [list, path] of Object.entries(save))
			for (const item of await itemsOf(first, schema, list)) {
				const { version: _version, ...content } = item;
				const change = list === 'getVarsTsdb' ? { unit: 'changed' } : { title: 'changed' };
				if (random.chance(0.4)) expect((await call(first, schema, path, { ...content, ...change })).status).toBe(200);
			}
		const [variable] = await itemsOf(first, schema, 'getVarsTsdb');
		const times = { from: '2026-11-20T08:00:00Z', to: '2026-11-20T08:30:00Z' };
		const correction = { id: 0, varId: variable?.id, type: 'exclude', ...times, reason: 'a\n"b"' };
		if (random.chance(0.5)) expect((await call(first, schema, 'saveCorrection', correction)).status).toBe(200);
		const last = (await itemsOf(first, schema, 'getVarsTsdb')).at(-1);
		if (random.chance(0.3) && last !== undefined) await call(first, schema, `deleteVar/${last.id}`, {});
		for (const { id } of await itemsOf(first, schema, 'getAlarms')) {
			if (random.chance(0.3)) continue;
			await first.stores.alarms.commit(schema, {
				alarmId: id,
				state: { expected: null, put: makeEvaluatorState({ value: 0, occurrence: 3, seq: 4, rowVersion: 9 }) },
				...(random.chance(0.5)
					? { operator: { expected: null, put: makeOperatorState({ reason: '"x"\n', rowVersion: 2 }) } }
					: {}),
				...(random.chance(0.5) ? { outbox: { expected: null, put: makeOutbox() } } : {}),
			});
		}
		if (random.chance(0.5) && (await first.stores.alarms.acquireLease(schema, 'lease', plantNow)) !== null)
			await first.stores.alarms.updateProgress(schema, {
				lease: 'lease',
				expected: null,
				evaluatedUntil: plantNow,
				lastSentAt: 7,
			});
	};

	const exported = async ({ stores }: InProcessService, schema: string) =>
		exportText((await readContents(stores, schema)).contents);
	const parsed = (text: string) => {
		const read = parseExport(text, plantNow);
		if ('faults' in read) throw new Error(JSON.stringify(read.faults));
		return read.contents;
	};
	/** Makes one client the owner of a schema and of the databases that its contents name. */
	const own = async ({ owners }: Stores, { schema, boards }: SchemaContents) => {
		await owners.set({ kind: 'schema', name: schema, clientId: 7 });
		for (const { database } of boards)
			if (database !== undefined) await owners.set({ kind: 'database', name: database, clientId: 7 });
	};
	const importInto = async (stores: Stores, text: string) => {
		const contents = parsed(text);
		await own(stores, contents);
		return importSchema(stores, contents, () => plantNow);
	};

	/** All rows as they are stored. In which order a variable knows its boards does not count. */
	const rowsOf = async ({ stores: { store } }: InProcessService, schema: string) => {
		const { boards: counts, ...metadata } = await store.schemaMetadata(schema);
		return {
			variables: (await store.list(schema, 'variable')).map((row) => ({ ...row, referencedBy: [...row.referencedBy].sort() })),
			boards: await Promise.all(boardKinds.map((kind) => store.list(schema, kind))),
			panel: await store.get(schema, [panelKey]),
			metadata: { ...metadata, listed: null, changes: null, marks: null },
			// A kind that never had a board is not counted yet.
			counts: boardKinds.map((kind) => counts[kind] ?? 0),
		};
	};

	test(`comes back with the same answers, and the same export byte by byte: ${cases} plants from seed ${firstSeed} on`, {
		timeout: 60_000 + cases * 10_000,
	}, async () => {
		let [withCorrections, withStates, withProgress] = [0, 0, 0];
		for (let number = firstSeed; number < firstSeed + cases; number += 1) {
			const schema = `import${number}`;
			await seed(schema, randomFrom(number));
			const text = await exported(first, schema);
			const contents = parsed(text);
			withStates += contents.alarmRows.size;
			withCorrections += contents.boards.filter(({ kind }) => kind === 'correction').length;
			withProgress += contents.progress?.evaluatedUntil === plantNow ? 1 : 0;
			expect(await importInto(second.stores, text), `seed ${number}`).toBe(0);
			expect(await exported(second, schema), `seed ${number}`).toBe(text);
			expect(await rowsOf(second, schema), `seed ${number}`).toEqual(await rowsOf(first, schema));
			expect(await answersOf(second, schema), `seed ${number}`).toEqual(await answersOf(first, schema));
			expect(await second.stores.imports.current(schema)).toBeNull();
		}
		// Of a few plants, it is chance whether one has each.
		if (cases > 50) expect(Math.min(withCorrections, withStates, withProgress)).toBeGreaterThan(0);
	});

	test('goes on after a kill at every write, before and after it', { timeout: 600_000 }, async () => {
		const schema = 'killed';
		for (let index = 0; index < 210; index += 1) expect((await saveNumbered(first, schema, index)).status).toBe(200);
		await seed(schema, randomFrom(1));
		const text = await exported(first, schema);
		const other = text.replace('"title": "changed"', '"title": "other"').replace('"unit": "changed"', '"unit": "other"');
		expect(other).not.toBe(text);
		let kills = 0;
		for (let at = 0, isKilled = true; isKilled; at += 1)
			for (const moment of ['before', 'after'] as const) {
				const target = await openInProcess(environment());
				const { stores, wasKilled } = dyingStores(target.stores, { write: at, moment });
				await importInto(stores, text).catch((error: unknown) => {
					if (!(error instanceof Killed)) throw error;
				});
				isKilled = wasKilled();
				if (isKilled && (await target.stores.imports.current(schema)) !== null) {
					kills += 1;
					await expect(importInto(target.stores, other)).rejects.toThrow(/another file .* was interrupted/);
					await expect(exported(target, schema)).rejects.toThrow(/not finished/);
					expect(await importInto(target.stores, text), `${moment} write ${at}`).toBe(0);
				} else if (isKilled && (await target.stores.store.revision(schema)).revision === 0)
					expect(await importInto(target.stores, text), `${moment} write ${at}`).toBe(0);
				expect(await exported(target, schema), `${moment} write ${at}`).toBe(text);
				await target.close();
			}
		expect(kills).toBeGreaterThan(10);
	});

	test('keeps what somebody saves between an interruption and the end, and names it', { timeout: 60_000 }, async () => {
		const schema = 'between';
		await seed(schema, randomFrom(2));
		const text = await exported(first, schema);
		const { stores } = dyingStores(second.stores, { write: 1, moment: 'after' });
		await expect(importInto(stores, text)).rejects.toThrow(Killed);
		const [variable] = await itemsOf(second, schema, 'getVarsTsdb');
		const { version: _version, ...content } = variable ?? { version: 0 };
		expect((await call(second, schema, 'saveVariable', { ...content, unit: 'theirs' })).status).toBe(200);
		const added = await call(second, schema, 'saveChart', { id: 0, title: 'theirs', series: [] });
		expect(added.body).toMatchObject({ data: { id: parsed(text).lastId + 1 } });
		const printed = vi.mocked(process.stdout.write);
		printed.mockClear();
		expect(await importInto(second.stores, text)).toBe(1);
		const output = printed.mock.calls.map(([line]) => String(line)).join('');
		expect(output).toMatch(/variable#\d+ was saved by somebody meanwhile, and stays so/);
		expect(output).toMatch(/lastId differs from the file/);
		const after = await itemsOf(second, schema, 'getVarsTsdb');
		expect(after.find(({ id }) => id === variable?.id)).toMatchObject({ unit: 'theirs' });
		expect(await second.stores.imports.current(schema)).toBeNull();
	});

	test('is refused where anything is there, and writes nothing', { timeout: 60_000 }, async () => {
		await seed('full', randomFrom(4));
		const full = parsed(await exported(first, 'full'));
		const reportId = full.boards.find(({ kind }) => kind === 'report')?.board.content.id ?? 0;
		expect(reportId).toBeGreaterThan(0);
		const alarm = { state: { expected: null, put: makeEvaluatorState() } };
		const there = {
			variable: [/1 variable/, (schema: string) => saveNumbered(second, schema, 1)],
			deleted: [
				/definitions that were deleted/,
				async (schema: string) => {
					await saveNumbered(second, schema, 1);
					await call(second, schema, 'deleteVar/1', {});
				},
			],
			id: [/ids up to 1 were assigned/, (schema: string) => second.stores.store.nextId(schema)],
			state: [/states of 1 alarm/, (schema: string) => second.stores.alarms.commit(schema, { alarmId: 3, ...alarm })],
			progress: [/list of evaluated schemas/, (schema: string) => second.stores.alarms.startEvaluation(schema, 1)],
			days: [
				/stored days of 1 report/,
				(schema: string) => second.stores.reportDays.put({ schema, reportId }, makeStoredDay('2026-11-20'), null),
			],
		} as const;
		for (const [name, [words, make]] of Object.entries(there)) {
			const schema = `there-${name}`;
			await own(second.stores, { ...full, schema });
			await make(schema);
			const before = await allOf(second, schema);
			await expect(importSchema(second.stores, { ...full, schema }, () => plantNow)).rejects.toThrow(words);
			await expect(importSchema(second.stores, { ...full, schema }, () => plantNow)).rejects.toThrow('Nothing was written');
			expect(await allOf(second, schema)).toEqual(before);
		}
		await own(second.stores, full);
		await importSchema(second.stores, full, () => plantNow);
		await expect(importSchema(second.stores, full, () => plantNow)).rejects.toThrow(/is not empty: it has/);
	});

	test('is refused, and writes nothing, unless the owner of the schema owns each database of the file', {
		timeout: 60_000,
	}, async () => {
		await seed('owned', randomFrom(4));
		const contents = parsed(await exported(first, 'owned'));
		const databases = [...new Set(contents.boards.flatMap(({ database }) => database ?? []))];
		expect(databases).toHaveLength(1);
		const database = databases[0] ?? '';
		const { owners } = second.stores;
		const cases = [
			[null, null],
			[7, null],
			[null, 7],
			[7, 8],
			[8, 7],
		] as const;
		for (const [ofSchema, ofDatabase] of cases) {
			const schema = `owned-${ofSchema}-${ofDatabase}`;
			// A database that nobody owned gets an owner once, so each case has a name of its own.
			const name = `${database}-${ofSchema}-${ofDatabase}`;
			if (ofSchema !== null) await owners.set({ kind: 'schema', name: schema, clientId: ofSchema });
			if (ofDatabase !== null) await owners.set({ kind: 'database', name, clientId: ofDatabase });
			const bound = contents.boards.map((row) => (row.database === undefined ? row : { ...row, database: name }));
			const run = () => importSchema(second.stores, { ...contents, schema, boards: bound }, () => plantNow);
			const before = await allOf(second, schema);
			await expect(run()).rejects.toThrow(`owner --schema ${schema} --database ${name} --set CLIENT`);
			expect(await allOf(second, schema)).toEqual(before);
			await owners.set({ kind: 'schema', name: schema, clientId: 9 });
			await owners.set({ kind: 'database', name, clientId: 9 });
			expect(await run()).toBe(0);
		}
	});

	const saveNumbered = (service: InProcessService, schema: string, number: number) =>
		call(service, schema, 'saveVariable', {
			id: 0,
			name: `Level ${number}`,
			unit: 'm',
			type: 'last',
			process: 'intake',
			calc: false,
			binary_compressed: false,
			varsTsdb: {
				[`Level ${number}`]: {
					calc_topic: `plant/${number}`,
					calc_field: 'value',
					calc_time: 1,
					calc_unit: 'h',
					calc_period: 1,
					calc_unit_period: 'm',
					calc_type_period: 'last',
				},
			},
		});
	const allOf = async ({ stores: { store, alarms, imports } }: InProcessService, schema: string) => ({
		metadata: await store.schemaMetadata(schema),
		variables: await store.list(schema, 'variable'),
		charts: await store.list(schema, 'chart'),
		rows: await alarms.rows(schema),
		progress: await alarms.progress(schema),
		current: await imports.current(schema),
	});
};
