import { effect, useSignal } from '@preact/signals';
import { mutedUntil, soundFault } from '#page/core/attention.ts';
import { loadPart } from '#page/core/load.ts';
import { noticesOn, soundOn } from '#page/core/preferences.ts';
import { Button } from '#page/parts/button.tsx';
import { Checkbox } from '#page/parts/checkbox.tsx';
import { preferenceText } from './preference-texts.ts';
import { shellText } from './texts.ts';

/** Loads the code that plays sounds. Most people never switch them on. */
const loadSound = () => loadPart(() => import('#page/core/alarm-sound.ts'));

/** Loads the code that shows notices. */
const loadNotices = () => loadPart(() => import('./alarm-notices.ts'));

/**
 * Starts sounds and notices of the desktop as soon as a person switches them on. Returns a function that ends the waiting for that; what
 * was started goes on.
 */
export function startSoundAndNotices(): () => void {
	const started = { sound: false, notices: false };
	return effect(() => {
		if (soundOn.value && !started.sound) {
			started.sound = true;
			loadSound().then(
				({ startSound }) => startSound(),
				() => {
					started.sound = false;
					soundFault.value = 'failed';
				},
			);
		}
		if (noticesOn.value && !started.notices) {
			started.notices = true;
			loadNotices().then(
				({ startNotices }) => startNotices(),
				() => {
					started.notices = false;
					noticesOn.value = false;
				},
			);
		}
	});
}

/** The fields that switch the sound of alarms and their notices on the desktop on and off. */
export function AttentionFields() {
	const text = shellText();
	const words = preferenceText();
	/** Whether notices are wanted, and the browser refuses them. */
	const isRefused = useSignal(noticesOn.peek() && !mayNotify());
	return (
		<>
			<Checkbox
				label={words.sound}
				checked={soundOn.value}
				onToggle={(checked) => {
					soundOn.value = checked;
					// An old fault and an old mute do not outlast the switch.
					soundFault.value = null;
					mutedUntil.value = null;
				}}
			/>
			<Button onClick={() => void playTest()}>{words.testSound}</Button>
			<Checkbox
				label={words.notices}
				checked={noticesOn.value}
				onToggle={async (checked) => {
					isRefused.value = checked && !(await askToNotify());
					noticesOn.value = checked && !isRefused.value;
				}}
			/>
			<p role="status" class="fault">
				{[isRefused.value && words.noticesRefused, soundFault.value === 'failed' && text.soundFailed].filter(Boolean).join(' ')}
			</p>
		</>
	);
}

/** Plays the three sounds, and notes whether that worked. */
async function playTest(): Promise<void> {
	try {
		const { testSounds } = await loadSound();
		await testSounds();
		if (soundFault.value === 'failed') soundFault.value = null;
	} catch {
		soundFault.value = 'failed';
	}
}

/** Whether notices can be shown. Some browsers have none, and a page without encryption may not show any. */
function mayNotify(): boolean {
	return 'Notification' in globalThis && Notification.permission === 'granted';
}

/** Asks the person for permission to show notices. Returns whether it is granted. */
async function askToNotify(): Promise<boolean> {
	return 'Notification' in globalThis && (await Notification.requestPermission()) === 'granted';
}
