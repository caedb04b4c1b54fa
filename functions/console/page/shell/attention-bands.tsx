import { unacknowledgedAlarms } from '#page/core/alarms.ts';
import { mutedUntil, soundFault, toggleMute } from '#page/core/attention.ts';
import { paused, pausedUntil, togglePause } from '#page/core/poll.ts';
import { soundOn } from '#page/core/preferences.ts';
import { formatClock } from '#page/format/time.ts';
import { Banner } from '#page/parts/banner.tsx';
import { Button } from '#page/parts/button.tsx';
import { shellText } from './texts.ts';

/** Bands that say what is paused or muted, each with a button to end that. They are below the screen, so that nothing else moves. */
export function AttentionBands() {
	const text = shellText();
	return (
		<section class="attention-bands" aria-label={text.attention}>
			{paused.value && pausedUntil.value !== null && (
				<Banner icon="i-pause" action={<Button onClick={togglePause}>{text.readValues}</Button>}>
					{text.pausedUntil(formatClock(pausedUntil.value))}
				</Banner>
			)}
			{soundOn.value && <SoundBand />}
		</section>
	);
}

/** The band about sounds: why none is heard, until when they are muted, or, while an alarm sounds, the button to mute it. */
function SoundBand() {
	const text = shellText();
	if (soundFault.value === 'failed') return <Banner>{text.soundFailed}</Banner>;
	// Any click lets the browser play.
	if (soundFault.value === 'blocked') return <Banner action={<Button>{text.playSounds}</Button>}>{text.soundBlocked}</Banner>;
	if (mutedUntil.value !== null)
		return (
			<Banner action={<Button onClick={toggleMute}>{text.unmute}</Button>}>
				{text.mutedUntil(formatClock(mutedUntil.value))}
			</Banner>
		);
	if (unacknowledgedAlarms.value.length === 0) return null;
	return <Banner action={<Button onClick={toggleMute}>{text.mute}</Button>}>{text.ringing}</Banner>;
}
