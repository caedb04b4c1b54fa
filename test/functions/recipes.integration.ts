import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import jsonata from 'jsonata';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { demoMachine } from '#infra/local/demo/idp.ts';
import { readConfig } from '#shared/config.ts';
import { run } from '#test/support/foreign-tools/run.ts';
import { type LocalTarget, openLocalTarget } from '#test/support/servers/local.ts';

const document = readFileSync(new URL('../../functions/RECIPES.md', import.meta.url), 'utf8');
/** The blocks of code of each recipe, with the address of the service under test. */
const recipeOf = (title: string, language: string, baseUrl: string): string => {
	const [, section = ''] = document.split(`\n## ${title}\n`);
	const [, code = ''] = new RegExp(`\`\`\`${language}\\n(.*?)\n\`\`\``, 's').exec(section.split('\n## ')[0] ?? '') ?? [];
	expect(code).not.toBe('');
	return code.replaceAll('http://127.0.0.1:3000', baseUrl);
};
const basicOf = (user: string, password: string) => ({
	authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});
const folder = mkdtempSync(join(tmpdir(), 'caudal-recipes-'));

describe('a recipe', () => {
	let target: LocalTarget;
	beforeAll(async () => {
		target = await openLocalTarget({ DEMO_PLANT: 'on' });
	}, 60_000);
	afterAll(async () => {
		await target.close();
		rmSync(folder, { recursive: true, force: true });
	});
	const machine = basicOf(demoMachine.clientId, demoMachine.secret);
	const recipe = (title: string, language: string) => recipeOf(title, language, target.baseUrl);
	const jsonOf = async (response: Response) => {
		expect(response.status).toBe(200);
		return JSON.parse(await response.text());
	};

	test('for Grafana: the source passes its test, and a panel has a series', async () => {
		const [source] = parse(recipe('Grafana', 'yaml')).datasources;
		const headers = basicOf(source.basicAuthUser, source.secureJsonData.basicAuthPassword);
		expect(source.jsonData.httpMethod).toBe('POST');
		const send = async (path: string, fields: Readonly<Record<string, string>>) =>
			jsonOf(await fetch(`${source.url}/api/v1/${path}`, { method: 'POST', headers, body: new URLSearchParams(fields) }));
		expect(await send('query', { query: '1+1', time: '4', timeout: '60s' })).toMatchObject({ status: 'success' });
		const end = Math.floor(Date.now() / 30_000) * 30;
		const selector = 'caudal_value{name="Distribution flow"}';
		const range = { query: selector, start: String(end - 3600), end: String(end), step: '30', timeout: '60s' };
		const { data } = await send('query_range', range);
		expect(data.result[0].metric).toMatchObject({ name: 'Distribution flow', unit: 'm³/h' });
		expect(data.result[0].values.length).toBeGreaterThan(100);
		expect((await send('query', { query: selector.replace('}', ', quality="good"}') })).data.result).toHaveLength(1);
	});

	test('for Infinity: its JSONata makes rows of a history', async () => {
		const grant = { method: 'POST', headers: machine, body: new URLSearchParams({ grant_type: 'client_credentials' }) };
		const { access_token: token } = await jsonOf(await fetch(`${target.baseUrl}/token`, grant));
		const now = Date.now();
		const body = recipe('Grafana Infinity', 'json')
			.replace(/\$\{__from:date:iso\}/, new Date(now - 7_200_000).toISOString())
			.replace(/\$\{__to:date:iso\}/, new Date(now).toISOString());
		const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
		const answer = await jsonOf(await fetch(`${target.baseUrl}/history`, { method: 'POST', headers, body }));
		const rows = await jsonata(recipe('Grafana Infinity', 'jsonata')).evaluate(answer);
		const { bounds, variables } = answer.data;
		const { mean, max } = variables[0].values;
		expect(JSON.parse(JSON.stringify(rows))).toEqual(
			mean.map((value: number | null, index: number) => ({
				time: new Date(bounds[index + 1]).toISOString(),
				mean: value,
				max: max[index],
			})),
		);
		expect(rows.length).toBeGreaterThan(20);
	});

	test('for Power Query: the address has the rows and headings that it names', async () => {
		const text = recipe('Power Query', 'm');
		const [, base, path] = /Web\.Contents\("(.*?)".*?RelativePath = "(.*?)"/s.exec(text) ?? [];
		const from = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10);
		const response = await fetch(`${base}/${path}?from=${from}`, { headers: machine });
		const rows = (await response.text()).split('\r\n');
		expect([response.status, rows[0]?.split(',')[0]]).toEqual([200, /\{"(\w+)", type date\}/.exec(text)?.[1]]);
		expect(rows.length).toBeGreaterThan(30);
	});

	test('for LibreOffice: the address has a table', async () => {
		const response = await fetch(recipe('LibreOffice', 'text'), { headers: machine });
		expect([response.status, (await response.text()).split('\r\n').length]).toEqual([200, 9]);
	});

	test('for Home Assistant: its templates find the value and its quality', async () => {
		const [sensor] = parse(recipe('Home Assistant', 'yaml')).rest;
		expect(sensor.authentication).toBe('basic');
		const answer = await jsonOf(await fetch(sensor.resource, { headers: basicOf(sensor.username, sensor.password) }));
		// The templates are paths into the answer, of which the availability compares one.
		const at = (template: string) => jsonata(/value_json\.([\w.[\]]+)/.exec(template)?.[1] ?? '').evaluate(answer);
		const [{ name, unit_of_measurement: unit, value_template: value, availability }] = sensor.sensor;
		expect(await at(value)).toBe(answer.data[0].value);
		expect(await at(availability)).toBe('good');
		expect(availability).toContain("== 'good'");
		expect(answer.data[0]).toMatchObject({ name, unit });
	});

	test('for Node-RED: the request node gets rows that the split node takes', async () => {
		const nodes = JSON.parse(recipe('Node-RED', 'json'));
		const ids = new Set(nodes.map(({ id }: { id: string }) => id));
		for (const { wires = [[]] } of nodes) for (const id of wires.flat()) expect(ids).toContain(id);
		const [, read, rows] = nodes;
		const payload = await jsonOf(await fetch(read.url, { method: read.method, headers: machine }));
		expect(await jsonata(rows.property).evaluate({ payload })).toHaveLength(2);
	});

	test('for a nightly mail: it is sent with the report, and not where the report cannot be read', async () => {
		const script = recipe('A nightly mail', 'sh');
		expect(script.split('\n').length).toBeLessThanOrEqual(25);
		const bin = join(folder, 'bin');
		mkdirSync(bin);
		writeFileSync(join(folder, 'report.sh'), script);
		writeFileSync(join(bin, 'sendmail'), `#!/bin/sh\ncat >"${folder}/mail"\n`);
		chmodSync(join(bin, 'sendmail'), 0o755);
		writeFileSync(join(folder, 'credentials'), `${demoMachine.clientId}:${demoMachine.secret}\n`);
		const { PATH } = readConfig(v.object({ PATH: v.string() }));
		const environment = { PATH: `${bin}:${PATH}`, CAUDAL_URL: target.baseUrl, CAUDAL_CREDENTIALS: join(folder, 'credentials') };
		const send = (report: string) =>
			run('sh', [join(folder, 'report.sh'), 'operators@utility.example'], {
				cwd: folder,
				environment: { ...environment, CAUDAL_REPORT: report },
			});
		expect(await send('99999')).toMatchObject({ ok: false });
		expect(existsSync(join(folder, 'mail'))).toBe(false);
		expect(await send('46')).toEqual({ ok: true, output: '' });
		const [head = '', body = ''] = readFileSync(join(folder, 'mail'), 'utf8').split('\n\n');
		expect(head).toContain('To: operators@utility.example\nSubject: Report 46 of yesterday\n');
		const csv = Buffer.from(body, 'base64').toString();
		expect(csv.startsWith('\ufeffStart,State,')).toBe(true);
		expect(csv.split('\r\n')).toHaveLength(3);
	});
});
