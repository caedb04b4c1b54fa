/** Where the answer to a save has the id, as a runtime expression of OpenAPI. */
const savedId = '$response.body#/data/id';

/** Links an answer to an operation whose path has the id. */
const link = (operationId: string, description: string) => ({ operationId, description, parameters: { id: savedId } });

/** The operations that a client can call next with the item it has just saved. */
export const links = {
	// This link passes no id: the operation takes it in its body, and openapi-generator fails on a link whose `requestBody` is an object.
	ReadVariable: {
		operationId: 'readVariables',
		description: 'Reads every variable, this one too; with its id in `ids`, only this one.',
	},
	DeleteVariable: link('deleteVariable', 'Deletes the variable.'),
	ListUsages: link('listUsages', 'Lists what refers to the variable.'),
	DeleteChart: link('deleteChart', 'Deletes the chart.'),
	DeleteDiagram: link('deleteDiagram', 'Deletes the diagram.'),
	DeleteCorrection: link('deleteCorrection', 'Deletes the correction.'),
	DeleteReport: link('deleteReport', 'Deletes the report.'),
	DeleteEntry: link('deleteEntry', 'Deletes the entry.'),
	DeleteAlarm: link('deleteAlarm', 'Deletes the alarm.'),
} as const;
