import { paused, pausedUntil, togglePause } from '#page/core/poll.ts';
import { formatClock } from '#page/format/time.ts';
import { Banner } from '#page/parts/banner.tsx';
import { Button } from '#page/parts/button.tsx';
import { shellText } from './texts.ts';

/** What does not ask for attention for a while, and how to end that. It stands below the screen, so that nothing else moves. */
export function AttentionBands() {
	const text = shellText();
	return (
		<section class="attention-bands" aria-label={text.attention}>
			{paused.value && pausedUntil.value !== null && (
				<Banner icon="i-pause" action={<Button onClick={togglePause}>{text.readValues}</Button>}>
					{text.pausedUntil(formatClock(pausedUntil.value))}
				</Banner>
			)}
		</section>
	);
}
