import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { workerCalls } from '#infra/local/adapters/sqlite-time-series/worker-calls.ts';

/** Answers as a worker should, and does by a number what one should not. */
const script = `
	const { parentPort } = require('node:worker_threads');
	parentPort.on('message', ({ id, body }) => {
		if (body === 'exit') process.exit(3);
		if (body === 'throw') throw new Error('broken');
		if (body === 'silent') return;
		if (body === 'fault') return parentPort.postMessage({ id, body: { fault: 'disk full' } });
		parentPort.postMessage({ id, body: { reply: body } });
		if (body === 'close') parentPort.close();
	});
`;
const start = () => workerCalls<string, string>(new Worker(script, { eval: true }));
const failure = (cause: unknown) => ({ code: 'dependency_failed', payload: { dependency: 'tsdb', cause } });

test('answers reach their callers, and a fault its own only', async () => {
	const calls = start();
	const [a, fault, b] = await Promise.allSettled([calls.call('a'), calls.call('fault'), calls.call('b')]);
	expect(a).toMatchObject({ value: 'a' });
	expect(b).toMatchObject({ value: 'b' });
	expect(fault).toMatchObject({ reason: failure('disk full') });
	await calls.close('close');
});

test.each([
	['exit', 'the worker thread ended with exit code 3'],
	['throw', 'the worker thread failed: broken'],
])('when the thread dies of %s, calls under way and later ones are refused, and close resolves', async (how, cause) => {
	const calls = start();
	const outcomes = await Promise.allSettled([calls.call('silent'), calls.call(how), calls.call('after')]);
	for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: failure(cause) });
	await expect(calls.call('later')).rejects.toMatchObject(failure(cause));
	await calls.close('close');
});

test('a call that the thread never answered is refused when it is closed', async () => {
	const calls = start();
	const silent = expect(calls.call('silent')).rejects.toMatchObject(failure('it is closed'));
	await calls.close('close');
	await calls.close('close');
	await silent;
});
