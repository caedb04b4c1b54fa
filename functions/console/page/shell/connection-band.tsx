import { useSignal, useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { now, uptime } from '#page/core/clock.ts';
import { connection, nextAt, pollNow, succeededAt } from '#page/core/poll.ts';
import { endsSoonAt } from '#page/core/renewal.ts';
import { expired } from '#page/core/session.ts';
import { formatAge } from '#page/format/time.ts';
import { clockOrDay } from '#page/parts/alarm-since.tsx';
import { Banner } from '#page/parts/banner.tsx';
import { LostBand } from '#page/parts/lost-band.tsx';
import { shellText } from './texts.ts';

/** How long the message that the connection is back is shown, in milliseconds. */
const backMs = 5000;

/**
 * The band over every screen: while the service cannot be reached, while readings fail, after signing out, and for some seconds once the
 * connection is back.
 */
export function ConnectionBand() {
	const text = shellText();
	const wasLost = useRef(false);
	/** When the connection came back, in milliseconds of `uptime`. */
	const backAt = useSignal<number | null>(null);
	useSignalEffect(() => {
		if (connection.value === 'lost') wasLost.current = true;
		else if (connection.value === 'live' && wasLost.current) {
			wasLost.current = false;
			backAt.value = uptime.peek();
		}
	});
	const state = connection.value;
	// Before the first reading there is no value whose time the band could tell.
	if (expired.value && succeededAt.value !== null)
		return (
			<section aria-label={text.connection}>
				<Banner look="doubt">{text.signedOutSince(clockOrDay(succeededAt.value))}</Banner>
			</section>
		);
	if (state === 'lost') return <Lost />;
	const isBack = state === 'live' && backAt.value !== null && uptime.value - backAt.value < backMs;
	if (state !== 'failed' && !isBack) return null;
	return (
		<section aria-label={text.connection}>
			{isBack ? (
				<Banner>{text.connectedAgain}</Banner>
			) : (
				<Banner announcement={text.failed}>{text.failedText(secondsLeft())}</Banner>
			)}
		</section>
	);
}

/** The warning that the session ends soon. After the end it says so until somebody signs in. */
export function SessionBand() {
	const endsAt = endsSoonAt.value;
	if (endsAt === null) return null;
	const { shown, announced } = sessionText(endsAt, now.value);
	return (
		<section aria-label={shellText().session}>
			<Banner look="doubt" announcement={announced}>
				{shown}
			</Banner>
		</section>
	);
}

/**
 * Says at which time the session ends and in how many minutes, or at which time it has ended. Screen readers announce a text without the
 * minutes, so that they do not repeat it every minute. Times are epoch milliseconds.
 */
export function sessionText(endsAt: number, nowMs: number): { readonly shown: string; readonly announced: string } {
	const text = shellText();
	const time = clockOrDay(endsAt);
	if (nowMs >= endsAt) return { shown: text.signInAgain(text.sessionEnded(time)), announced: text.sessionEnded(time) };
	return { shown: text.sessionEndsIn(time, Math.ceil((endsAt - nowMs) / 60_000)), announced: text.sessionEnds(time) };
}

/** The band while the service does not answer: since when, and when the next attempt is. */
function Lost() {
	const text = shellText();
	const since = succeededAt.value;
	const next = nextAt.value === null ? text.trying : text.tryingIn(secondsLeft());
	return (
		<LostBand
			label={text.connection}
			announcement={since === null ? text.lostNever : text.lostSince(clockOrDay(since))}
			title={since === null ? text.lostNever : text.lostTitle(clockOrDay(since), formatAge(now.value - since))}
			text={since === null ? next : `${text.lostText} ${next}`}
			tryText={text.tryNow}
			onTry={pollNow}
		/>
	);
}

/** Returns the seconds until the next attempt; 0 while one is under way. */
function secondsLeft(): number {
	return nextAt.value === null ? 0 : Math.max(0, Math.ceil((nextAt.value - uptime.value) / 1000));
}
