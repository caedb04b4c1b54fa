import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { maxBodyBytes } from '#http/request.ts';
import { endpoints } from '#shared/contract.ts';
import type { HostileResult, HostileRun } from '#test/support/hostile-bodies/send.ts';
import { shapes, targets } from '#test/support/hostile-bodies/shapes.ts';

/** In MB. A function has 512 MB. */
const heapLimit = 300;

/** Endpoints that take any JSON object as their body and skip it, with their statuses: there is no alarm 7, and no session to renew. */
const skipped: readonly (readonly [string, readonly number[]])[] = [
	['delete', [200, 400]],
	['unshelve', [404, 400]],
	// The form of these endpoints is none of these bodies.
	['token', [400]],
	['backchannelLogout', [400]],
	['signOut', [200, 400]],
	['renewOpenId', [403, 400]],
	['renewToken', [403, 400]],
];

const program = join(import.meta.dirname, '../support/hostile-bodies/send.ts');

test('a hostile body of 1 MB is refused shortly, in a small heap, by every endpoint that takes a body', () => {
	const run: HostileRun = { measures: 'nothing' };
	const output = execFileSync(process.execPath, [`--max-old-space-size=${heapLimit}`, program, JSON.stringify(run)], {
		maxBuffer: 64 * 1024 * 1024,
	});
	const results: readonly HostileResult[] = JSON.parse(output.toString());
	expect(shapes.length).toBeGreaterThanOrEqual(20);
	expect(results).toHaveLength(targets.length * shapes.length);
	expect(new Set(targets.map(({ endpoint }) => endpoint))).toEqual(
		new Set(endpoints.filter(({ method }) => method === 'POST').map(({ name }) => name)),
	);
	for (const { target, shape, bytes, status, keys, answerBytes } of results) {
		const each = `${target}: ${shape}`;
		expect(bytes, each).toBeLessThanOrEqual(maxBodyBytes);
		expect(skipped.find(([name]) => target.startsWith(name))?.[1] ?? [400, 413], each).toContain(status);
		expect(keys, each).toBeLessThanOrEqual(101);
		expect(answerBytes, each).toBeLessThan(300_000);
	}
}, 240_000);
