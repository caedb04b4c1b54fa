import * as v from 'valibot';
import { alarmSchema } from '#domain/board/alarm.ts';
import { boardKinds } from '#domain/board/board.ts';
import { chartSchema, chartSeriesSchema } from '#domain/board/chart.ts';
import { correctionSchema } from '#domain/board/correction.ts';
import { diagramItemSchema, diagramSchema } from '#domain/board/diagram.ts';
import { maxBoardVariables } from '#domain/board/reference.ts';
import { reportSchema } from '#domain/board/report.ts';
import { idSchema } from '#domain/validation/field.ts';
import { describedObject } from '../component.ts';
import { saved, versionText } from './variable.ts';

/** The boards as they are stored. */
export const savedBoardSchemas = {
	chart: v.object({ ...chartSchema.entries, ...saved }),
	diagram: v.object({ ...diagramSchema.entries, ...saved }),
	alarm: v.object({ ...alarmSchema.entries, ...saved }),
	correction: v.object({ ...correctionSchema.entries, ...saved }),
	report: v.object({ ...reportSchema.entries, ...saved }),
};

/** A board or the panel that refers to a variable. */
export const usageSchema = v.object({ kind: v.picklist([...boardKinds, 'panel']), id: idSchema, name: v.string() });

const id = 'The id. In a save, 0 creates one and any other id replaces that one.';
const varId = 'The id of an existing variable.';
const bit = 'A bit that the variable defines; left out: the whole value.';
const label = 'The label that users see.';
const version = { version: versionText } as const;
const variables = `At most ${maxBoardVariables} different variables.`;

const chartTexts = { id, title: 'The title that users see.', series: `The lines of the chart. ${variables}` } as const;
const diagramTexts = { id, title: 'The title that users see.', items: `The values on the diagram. ${variables}` } as const;
/** What the document says of the fields of an alarm. */
export const alarmTexts = {
	id,
	name: 'The name that users see.',
	varId,
	bit,
	condition: 'How the newest value is compared with the threshold.',
	threshold: 'The number that the value is compared with, in the unit of the variable.',
	severity: 'How serious the alarm is.',
	message: 'What users see while the alarm is active.',
	enabled: 'False: the alarm is not evaluated. Default: true.',
	deadband:
		'How far the value must move back past the threshold before the alarm clears, in the unit of the variable. 0 with `==`, `!=` and `bit`. Default: 0.',
	onDelaySeconds: 'How long the condition must hold before the alarm is raised. Default: 0.',
	offDelaySeconds: 'How long the condition must not hold before the alarm is cleared. Default: 60.',
	noDataSeconds:
		'How long there may be no usable value before the alarm is raised with the cause `no_data`; 0: never. It counts as at least 60 s and two periods of the variable. Default: the lookback of the variable, from 60 s to one day.',
} as const;

/** The schemas of charts, diagrams and alarms. */
export const boardComponents = {
	ChartSeries: describedObject(chartSeriesSchema, 'A line of a chart.', {
		varId,
		label,
		color: 'The colour of the line, in any form that the client understands, such as `#1f77b4`.',
	}),
	ChartInput: describedObject(chartSchema, 'A chart to save.', chartTexts),
	Chart: describedObject(savedBoardSchemas.chart, 'A saved chart.', { ...chartTexts, ...version }),
	DiagramItem: describedObject(diagramItemSchema, 'A value at a position on a picture.', {
		varId,
		bit,
		x: 'The position from the left, as a share of the width.',
		y: 'The position from the top, as a share of the height.',
		label,
	}),
	DiagramInput: describedObject(diagramSchema, 'A diagram to save.', diagramTexts),
	Diagram: describedObject(savedBoardSchemas.diagram, 'A saved diagram.', { ...diagramTexts, ...version }),
	AlarmInput: describedObject(alarmSchema, 'An alarm to save.', alarmTexts),
	Alarm: describedObject(savedBoardSchemas.alarm, 'A saved alarm.', { ...alarmTexts, ...version }),
	Usage: describedObject(usageSchema, 'A board, or the panel, that refers to a variable.', {
		kind: 'What refers to the variable.',
		id: 'The id of the board; 0 for the panel.',
		name: 'The name or title that users see; of a correction its reason.',
	}),
} as const;
