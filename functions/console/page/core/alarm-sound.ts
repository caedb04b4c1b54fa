import { effect, signal } from '@preact/signals';
import { type Severity, severityOrder } from './alarm-state.ts';
import { unacknowledgedAlarms } from './alarms.ts';
import { mutedUntil, newlyRaised, soundFault } from './attention.ts';
import { uptime } from './clock.ts';
import { soundOn } from './preferences.ts';
import { isSignedIn } from './session.ts';

/** How long after a sound the next one is played, in milliseconds, while an alarm is not acknowledged. */
const repeatMs = 10_000;

/** The sounds: pitch in hertz and number of strokes. The number of strokes tells them apart for people who do not hear the pitch. */
const sounds = {
	critical: { hertz: 988, strokes: 3 },
	warning: { hertz: 740, strokes: 2 },
	info: { hertz: 523, strokes: 1 },
} as const satisfies Readonly<Record<Severity, { readonly hertz: number; readonly strokes: number }>>;

/** The time between the starts of two strokes, in seconds. */
const strideS = 0.25;

/** The length of a stroke, in seconds. */
const strokeS = 0.16;

/** How long a stroke takes to become loud, in seconds. A jump would be heard as a click. */
const riseS = 0.02;

/** The greatest loudness, as a share of the loudest that the device can play. */
const loudest = 0.5;

/** The time between two sounds of a test, in seconds. */
const testStrideS = 1;

const context = new AudioContext();

/** When a sound was last heard, in milliseconds of `uptime`. */
let soundedAt = Number.NEGATIVE_INFINITY;

/** Whether the browser plays sounds. It may refuse until the person clicks or presses a key. */
const isRunning = signal(context.state === 'running');
context.addEventListener('statechange', () => {
	isRunning.value = context.state === 'running';
	soundFault.value = isRunning.value ? null : 'blocked';
});
// A click or a key lets the browser play sounds.
for (const act of ['pointerdown', 'keydown']) addEventListener(act, () => void context.resume());

/**
 * Plays the sound of the worst unacknowledged alarm when an alarm is raised, and every ten seconds after that. It is silent while nobody
 * is signed in, because nobody could acknowledge. Returns a function that stops it.
 */
export function startSound(): () => void {
	void context.resume();
	soundFault.value = isRunning.value ? null : 'blocked';
	/** The list of new alarms that was last played. Another list means that another alarm was raised. */
	let heard = newlyRaised.peek();
	return effect(() => {
		const atMs = uptime.value;
		const [worst] = unacknowledgedAlarms.value;
		const raised = newlyRaised.value;
		const isDue = raised !== heard || atMs - soundedAt >= repeatMs;
		const isSilent = !isSignedIn.value || !soundOn.value || mutedUntil.value !== null || !isRunning.value;
		if (isSilent || worst === undefined || !isDue) return;
		heard = raised;
		soundedAt = atMs;
		strike(worst.severity);
	});
}

/** Plays the three sounds one after the other, the most severe first. Call it from a click, because browsers play no sound before one. */
export async function testSounds(): Promise<void> {
	await context.resume();
	for (const [index, severity] of severityOrder.entries()) strike(severity, { waitS: index * testStrideS });
}

/** Plays one sound after `waitS` seconds. */
function strike(severity: Severity, { waitS = 0 } = {}): void {
	const { hertz, strokes } = sounds[severity];
	for (let stroke = 0; stroke < strokes; stroke += 1) {
		const startS = context.currentTime + waitS + stroke * strideS;
		const oscillator = new OscillatorNode(context, { type: 'triangle', frequency: hertz });
		const loudness = new GainNode(context, { gain: 0 });
		loudness.gain.setValueAtTime(0, startS);
		loudness.gain.linearRampToValueAtTime(loudest, startS + riseS);
		loudness.gain.linearRampToValueAtTime(0, startS + strokeS);
		oscillator.connect(loudness).connect(context.destination);
		oscillator.start(startS);
		oscillator.stop(startS + strokeS);
	}
}
