const savedId = '$response.body#/data/id';

const link = (operationId: string, description: string) => ({ operationId, description, parameters: { id: savedId } });

/** What a client can do next with what it saved. */
export const links = {
	ReadVariable: {
		operationId: 'readVariables',
		description: 'Reads the variable.',
		requestBody: { ids: [savedId] },
	},
	DeleteVariable: link('deleteVariable', 'Deletes the variable.'),
	ListUsages: link('listUsages', 'Lists what refers to the variable.'),
	DeleteChart: link('deleteChart', 'Deletes the chart.'),
	DeleteDiagram: link('deleteDiagram', 'Deletes the diagram.'),
	DeleteAlarm: link('deleteAlarm', 'Deletes the alarm.'),
} as const;
