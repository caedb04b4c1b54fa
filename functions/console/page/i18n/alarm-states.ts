import type { MarkedState, Severity } from '#page/core/alarm-state.ts';
import { formatCondition } from '#page/format/condition.ts';
import { messages } from './i18n.ts';

/** The words of alarms that several screens use. */
export const alarmStateText = messages<{
	readonly states: Readonly<Record<MarkedState, string>>;
	readonly severities: Readonly<Record<Severity, string>>;
	readonly acknowledge: string;
	readonly acknowledgedNow: (name: string) => string;
	readonly notAcknowledged: string;
	readonly raisedAgain: (occurrence: number) => string;
	readonly alarmRaised: (severity: string, name: string) => string;
	readonly moreRaised: (count: number) => string;
	readonly since: (time: string) => string;
	readonly noData: string;
	readonly raisedForNoData: string;
	readonly limit: (condition: string) => string;
	readonly stateOf: (time: string, holds: boolean) => string;
	readonly lateSince: (time: string) => string;
	readonly neverEvaluated: string;
}>({
	en: {
		states: {
			active_unacknowledged: 'Unacknowledged',
			active_acknowledged: 'Acknowledged',
			returned_unacknowledged: 'Returned, unacknowledged',
			normal: 'Normal',
			shelved: 'Shelved',
			disabled: 'Disabled',
			unknown: 'Not evaluated yet',
		},
		severities: { critical: 'Critical', warning: 'Warning', info: 'Info' },
		acknowledge: 'Acknowledge',
		acknowledgedNow: (name) => `${name} acknowledged`,
		notAcknowledged: 'Not acknowledged: try again.',
		raisedAgain: (occurrence) => `Raised again (${occurrence}): look, then acknowledge`,
		alarmRaised: (severity, name) => `${severity} alarm: ${name}`,
		moreRaised: (count) => `${count} more`,
		since: (time) => `since ${time}`,
		noData: 'no data',
		raisedForNoData: 'raised because there is no data',
		limit: (condition) => `alarm if ${condition}`,
		stateOf: (time, holds) => `state of ${time}; its condition ${holds ? 'holds' : 'does not hold'} now`,
		lateSince: (time) => `Alarms not evaluated since ${time}`,
		neverEvaluated: 'Alarms wait for their first evaluation',
	},
	es: {
		states: {
			active_unacknowledged: 'Sin reconocer',
			active_acknowledged: 'Reconocida',
			returned_unacknowledged: 'Normal, sin reconocer',
			normal: 'Normal',
			shelved: 'Aplazada',
			disabled: 'Desactivada',
			unknown: 'Aún sin evaluar',
		},
		severities: { critical: 'Crítica', warning: 'Aviso', info: 'Información' },
		acknowledge: 'Reconocer',
		acknowledgedNow: (name) => `${name} reconocida`,
		notAcknowledged: 'No se ha reconocido: inténtelo de nuevo.',
		raisedAgain: (occurrence) => `Activada de nuevo (${occurrence}): mírela y después reconózcala`,
		alarmRaised: (severity, name) => `Alarma, ${severity}: ${name}`,
		moreRaised: (count) => `${count} más`,
		since: (time) => `desde ${time}`,
		noData: 'sin datos',
		raisedForNoData: 'activada por falta de datos',
		limit: (condition) => `alarma si ${condition}`,
		stateOf: (time, holds) => `estado: ${time}; su condición ${holds ? 'se cumple' : 'no se cumple'} ahora`,
		lateSince: (time) => `Alarmas sin evaluar desde ${time}`,
		neverEvaluated: 'Las alarmas esperan su primera evaluación',
	},
});

/** Returns the severity and the state of an alarm in words. Used as the label of a mark without words beside it. */
export function alarmMarkLabel(severity: Severity, state: MarkedState): string {
	const { severities, states } = alarmStateText();
	return `${severities[severity]}, ${states[state].toLowerCase()}`;
}

/** Says when an alarm is raised: `alarm if < 2 m`. It may stand beside a value, because it does not read as a statement about the value. */
export function conditionWords(alarm: Parameters<typeof formatCondition>[0], unit: string): string {
	return alarmStateText().limit(formatCondition(alarm, unit));
}
