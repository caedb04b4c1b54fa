import { unacknowledgedAlarms } from '#page/core/alarms.ts';
import { mutedUntil, soundFault, toggleMute } from '#page/core/attention.ts';
import { isRewritten } from '#page/core/node-keeper.ts';
import { paused, pausedUntil, togglePause } from '#page/core/poll.ts';
import { soundOn } from '#page/core/preferences.ts';
import { isWall } from '#page/core/route.ts';
import { storageFault } from '#page/core/storage.ts';
import { formatClock } from '#page/format/time.ts';
import { Banner } from '#page/parts/banner.tsx';
import { Button } from '#page/parts/button.tsx';
import { shellText } from './texts.ts';

/**
 * Bands that say that something rewrites the page, that nothing is stored, that the values are paused, or that the sound is muted. They are below the screen, so
 * that they do not move its content.
 */
export function AttentionBands() {
	const text = shellText();
	return (
		<section class="attention-bands" aria-label={text.attention}>
			{isRewritten() && <Banner look="doubt">{text.rewritten}</Banner>}
			{storageFault.value === 'new' && !isWall.value && (
				<Banner action={<Button onClick={noteFault}>{text.understood}</Button>}>{text.notStored}</Banner>
			)}
			{paused.value && pausedUntil.value !== null && (
				<Banner icon="i-pause" action={<Button onClick={togglePause}>{text.readValues}</Button>}>
					{text.pausedUntil(formatClock(pausedUntil.value))}
				</Banner>
			)}
			{soundOn.value && <SoundBand />}
		</section>
	);
}

/** Ends the band about storage. It is shown once. */
function noteFault(): void {
	storageFault.value = 'noted';
}

/** The band about the sound: why it is not heard, until when it is muted, or, while an alarm sounds, the button that mutes it. */
function SoundBand() {
	const text = shellText();
	if (soundFault.value === 'failed') return <Banner>{text.soundFailed}</Banner>;
	// The button needs no act of its own: any click on the page lets the browser play sounds.
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
