import { effect } from '@preact/signals';
import { areAlarmsOld, unacknowledgedAlarms } from '#page/core/alarms.ts';
import { route } from '#page/core/route.ts';
import { session } from '#page/core/session.ts';
import { shellText } from './texts.ts';

/**
 * Sets the title of the browser's tab: the screen, and the number of alarms that nobody has acknowledged, for a person who looks at
 * another tab. A question mark says that the alarms are out of date. Returns a function that stops it.
 */
export function startTabTitle(): () => void {
	// This is no effect of a component, because those wait until the tab is drawn, and hidden tabs are not drawn.
	return effect(() => {
		if (session.value === null) {
			document.title = 'Caudal';
			return;
		}
		const count = unacknowledgedAlarms.value.length;
		const countText = `${count === 0 ? '' : count}${areAlarmsOld.value ? '?' : ''}`;
		document.title = `${countText === '' ? '' : `(${countText}) `}${shellText().screens[route.value.screen]} - Caudal`;
	});
}
