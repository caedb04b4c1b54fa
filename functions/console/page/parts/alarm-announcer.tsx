import { useRef } from 'preact/hooks';
import { occurrenceKey } from '#page/core/alarm-state.ts';
import type { ListedAlarm } from '#page/core/alarms.ts';
import { newlyRaised } from '#page/core/attention.ts';
import { alarmStateText } from '#page/i18n/alarm-states.ts';

/** How many alarms are named in one announcement. */
const maxNamed = 3;

/**
 * Announces newly raised alarms to screen readers: critical ones at once, others when the reader is idle. A dialog has an announcer of
 * its own, because screen readers ignore the page behind a dialog.
 */
export function AlarmAnnouncer() {
	// Another announcer has announced the alarms that were raised before this one appeared.
	const atFirst = useRef(newlyRaised.peek());
	const raised = newlyRaised.value === atFirst.current ? [] : newlyRaised.value;
	const isCritical = ({ severity }: ListedAlarm): boolean => severity === 'critical';
	return (
		<>
			<Sentence role="alert" raised={raised.filter(isCritical)} />
			<Sentence role="status" raised={raised.filter((alarm) => !isCritical(alarm))} />
		</>
	);
}

/** A sentence in an element of its own. A repeated sentence gets a new element, so that it is read again. */
function Sentence({ role, raised }: { readonly role: 'alert' | 'status'; readonly raised: readonly ListedAlarm[] }) {
	const { alarmRaised, moreRaised, severities } = alarmStateText();
	const named = raised.slice(0, maxNamed).map(({ name, severity }) => alarmRaised(severities[severity], name));
	const more = raised.length > maxNamed ? [moreRaised(raised.length - maxNamed)] : [];
	return (
		<span class="sr" role={role}>
			{raised.length > 0 && <span key={raised.map(occurrenceKey).join()}>{[...named, ...more].join('. ')}</span>}
		</span>
	);
}
