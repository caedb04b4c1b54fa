import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { now } from '#page/core/clock.ts';
import { connection, showsOutdated, succeededAt } from '#page/core/poll.ts';
import { route } from '#page/core/route.ts';
import { session } from '#page/core/session.ts';
import { formatAge } from '#page/format/time.ts';
import { commonText } from '#page/i18n/common.ts';
import { messages } from '#page/i18n/i18n.ts';
import { classNames } from '#page/parts/class-names.ts';
import { Icon } from '#page/parts/icon.tsx';
import { pollIcons } from './polling.tsx';
import { Clock } from './rail.tsx';
import { shellText } from './texts.ts';

const wallText = messages({
	en: {
		mayDarken: 'The browser may let this screen go dark.',
	},
	es: {
		mayDarken: 'El navegador puede apagar esta pantalla.',
	},
});

/** The head of a wall display: the plant, the screen, the age of the values, and a clock. Its moving seconds show that the page still runs. */
export function WallHead() {
	const text = shellText();
	const isAwake = useAwakeScreen();
	const state = connection.value;
	const stateText = state === 'starting' ? commonText().reading : text[state];
	const age = succeededAt.value === null ? '' : text.ago(formatAge(now.value - succeededAt.value));
	return (
		<header class={classNames('wall-head', showsOutdated.value && 'old')}>
			<div class="wall-title">
				<b>{session.value?.schema}</b>
				<span>{text.screens[route.value.screen]}</span>
			</div>
			<div class="wall-state">
				<Icon name={pollIcons[state]} />
				<b>{showsOutdated.value ? commonText().outdated : stateText}</b>
				<span>{age}</span>
			</div>
			{!isAwake && <span>{wallText().mayDarken}</span>}
			<Clock />
		</header>
	);
}

/**
 * Keeps the display switched on while the component is rendered, and asks for that again when a hidden tab returns. Returns false when
 * the browser refuses.
 */
function useAwakeScreen(): boolean {
	const isAwake = useSignal(true);
	useEffect(() => {
		let lock: WakeLockSentinel | null = null;
		/** Whether the component has left the screen. A lock that comes after that is released at once. */
		let isLeft = false;
		const keepAwake = async (): Promise<void> => {
			if (document.hidden) return;
			try {
				// Throws on pages without TLS, which have no `wakeLock`.
				lock = await navigator.wakeLock.request('screen');
				isAwake.value = true;
				if (isLeft) void lock.release();
			} catch {
				isAwake.value = false;
			}
		};
		const keepAwakeAgain = () => void keepAwake();
		void keepAwake();
		document.addEventListener('visibilitychange', keepAwakeAgain);
		return () => {
			isLeft = true;
			document.removeEventListener('visibilitychange', keepAwakeAgain);
			void lock?.release();
		};
	}, []);
	return isAwake.value;
}
