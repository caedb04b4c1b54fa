import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, signIn } from '#test/e2e/target.ts';
import { makeBody } from '#test/support/builders/builders.ts';
import { type LocalTarget, openLocalTarget, writeToken } from '#test/support/servers/local.ts';

/** An example of functions/TELEGRAF.md: the lines that a program writes, and the queries of a variable with the value that it reads. */
interface Example {
	readonly title: string;
	readonly lines: string;
	readonly varsTsdb: { readonly Level: { readonly calc_topic: string; readonly calc_tags: object } };
	readonly value: number;
}

const document = readFileSync(new URL('../../functions/TELEGRAF.md', import.meta.url), 'utf8');
const block = (text: string, language: string): string =>
	new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(text)?.[1] ?? '';
const examples = document
	.split(/^## /m)
	.slice(1)
	.map(
		(text): Example => ({
			title: text.split('\n', 1)[0] ?? '',
			lines: block(text, 'text').trim(),
			varsTsdb: JSON.parse(block(text, 'json')),
			value: Number(/^It reads `(.+)`\.$/m.exec(text)?.[1]),
		}),
	);

/** The time of the service: a second after that of the lines. */
const now = 1_795_478_401_000;
let target: LocalTarget;
let token: string;
beforeAll(async () => {
	target = await openLocalTarget({}, () => now);
	token = await signIn(target, 'a');
});
afterAll(() => target.close());

const read = async (varsTsdb: object) =>
	(await call(target, 'POST', '/saveVariable?dryRun=1', { token, body: makeBody({ name: 'Level', varsTsdb }) })).body.data
		.reading;

test('there is an example of each source', () => {
	expect(examples.map(({ title }) => title)).toEqual([
		...['Modbus', 'OPC UA', 'MQTT', 'Sparkplug B', 'LoRaWAN with ChirpStack', 'AWS IoT Core'],
	]);
});

test.each(examples)('the variable of $title reads its device alone', async ({ lines, varsTsdb, value }) => {
	const response = await fetch(`${target.baseUrl}/api/v2/write?org=any&bucket=plant_a&precision=ns`, {
		method: 'POST',
		headers: { authorization: `Token ${writeToken}` },
		body: lines,
	});
	expect([response.status, await response.text()]).toEqual([204, '']);
	expect(await read(varsTsdb)).toMatchObject({ quality: 'good', value });
	const { calc_tags: _, ...withoutTags } = varsTsdb.Level;
	expect(await read({ Level: withoutTags })).toMatchObject({ value: null, reason: { code: 'several_series' } });
});

test.each(examples)('the listing offers the tags of $title', async ({ varsTsdb: { Level } }) => {
	const { calc_topic: topic, calc_tags: tags } = Level;
	const { data } = (await call(target, 'GET', `/topics?prefix=${topic}&limit=1`, { token })).body;
	expect(data.map((row: { readonly tags: object }) => row.tags)).toContainEqual(expect.objectContaining(tags));
});
