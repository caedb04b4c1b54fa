import { createServer } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { listen } from '#infra/local/gateway/http.ts';
import { runProgram } from '#test/support/process.ts';

let close: () => unknown = () => undefined;
afterEach(() => close());

const run = async (args: readonly string[], environment: Record<string, string> = {}) => {
	const program = runProgram('infra/tools/alarms.ts', ['test-notification', ...args], environment);
	return { code: await program.ended, text: program.output() };
};

test('prints a test message where there is no NOTIFY_URL', async () => {
	const { code, text } = await run(['--schema', 'plant_a', '--severity', 'info']);
	expect(code, text).toBe(0);
	expect(text).toContain('INFO alarm in plant_a: Test message');
});

test('sends it to NOTIFY_URL, and says in one line when it is not accepted', async () => {
	const bodies: string[] = [];
	let status = 204;
	const server = createServer((request, response) => {
		let body = '';
		request.on('data', (chunk: Buffer) => (body += chunk.toString()));
		request.on('end', () => {
			bodies.push(body);
			response.writeHead(status).end();
		});
	});
	const NOTIFY_URL = await listen(server, 0);
	close = () => server.close();
	expect((await run(['--schema', 'plant_a'], { NOTIFY_URL })).code).toBe(0);
	expect(JSON.parse(bodies[0] ?? '')).toMatchObject({
		schema: 'plant_a',
		severity: 'critical',
		alarms: [{ name: 'Test message' }],
	});
	status = 500;
	const refused = await run(['--schema', 'plant_a'], { NOTIFY_URL });
	expect(refused.code).toBe(1);
	expect(refused.text.trim().split('\n')).toEqual([expect.stringContaining('NOTIFY_URL answered 500')]);
});

test('says that it is not known whether the message arrived when NOTIFY_URL breaks the connection', async () => {
	const server = createServer((request) => request.resume().on('end', () => request.socket.destroy()));
	const NOTIFY_URL = await listen(server, 0);
	close = () => server.close();
	const broken = await run(['--schema', 'plant_a'], { NOTIFY_URL });
	expect(broken.code).toBe(1);
	expect(broken.text.trim().split('\n')).toEqual([
		'alarms: It is not known whether the message arrived: NOTIFY_URL broke the connection. Ask whoever should have got it.',
	]);
});

test('refuses a severity that does not exist', async () => {
	const { code, text } = await run(['--schema', 'plant_a', '--severity', 'high']);
	expect([code, text]).toEqual([1, expect.stringContaining('info, warning, critical')]);
});
