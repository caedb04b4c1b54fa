import { parseRoute, type Route, route } from '#page/core/route.ts';
import { Button } from '#page/parts/button.tsx';
import { trendText } from './texts.ts';

/**
 * Buttons to the trends that were shown before and after: the same steps as those of the browser's Back and Forward, without leaving
 * the screen. Browsers from before 2026 do not list their history; there, the buttons are missing.
 */
export function ViewSteps() {
	const text = trendText();
	// Read here, so that the buttons follow every step.
	const { screen } = route.value;
	if (!('navigation' in globalThis)) return null;
	return (
		<span class="btn-group">
			<Button icon="i-undo" aria-label={text.back} disabled={!isAt(-1, screen)} onClick={() => history.back()} />
			<Button icon="i-redo" aria-label={text.forward} disabled={!isAt(1, screen)} onClick={() => history.forward()} />
		</span>
	);
}

/** Whether the address one step back or forward is of a screen. */
function isAt(step: -1 | 1, screen: Route['screen']): boolean {
	const entry = navigation.entries()[(navigation.currentEntry?.index ?? 0) + step];
	return typeof entry?.url === 'string' && entry.sameDocument && parseRoute(new URL(entry.url).hash).screen === screen;
}
