import { type MarkedState, type Severity, severityNumbers } from '#page/core/alarm-state.ts';
import { classNames } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';

/** The class that gives words, tiles and rows the colour of a severity. */
export function severityClass(severity: Severity): `severity-${1 | 2 | 3}` {
	return `severity-${severityNumbers[severity]}`;
}

/**
 * Returns the classes of what is outlined for an alarm, such as a tile: the severity decides the colour. The outline is thick until
 * somebody acknowledges, and dashed after the return to normal. Empty without an alarm.
 */
export function alarmLook(alarm: { readonly severity: Severity; readonly state: MarkedState } | null): string {
	if (alarm === null) return '';
	return classNames(
		'alarm',
		severityClass(alarm.severity),
		alarm.state === 'active_unacknowledged' && 'severe',
		alarm.state === 'returned_unacknowledged' && 'returned',
	);
}

/** The symbol of an alarm: the shape is its severity, the fill of the shape is its state. */
export function alarmIcon(severity: Severity, state: MarkedState): IconName {
	switch (state) {
		case 'active_unacknowledged':
			return `sev${severityNumbers[severity]}-new`;
		case 'active_acknowledged':
			return `sev${severityNumbers[severity]}-ack`;
		case 'returned_unacknowledged':
			return `sev${severityNumbers[severity]}-ret`;
		case 'unknown':
			return 'q-uncertain';
		default:
			return `a-${state}`;
	}
}

/** `label` names severity and state where no words stand beside the mark. */
interface AlarmMarkProps {
	readonly severity: Severity;
	readonly state: MarkedState;
	readonly label?: string | undefined;
	readonly small?: boolean | undefined;
}

/** The mark of an alarm. */
export function AlarmMark({ severity, state, label, small = false }: AlarmMarkProps) {
	const look = classNames('alarm-mark', small && 'small', state === 'unknown' && 'unknown');
	return <Icon name={alarmIcon(severity, state)} label={label} class={look} />;
}
