import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { workerCalls } from '#infra/local/adapters/sqlite-time-series/worker-calls.ts';

/** A worker thread that returns the name of each function, except for names that ask for a fault. */
const script = `
	const { parentPort } = require('node:worker_threads');
	parentPort.on('message', ({ id, name }) => {
		if (name === 'exit') process.exit(3);
		if (name === 'throw') throw new Error('broken');
		if (name === 'silent') return;
		if (name === 'fault') return parentPort.postMessage({ id, fault: 'disk full' });
		parentPort.postMessage({ id, result: name });
		if (name === 'close') parentPort.close();
	});
`;
const start = () => workerCalls<Record<string, () => string>>(new Worker(script, { eval: true }));
const failure = (cause: unknown) => ({ code: 'dependency_failed', payload: { dependency: 'tsdb', cause } });

describe('workerCalls', () => {
	test('resolves each call with its own result, and rejects only the call that failed', async () => {
		const calls = start();
		const [a, fault, b] = await Promise.allSettled([calls.call('a'), calls.call('fault'), calls.call('b')]);
		expect(a).toMatchObject({ value: 'a' });
		expect(b).toMatchObject({ value: 'b' });
		expect(fault).toMatchObject({ reason: failure('disk full') });
		await calls.close();
	});

	test.each([
		['exit', 'the worker thread ended with exit code 3'],
		['throw', 'the worker thread failed: broken'],
	])('rejects current and later calls and resolves close when the thread ends by %s', async (how, cause) => {
		const calls = start();
		const outcomes = await Promise.allSettled([calls.call('silent'), calls.call(how), calls.call('after')]);
		for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: failure(cause) });
		await expect(calls.call('later')).rejects.toMatchObject(failure(cause));
		await calls.close();
	});

	test('rejects a call without a reply when it is closed', async () => {
		const calls = start();
		const silent = expect(calls.call('silent')).rejects.toMatchObject(failure('it is closed'));
		await calls.close();
		await calls.close();
		await silent;
	});
});

test('a call that finds the file locked is repeated, while later calls run and only `close` waits', async () => {
	const module = import.meta.resolve('#infra/local/adapters/sqlite-time-series/worker-calls.ts');
	const calls = workerCalls<{
		readonly locked: () => void;
		readonly after: () => void;
		readonly close: () => void;
		readonly done: () => string;
	}>(
		new Worker(
			`import(${JSON.stringify(module)}).then(({ serveCalls }) => {
				const done = [];
				let tries = 0;
				serveCalls({
					locked: () => {
						tries += 1;
						if (tries < 3) throw Object.assign(new Error('database is locked'), { code: 'ERR_SQLITE_ERROR', errcode: 5 });
						done.push('locked');
					},
					after: () => void done.push('after'),
					done: () => done.join(),
					close: () => undefined,
				});
			})`,
			{ eval: true },
		),
	);
	const locked = calls.call('locked');
	const called = Promise.all([calls.call('after'), calls.call('done')]);
	await calls.close();
	const [, done] = await called;
	expect(done).toBe('after');
	await locked;
});
