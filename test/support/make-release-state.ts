import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { callOk, signIn } from '#test/e2e/target.ts';
import { makeAlarmBody, makeBitsBody, makeBody, makeCalculatedBody, makePanel, makeQuery } from './builders/builders.ts';
import { openLocalTarget } from './servers/local.ts';

/**
 * Writes the state directory of this release, with a row of each kind, and `expected.json`: what it answers at `now`. Run once for each
 * release: `node test/support/make-release-state.ts test/data/state-X.Y.Z`. test/infra/local/release-states.test.ts opens it ever after.
 */
const directory = resolve(process.argv[2] ?? '');
const now = Date.parse('2026-11-24T10:00:00Z');
const hourMs = 3_600_000;
const schema = 'plant_b';

/** The requests whose answers a later release must give likewise. */
const requests = (report: number, start: number) =>
	[
		...['/getVarsTsdb', '/getCharts', '/getDiagrams', '/getAlarms', '/getCorrections', '/getReports', '/getEntries'],
		...['/getMachines', '/getPeople', '/bombs', '/changes', '/usages/1', '/topics', `/reportDay?id=${report}&date=2026-11-22`],
	]
		.map((path): readonly [path: string, body?: unknown] => [path])
		.concat([
			['/multipleDataTsdb', {}],
			['/history', { ids: [1, 2], start, end: now, period: { count: 1, unit: 'h' }, aggregates: ['own', 'mean'] }],
			['/readReport', { id: report, start: '2026-11-22', end: now, period: 'day' }],
		]);

rmSync(directory, { recursive: true, force: true });
const target = await openLocalTarget({ STATE_DIR: directory }, () => now);
const token = await signIn(target, 'b');
const send = (path: string, body?: unknown) => callOk(target, body === undefined ? 'GET' : 'POST', path, { token, body });
const save = async (path: string, body: unknown): Promise<number> => (await send(path, body)).data.id;

const query = (topic: string) => makeQuery({ calc_topic: topic, calc_time: 2, calc_unit: 'h' });
const flow = await save('/saveVariable', makeBody({ name: 'Flow', unit: 'm³/h', varsTsdb: { Flow: query('flow') } }));
await save('/saveVariable', { ...makeCalculatedBody('a + b'), varsTsdb: { a: query('flow'), b: query('level') } });
await save('/saveVariable', makeBitsBody());
const deleted = await save('/saveVariable', makeBody({ name: 'Gone', varsTsdb: { Gone: query('gone') } }));
await send(`/deleteVar/${deleted}`, {});
const hours = Array.from({ length: 72 }, (_, index) => now - index * hourMs);
await target.feed(schema, hours.map((at, index) => `flow value=${index % 7} ${at}\nlevel value=${index} ${at}`).join('\n'));
await save('/saveChart', { id: 0, title: 'Wells', series: [{ varId: flow }] });
await save('/saveDiagram', { id: 0, title: 'Plant', items: [{ varId: flow, x: 0.5, y: 0 }] });
await save('/saveAlarm', makeAlarmBody({ varId: flow }));
const wrong = { from: now - 5 * hourMs, to: now - 4 * hourMs, reason: 'Calibration' };
await save('/saveCorrection', { id: 0, varId: flow, type: 'exclude', ...wrong });
const lines = [
	{ key: 'volume', name: 'Volume', unit: 'm³', function: 'total', varId: flow, per: 'h', holdSeconds: 3600, range: [0, 10] },
	{ key: 'billed', name: 'Billed', unit: 'm³', function: 'entered' },
];
const report = await save('/saveReport', {
	id: 0,
	title: 'Daily',
	timeZone: 'Europe/Madrid',
	dayStart: '00:00',
	send: false,
	lines,
});
await save('/saveEntry', {
	id: 0,
	reportId: report,
	key: 'billed',
	from: '2026-10-01',
	to: '2026-10-31',
	value: 0,
	reason: 'Bills',
});
await send('/sealReportDays', { id: report, from: '2026-11-22', to: '2026-11-22', reason: 'Audit' });
await send('/bombs', makePanel(flow));
// The alarm is evaluated in the background.
while ((await send('/getAlarms')).data[0].state === null) await setTimeout(100);
const answers = [];
for (const [path, body] of requests(report, now - 12 * hourMs)) answers.push({ path, body, answer: await send(path, body) });
await target.close();
for (const name of ['lock.db', 'write-token']) rmSync(join(directory, name), { force: true });
writeFileSync(join(directory, 'expected.json'), `${JSON.stringify({ now, answers }, null, '\t')}\n`);
