import { effect, signal } from '@preact/signals';
import type { Severity } from './alarm-state.ts';
import { unacknowledgedAlarms } from './alarms.ts';
import { mutedUntil, newlyRaised, soundFault } from './attention.ts';
import { now } from './clock.ts';
import { soundOn } from './preferences.ts';
import { isSignedIn } from './session.ts';

/** How long after a sound it is repeated, in milliseconds, while nobody acknowledged. */
const repeatMs = 10_000;

/** The sounds: how high, in hertz, and how many strokes. Their number tells them apart for those who hear no pitch. */
const sounds = {
	critical: { hertz: 988, strokes: 3 },
	warning: { hertz: 740, strokes: 2 },
	info: { hertz: 523, strokes: 1 },
} as const satisfies Readonly<Record<Severity, { readonly hertz: number; readonly strokes: number }>>;

/** From the start of a stroke to that of the next one, and how long it sounds, in seconds. */
const [strideS, strokeS] = [0.25, 0.16];

const context = new AudioContext();

/** When a sound was last heard, in epoch milliseconds. */
let soundedAt = 0;

/** Whether the browser plays: before a click or a key it may refuse to. */
const isRunning = signal(context.state === 'running');
context.addEventListener('statechange', () => {
	isRunning.value = context.state === 'running';
	soundFault.value = isRunning.value ? null : 'blocked';
});
for (const act of ['pointerdown', 'keydown']) addEventListener(act, () => void context.resume());

/**
 * Sounds for the worst alarm that nobody acknowledged: when one is raised, and every ten seconds after that. It is silent while
 * nobody is signed in, because nobody could acknowledge.
 */
export function startSound(): () => void {
	void context.resume();
	soundFault.value = isRunning.value ? null : 'blocked';
	let heard = newlyRaised.peek();
	return effect(() => {
		const nowMs = now.value;
		const [worst] = unacknowledgedAlarms.value;
		const raised = newlyRaised.value;
		const isDue = raised !== heard || nowMs - soundedAt >= repeatMs;
		if (!isSignedIn.value || !soundOn.value || worst === undefined || mutedUntil.value !== null || !isRunning.value || !isDue)
			return;
		heard = raised;
		soundedAt = nowMs;
		strike(worst.severity, 0);
	});
}

/** Plays the three sounds one after the other, the worst first. For a click: browsers play nothing before. */
export async function testSounds(): Promise<void> {
	await context.resume();
	for (const [index, severity] of (['critical', 'warning', 'info'] as const).entries()) strike(severity, index);
}

/** Plays one sound after a wait in seconds. */
function strike(severity: Severity, waitS: number): void {
	const { hertz, strokes } = sounds[severity];
	for (let stroke = 0; stroke < strokes; stroke += 1) {
		const startS = context.currentTime + waitS + stroke * strideS;
		const oscillator = new OscillatorNode(context, { type: 'triangle', frequency: hertz });
		const loudness = new GainNode(context, { gain: 0 });
		// Rising and falling without a jump: a jump clicks.
		loudness.gain.setValueAtTime(0, startS);
		loudness.gain.linearRampToValueAtTime(0.5, startS + 0.02);
		loudness.gain.linearRampToValueAtTime(0, startS + strokeS);
		oscillator.connect(loudness).connect(context.destination);
		oscillator.start(startS);
		oscillator.stop(startS + strokeS);
	}
}
