import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readLocalSettings } from '#infra/local/wiring/settings.ts';

const directory = mkdtempSync(join(tmpdir(), 'caudal-addresses-'));
afterAll(() => rmSync(directory, { recursive: true }));

const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
const secretsFile = join(directory, 'secrets');
writeFileSync(secretsFile, `${secret}\n`);

const read = (content: unknown, environment: Record<string, string> = {}) => {
	const file = join(directory, 'addresses.json');
	writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
	return readLocalSettings({ ...environment, NOTIFY_FILE: file }).messageAddresses;
};

test('NOTIFY_URL and NOTIFY_FILE name addresses, by default for all severities', () => {
	const all = ['info', 'warning', 'critical'];
	const key = Buffer.alloc(24, 1);
	const addresses = read(
		[
			{ format: 'caudal', url: 'https://a.example', secretsFile },
			{ format: 'slack', url: 'https://b.example', severities: ['critical'] },
			{ format: 'pagerduty', routingKey: 'key' },
			{ format: 'telegram', url: 'https://c.example', chatId: -1 },
		],
		{ NOTIFY_URL: 'https://d.example', NOTIFY_SECRETS: secret },
	);
	expect(addresses).toEqual([
		{ name: 'NOTIFY_URL', format: 'caudal', url: 'https://d.example', severities: all, keys: [key] },
		{ name: 'NOTIFY_FILE 0 (caudal)', format: 'caudal', url: 'https://a.example', severities: all, keys: [key] },
		{ name: 'NOTIFY_FILE 1 (slack)', format: 'slack', url: 'https://b.example', severities: ['critical'] },
		{
			...{ name: 'NOTIFY_FILE 2 (pagerduty)', format: 'pagerduty', url: 'https://events.pagerduty.com/v2/enqueue' },
			...{ severities: all, routingKey: 'key' },
		},
		{ name: 'NOTIFY_FILE 3 (telegram)', format: 'telegram', url: 'https://c.example', severities: all, chatId: -1 },
	]);
	expect(readLocalSettings({}).messageAddresses).toEqual([]);
});

const url = 'https://a.example';
test.each([
	['is no JSON.', '[{"url": "s3cret"'],
	['the list must be a list.', {}],
	['the list must hold an address.', []],
	['0.format must be caudal, slack, teams, pagerduty or telegram.', [{ format: 's3cret', url }]],
	['0.format is required.', [{ url: 'https://a.example/s3cret' }]],
	['0.url is required.', [{ format: 'slack' }]],
	['0.url must be an http:// or https:// address.', [{ format: 'teams', url: 's3cret' }]],
	['0.severities.1 must be info, warning or critical.', [{ format: 'slack', url, severities: ['info', 's3cret'] }]],
	['0.severities must name a severity.', [{ format: 'slack', url, severities: [] }]],
	['0.severities must be a list.', [{ format: 'slack', url, severities: 'critical' }]],
	['0.secrets is no field of this format.', [{ format: 'slack', url, secrets: 's3cret' }]],
	['0.secrets must be one or two secrets', [{ format: 'caudal', url, secrets: 's3cret' }]],
	['0.secretsFile must not stand beside secrets.', [{ format: 'caudal', url, secrets: secret, secretsFile }]],
	['0.secretsFile cannot be read: ENOENT', [{ format: 'caudal', url, secretsFile: join(directory, 'none') }]],
	['0.routingKey is required.', [{ format: 'pagerduty' }]],
	['0.chatId is required.', [{ format: 'telegram', url }]],
	['0.chatId must be a whole number.', [{ format: 'telegram', url, chatId: 1.5 }]],
	['0.chatId must be a number or a name.', [{ format: 'telegram', url, chatId: null }]],
	['0.url is required. 1.chatId is required.', [{ format: 'slack' }, { format: 'telegram', url }]],
])('refuses a file where %s', (fault, content) => {
	expect(() => read(content)).toThrow(fault);
	expect(() => read(content)).toThrow(/^NOTIFY_FILE (?!.*s3cret)/);
});

test('refuses a file that is not there', () => {
	const missing = () => readLocalSettings({ NOTIFY_FILE: join(directory, 'none') });
	expect(missing).toThrow(/^NOTIFY_FILE .* cannot be read: ENOENT/);
});
