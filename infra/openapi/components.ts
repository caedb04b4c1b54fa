import type { Component } from './component.ts';
import { actorComponents } from './schemas/actor.ts';
import { alarmComponents } from './schemas/alarm.ts';
import { answerComponents } from './schemas/answer.ts';
import { backtestComponents } from './schemas/backtest.ts';
import { boardComponents } from './schemas/board.ts';
import { changeComponents } from './schemas/change.ts';
import { correctionComponents } from './schemas/correction.ts';
import { historyComponents } from './schemas/history.ts';
import { machineComponents } from './schemas/machine.ts';
import { messageComponents } from './schemas/message.ts';
import { openIdComponents } from './schemas/openid.ts';
import { panelComponents } from './schemas/panel.ts';
import { personComponents } from './schemas/person.ts';
import { readingComponents } from './schemas/reading.ts';
import { reportComponents } from './schemas/report.ts';
import { serviceComponents } from './schemas/service.ts';
import { tableComponents } from './schemas/table.ts';
import { topicComponents } from './schemas/topic.ts';
import { totalsComponents } from './schemas/totals.ts';
import { variableComponents } from './schemas/variable.ts';

/** Every named schema of the document. */
export const components = {
	...serviceComponents,
	...actorComponents,
	...variableComponents,
	...topicComponents,
	...readingComponents,
	...historyComponents,
	...correctionComponents,
	...totalsComponents,
	...reportComponents,
	...tableComponents,
	...boardComponents,
	...alarmComponents,
	...backtestComponents,
	...panelComponents,
	...answerComponents,
	...personComponents,
	...machineComponents,
	...openIdComponents,
	...changeComponents,
	...messageComponents,
} as const satisfies Readonly<Record<string, Component>>;

/** The name of a schema, such as `Variable`. */
export type ComponentName = keyof typeof components;
