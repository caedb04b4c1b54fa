import { now, uptime } from '#page/core/clock.ts';
import { connection, nextAt, paused, succeededAt, togglePause } from '#page/core/poll.ts';
import { interval, pollSeconds } from '#page/core/preferences.ts';
import { formatAge } from '#page/format/time.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { Icon, type IconName } from '#page/parts/icon.tsx';
import { Select } from '#page/parts/select.tsx';
import { shellText } from './texts.ts';

/** The symbols of the states of the connection. */
export const pollIcons = {
	starting: 'state-unknown',
	live: 'state-on',
	failed: 'q-bad',
	lost: 'i-lost',
	paused: 'i-pause',
} as const satisfies Readonly<Record<typeof connection.value, IconName>>;

/** The state of the polling: whether readings succeed, the age of the last one, the interval, and the button that pauses them. */
export function Polling() {
	const text = shellText();
	/** Which share of the wait for the next poll is over; 1 where no poll is planned. */
	const shareWaited = paused.value || nextAt.value === null ? 1 : 1 - (nextAt.value - uptime.value) / (interval.value * 1000);
	return (
		<div class="poll">
			<div class="poll-line">
				<span class="poll-state">
					<Icon name={pollIcons[connection.value]} />
					{connection.value === 'starting' ? commonText().reading : text[connection.value]}
				</span>
				<span>{succeededAt.value !== null && text.ago(formatAge(now.value - succeededAt.value))}</span>
			</div>
			<div class="poll-progress" aria-hidden="true">
				<i style={{ width: `${100 * Math.min(1, Math.max(0, shareWaited))}%` }} />
			</div>
			<div class="poll-line">
				<Select
					aria-label={text.interval}
					value={String(interval.value)}
					choices={pollSeconds.map((seconds) => ({ value: String(seconds), label: text.every(seconds) }))}
					onChoose={(seconds) => {
						interval.value = Number(seconds);
					}}
				/>
				<Button
					icon={paused.value ? 'i-play' : 'i-pause'}
					onClick={togglePause}
					aria-label={paused.value ? text.resume : text.pause}
				/>
			</div>
		</div>
	);
}
