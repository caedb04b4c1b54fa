import { effect } from '@preact/signals';
import { soundFault } from '#page/core/attention.ts';
import { loadPart } from '#page/core/load.ts';
import { noticesOn, soundOn } from '#page/core/preferences.ts';

/** Loads the code that plays sounds. Most people never switch them on. */
export const loadSound = () => loadPart(() => import('#page/core/alarm-sound.ts'));

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
