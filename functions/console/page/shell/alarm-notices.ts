import { effect } from '@preact/signals';
import { occurrenceKey } from '#page/core/alarm-state.ts';
import { type ListedAlarm, unacknowledgedAlarms } from '#page/core/alarms.ts';
import { newlyRaised } from '#page/core/attention.ts';
import { noticesOn } from '#page/core/preferences.ts';
import { goTo, hrefOf } from '#page/core/route.ts';
import { session } from '#page/core/session.ts';
import { alarmStateText } from '#page/i18n/alarm-states.ts';

/**
 * Shows a notice of the desktop for each alarm that is raised. It closes the notice when the alarm need not be acknowledged any more.
 * Returns a function that stops it.
 */
export function startNotices(): () => void {
	/** The notices on the desktop, by the key of the occurrence. */
	const shown = new Map<string, Notification>();
	const stopShowing = effect(() => {
		if (!noticesOn.value) return;
		for (const alarm of newlyRaised.value) if (!shown.has(occurrenceKey(alarm))) show(alarm, shown);
	});
	const stopClosing = effect(() => {
		const unacknowledgedKeys = new Set(unacknowledgedAlarms.value.map(occurrenceKey));
		for (const [key, notice] of shown) {
			if (unacknowledgedKeys.has(key)) continue;
			notice.close();
			shown.delete(key);
		}
	});
	return () => {
		stopShowing();
		stopClosing();
	};
}

/** Shows a notice, and adds it to `shown`. */
function show(alarm: ListedAlarm, shown: Map<string, Notification>): void {
	const { id, name, severity } = alarm;
	try {
		const notice = new Notification(name, {
			body: `${alarmStateText().severities[severity]} · ${session.value?.schema ?? ''}`,
			// A notice replaces an older one with the same tag.
			tag: `caudal ${id}`,
			requireInteraction: severity === 'critical',
		});
		notice.addEventListener('click', () => {
			// Brings the tab of the console to the front.
			focus();
			goTo(hrefOf('alarms', id));
			notice.close();
		});
		shown.set(occurrenceKey(alarm), notice);
	} catch {
		// Browsers of phones may grant the permission, but still refuse to create a notice.
		noticesOn.value = false;
	}
}
