import type { ApiEndpointName } from './api-endpoints.ts';
import type { ApiOperation } from './operation.ts';
import { alarmOperations } from './operations/alarms.ts';
import { boardOperations } from './operations/boards.ts';
import { changeOperations } from './operations/changes.ts';
import { correctionOperations } from './operations/corrections.ts';
import { machineOperations } from './operations/machines.ts';
import { openIdOperations } from './operations/openid.ts';
import { panelOperations } from './operations/panel.ts';
import { peopleOperations } from './operations/people.ts';
import { readingOperations } from './operations/readings.ts';
import { reportOperations } from './operations/reports.ts';
import { serviceOperations } from './operations/service.ts';
import { signInOperations } from './operations/sign-in.ts';
import { tableOperations } from './operations/tables.ts';
import { topicOperations } from './operations/topics.ts';
import { variableOperations } from './operations/variables.ts';

/** What the document says of each endpoint of the contract but pages. An endpoint that is not described is an error of types. */
export const operations = {
	...signInOperations,
	...openIdOperations,
	...variableOperations,
	...topicOperations,
	...readingOperations,
	...correctionOperations,
	...reportOperations,
	...tableOperations,
	...boardOperations,
	...alarmOperations,
	...panelOperations,
	...changeOperations,
	...peopleOperations,
	...machineOperations,
	...serviceOperations,
} as const satisfies Readonly<Record<ApiEndpointName, ApiOperation>>;
