import { expect, test } from 'vitest';
import { createJsonLog, type LogLevel } from '#infra/local/json-log.ts';

const linesOf = (least: LogLevel) => {
	const lines: string[] = [];
	const log = createJsonLog(
		least,
		(line) => lines.push(line),
		() => Date.parse('2026-11-29T01:16:16.123Z'),
	);
	const record = { requestId: 'r', routeKey: 'GET /health', durationMs: 1.5 };
	log.info('started\n{', { port: 3000 });
	log.request({ ...record, status: 200, outcome: 'ok' });
	log.request({ ...record, status: 401, outcome: 'refused' });
	log.request({ ...record, status: 500, outcome: 'fault' });
	log.error('failed', { error: 'x' });
	return lines;
};

test('writes a line of JSON for each entry, with its level and time', () => {
	const lines = linesOf('info');
	expect(lines.every((line) => !line.includes('\n'))).toBe(true);
	expect(JSON.parse(lines[0] ?? '')).toEqual({
		level: 'info',
		time: '2026-11-29T01:16:16.123Z',
		message: 'started\n{',
		port: 3000,
	});
	expect(lines.map((line) => JSON.parse(line).level)).toEqual(['info', 'info', 'warn', 'error', 'error']);
	expect(JSON.parse(lines[2] ?? '')).toMatchObject({ message: 'request', routeKey: 'GET /health', status: 401, durationMs: 1.5 });
});

test('leaves out what is less urgent', () => {
	expect(linesOf('warn').map((line) => JSON.parse(line).message)).toEqual(['request', 'request', 'failed']);
	expect(linesOf('error')).toHaveLength(2);
});
