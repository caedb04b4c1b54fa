import { useSignal, useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { now } from '#page/core/clock.ts';
import { connection, nextAt, pollNow, succeededAt } from '#page/core/poll.ts';
import { formatAge } from '#page/format/age.ts';
import { formatClock } from '#page/format/time.ts';
import { Icon } from '#page/parts/icon.tsx';
import { shellText } from './texts.ts';

/** How long the screen says that the connection is back. */
const backMs = 5000;

/** The band over every screen while the service cannot be reached, and a line while reading fails. */
export function ConnectionBand() {
	const text = shellText();
	const wasLost = useRef(false);
	const backAt = useSignal<number | null>(null);
	useSignalEffect(() => {
		if (connection.value === 'lost') wasLost.current = true;
		else if (connection.value === 'live' && wasLost.current) {
			wasLost.current = false;
			backAt.value = now.peek();
		}
	});
	const state = connection.value;
	return (
		<div class="connection" role="status">
			{state === 'lost' && <Lost />}
			{state === 'failed' && <p class="banner">{text.failedText(secondsLeft())}</p>}
			{state === 'live' && backAt.value !== null && now.value - backAt.value < backMs && (
				<p class="banner">{text.connectedAgain}</p>
			)}
		</div>
	);
}

function Lost() {
	const text = shellText();
	const since = succeededAt.value;
	return (
		<div class="lost-band">
			<Icon name="i-lost" />
			<div>
				<b>{since === null ? text.lostNever : text.lostTitle(formatClock(since), formatAge(now.value - since))}</b>
				<span>
					{since !== null && `${text.lostText} `}
					<span aria-live="off">{nextAt.value === null ? text.trying : text.tryingIn(secondsLeft())}</span>
				</span>
			</div>
			<button type="button" class="btn" onClick={() => void pollNow()}>
				{text.tryNow}
			</button>
		</div>
	);
}

function secondsLeft(): number {
	return nextAt.value === null ? 0 : Math.max(0, Math.ceil((nextAt.value - now.value) / 1000));
}
