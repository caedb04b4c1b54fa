import { useSignal } from '@preact/signals';
import { mutedUntil, soundFault } from '#page/core/attention.ts';
import { noticesOn, soundOn } from '#page/core/preferences.ts';
import { Button } from '#page/parts/button.tsx';
import { Checkbox } from '#page/parts/checkbox.tsx';
import { preferenceText } from './preference-texts.ts';
import { loadSound } from './sound-and-notices.ts';
import { shellText } from './texts.ts';

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
