import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { emptyDraft, variableBodyOf } from '#page/screens/variable-editor/draft.ts';
import { createProbes } from '#page/screens/variable-editor/probes.ts';
import type { SendVariableTrial } from '#page/screens/variable-editor/variable-trial.ts';

const named = (name: string) => variableBodyOf({ ...emptyDraft, name });

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

function openProbes() {
	const sent: string[] = [];
	let time = 0;
	const send: SendVariableTrial = async (body) => {
		sent.push(body.name);
		return { ok: false, failure: { kind: 'refused', status: 400, errors: {}, retryAfterMs: null } };
	};
	const probes = createProbes(send, () => {
		time += 1;
		return time;
	});
	return { probes, sent };
}

test('tries each body once, however often it is among them', async () => {
	const { probes, sent } = openProbes();
	probes.keep([named('a'), named('a')]);
	await vi.advanceTimersByTimeAsync(400);
	probes.keep([named('a'), named('b')]);
	await vi.advanceTimersByTimeAsync(400);
	expect(sent).toEqual(['a', 'b']);
	expect(probes.stateOf(named('b'))?.phase).toBe('failed');
});

test('forgets what is not among them any more', async () => {
	const { probes, sent } = openProbes();
	probes.keep([named('a')]);
	probes.keep([]);
	await vi.advanceTimersByTimeAsync(400);
	expect([sent, probes.stateOf(named('a'))]).toEqual([[], undefined]);
});

test('repeats at most 8, those that were tried longest ago', async () => {
	const { probes, sent } = openProbes();
	const names = Array.from({ length: 10 }, (_, index) => String(index));
	probes.keep(names.map(named));
	await vi.advanceTimersByTimeAsync(400);
	sent.length = 0;
	probes.repeatSome();
	await vi.advanceTimersByTimeAsync(0);
	expect(sent).toEqual(names.slice(0, 8));
	sent.length = 0;
	probes.repeatSome();
	await vi.advanceTimersByTimeAsync(0);
	expect(sent).toEqual(['8', '9', ...names.slice(0, 6)]);
});
