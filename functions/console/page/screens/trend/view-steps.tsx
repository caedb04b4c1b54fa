import { parseRoute, type Route, route } from '#page/core/route.ts';
import { Button } from '#page/parts/button.tsx';
import { trendText } from './texts.ts';

/**
 * Buttons that go to the trend shown before or after this one. They take the same steps as the browser's Back and Forward, but never
 * leave the screen. They are missing in browsers from before 2026, which do not list their history.
 */
export function ViewSteps() {
	const text = trendText();
	// Reading the route makes the component follow every step.
	const { screen } = route.value;
	if (!('navigation' in globalThis)) return null;
	return (
		<span class="btn-group">
			<Button icon="i-undo" aria-label={text.back} disabled={!leadsTo(screen, 'back')} onClick={() => history.back()} />
			<Button icon="i-redo" aria-label={text.forward} disabled={!leadsTo(screen, 'forward')} onClick={() => history.forward()} />
		</span>
	);
}

/** Whether the address one step back or forward belongs to a screen. */
function leadsTo(screen: Route['screen'], direction: 'back' | 'forward'): boolean {
	const step = direction === 'back' ? -1 : 1;
	const entry = navigation.entries()[(navigation.currentEntry?.index ?? 0) + step];
	return typeof entry?.url === 'string' && entry.sameDocument && parseRoute(new URL(entry.url).hash).screen === screen;
}
