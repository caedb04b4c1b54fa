import { effect } from '@preact/signals';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTrial } from '#page/core/trial.ts';
import { emptyDraft, variableBodyOf } from '#page/screens/variable-editor/draft.ts';
import type { SendVariableTrial, TrialAnswer } from '#page/screens/variable-editor/variable-trial.ts';

/** A service whose answers the test gives. */
function openService() {
	const calls: { readonly name: string; readonly answer: (value: number) => void; readonly fail: () => void }[] = [];
	const send: SendVariableTrial = (body) =>
		new Promise((resolve) => {
			calls.push({
				name: body.name,
				answer: (value) => resolve({ ok: true, etag: null, data: answerOf(value) }),
				fail: () => resolve({ ok: false, failure: { kind: 'unreachable', status: 0, errors: {}, retryAfterMs: null } }),
			});
		});
	return { send, calls };
}

const answerOf = (value: number): TrialAnswer => ({
	storedVersion: 3,
	reading: { id: 0, kind: 'newest', name: 'x', unit: '', type: 'last', quality: 'good', value, time: '2026-11-22T10:00:00.000Z' },
});
const named = (name: string) => variableBodyOf({ ...emptyDraft, name });
const settled = () => vi.advanceTimersByTimeAsync(0);

describe('a trial', () => {
	beforeEach(() => {
		vi.useFakeTimers();
	});
	afterEach(() => {
		vi.useRealTimers();
	});

	test('waits until nothing was typed for 400 ms, and then tries the last body only', async () => {
		const { send, calls } = openService();
		const trial = createTrial(send, () => 5000);
		trial.change(named('a'));
		await vi.advanceTimersByTimeAsync(399);
		trial.change(named('ab'));
		await vi.advanceTimersByTimeAsync(399);
		expect(calls).toEqual([]);
		expect(trial.state.value.phase).toBe('trying');
		await vi.advanceTimersByTimeAsync(1);
		expect(calls.map(({ name }) => name)).toEqual(['ab']);
		calls[0]?.answer(0);
		await settled();
		expect(trial.state.value).toEqual({ phase: 'answered', answer: answerOf(0), failure: null, triedAt: 5000 });
	});

	test('drops an answer to what was typed before, whichever comes first', async () => {
		const { send, calls } = openService();
		const trial = createTrial(send, () => 0);
		trial.change(named('a'));
		await vi.advanceTimersByTimeAsync(400);
		trial.change(named('b'));
		calls[0]?.answer(1);
		await settled();
		expect(trial.state.value).toMatchObject({ phase: 'trying', answer: null });
		await vi.advanceTimersByTimeAsync(400);
		calls[1]?.answer(2);
		await settled();
		expect(trial.state.value).toMatchObject({ phase: 'answered', answer: answerOf(2) });
	});

	test('keeps no value after a failed try, nor where nothing can be tried', async () => {
		const { send, calls } = openService();
		const trial = createTrial(send, () => 0);
		trial.change(named('a'));
		await vi.advanceTimersByTimeAsync(400);
		calls[0]?.answer(1);
		await settled();
		trial.repeat();
		calls[1]?.fail();
		await settled();
		expect(trial.state.value).toMatchObject({ phase: 'failed', answer: null, failure: { kind: 'unreachable' } });
		trial.change(null);
		expect(trial.state.value).toMatchObject({ phase: 'none', answer: null, failure: null });
	});

	test('keeps the last value, as one that is being tried anew, while something else is typed', async () => {
		const { send, calls } = openService();
		const trial = createTrial(send, () => 0);
		trial.change(named('a'));
		await vi.advanceTimersByTimeAsync(400);
		calls[0]?.answer(1);
		await settled();
		trial.change(named('b'));
		expect(trial.state.value).toMatchObject({ phase: 'trying', answer: answerOf(1) });
	});

	test('does not try the same body twice, but for a repeat', async () => {
		const { send, calls } = openService();
		const trial = createTrial(send, () => 0);
		trial.change(named('a'));
		await vi.advanceTimersByTimeAsync(400);
		calls[0]?.answer(1);
		await settled();
		trial.change(named('a'));
		await vi.advanceTimersByTimeAsync(400);
		expect(calls).toHaveLength(1);
		trial.repeat();
		expect(calls).toHaveLength(2);
	});

	test('does not follow its own answers when an effect tries or repeats', async () => {
		const { send, calls } = openService();
		const trial = createTrial(send, () => 0);
		const stops = [effect(() => trial.change(named('a'))), effect(() => trial.repeat())];
		await vi.advanceTimersByTimeAsync(400);
		calls[0]?.answer(1);
		await vi.advanceTimersByTimeAsync(1000);
		expect(calls).toHaveLength(1);
		for (const stop of stops) stop();
	});

	test('sends nothing after it was stopped', async () => {
		const { send, calls } = openService();
		const trial = createTrial(send, () => 0);
		trial.change(named('a'));
		trial.stop();
		await vi.advanceTimersByTimeAsync(1000);
		expect(calls).toEqual([]);
	});
});
