import * as v from 'valibot';
import { alarmSchema } from '#domain/board/alarm.ts';
import { boardKinds } from '#domain/board/board-kinds.ts';
import { chartSchema, chartSeriesSchema } from '#domain/board/chart.ts';
import { correctionSchema } from '#domain/board/correction.ts';
import { diagramSchema } from '#domain/board/diagram.ts';
import { entrySchema } from '#domain/board/entry.ts';
import { diagramPipeSchema } from '#domain/board/pipe.ts';
import { maxBoardItems, maxBoardVariables } from '#domain/board/reference.ts';
import { reportSchema } from '#domain/board/report.ts';
import { diagramItemSchema, diagramShapeSchema } from '#domain/board/symbol.ts';
import { maxBackgroundBytes, maxBends } from '#domain/board/symbol-kinds.ts';
import { idSchema, optionalField } from '#domain/validation/field.ts';
import { describedObject } from '../component.ts';
import { namedActors } from './actor.ts';
import { savedFields, savedTexts } from './variable.ts';

/** A correction as it is sent. A client sends back what it read, and its author is ignored. */
export const sentCorrectionSchema = v.object({ ...correctionSchema.entries, author: optionalField(v.string()) });

/** A correction as answers show it. */
export const shownCorrectionSchema = v.object({
	...sentCorrectionSchema.entries,
	actors: v.optional(namedActors('author').actors),
});

/** The ids of what a board is about are 0 where the board cannot be read. */
const ofVariable = { varId: idSchema };

/** An entry as it is sent. A client sends back what it read, and its author is ignored. */
export const sentEntrySchema = v.object({ ...entrySchema.entries, author: optionalField(v.string()) });

/** The boards as they are stored. */
export const savedBoardSchemas = {
	chart: v.object({ ...chartSchema.entries, ...savedFields }),
	diagram: v.object({ ...diagramSchema.entries, ...savedFields }),
	alarm: v.object({ ...alarmSchema.entries, ...ofVariable, ...savedFields }),
	correction: v.object({ ...shownCorrectionSchema.entries, ...ofVariable, ...savedFields }),
	report: v.object({ ...reportSchema.entries, ...savedFields }),
	entry: v.object({
		...sentEntrySchema.entries,
		reportId: idSchema,
		actors: v.optional(namedActors('author').actors),
		...savedFields,
	}),
};

/** A board or the panel that refers to a variable. */
export const usageSchema = v.object({ kind: v.picklist([...boardKinds, 'panel']), id: idSchema, name: v.string() });

// Texts of fields that several kinds of boards have.
const id = 'The id. In a save, 0 creates one and any other id replaces that one.';
const varId = 'The id of an existing variable.';
const bit = 'A bit that the variable defines; left out: the whole value.';
const label = 'The label that users see.';
const variableLimit = `At most ${maxBoardVariables} different variables.`;

const chartTexts = { id, title: 'The title that users see.', series: `The lines of the chart. ${variableLimit}` } as const;
const absentOrNull = 'In an update, an absent one keeps what is stored and null removes it.';
const diagramTexts = {
	id,
	title: 'The title that users see.',
	items: `The values and symbols that show a variable. With the pipes: at most ${maxBoardVariables} different variables.`,
	ratio: `The width of the drawing divided by its height. Left out: 13/9. ${absentOrNull}`,
	shapes: `What is drawn without a variable. At most ${maxBoardItems} items, shapes and pipes together. ${absentOrNull}`,
	pipes: `The pipes between symbols. ${absentOrNull}`,
	background: `A picture below everything else: the text of an SVG file, at most ${maxBackgroundBytes} bytes, without scripts, styles from elsewhere or addresses outside it. Clients show it as an image. ${absentOrNull}`,
} as const;
const placeTexts = {
	x: 'The position of the centre from the left, as a share of the width.',
	y: 'The position of the centre from the top, as a share of the height.',
} as const;
const symbolTexts = {
	...placeTexts,
	label,
	key: 'The name of the symbol for the ends of pipes: 1 to 8 characters, unique in the diagram.',
	w: 'The width, as a share of the width of the drawing. Required for tank, filter, source, frame, pump, valve and network.',
	h: 'The height, as a share of the height of the drawing. Required for tank, filter, source and frame, and only they have it.',
	turn: 'How far a pump or valve is turned clockwise, in degrees. Default: 0.',
	scale:
		'Of a tank: the values at which it is empty and full, in the unit of the variable. Left out: water is drawn only for a variable in %, from 0 to 100.',
	words: 'Where the label and the value stand beside a symbol. Left out: where they stand by default.',
} as const;
const pipeEndText =
	'the key of a symbol, a side of it (`in` or `out` of pumps and valves), and the place along the side from 0 to 1 (0.5)';

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

/** The schemas of charts, diagrams and alarms, and of usages. */
export const boardComponents = {
	ChartSeries: describedObject(chartSeriesSchema, 'A line of a chart.', {
		varId,
		label,
		color: 'The colour of the line, in any form that the client understands, such as `#1f77b4`.',
	}),
	ChartInput: describedObject(chartSchema, 'A chart to save.', chartTexts),
	Chart: describedObject(savedBoardSchemas.chart, 'A saved chart.', { ...chartTexts, ...savedTexts }),
	DiagramItem: describedObject(diagramItemSchema, 'A value at a position on a diagram, as a box or as a symbol.', {
		varId,
		bit,
		...symbolTexts,
		kind: 'What shows the variable. Left out: `value`, a box.',
		tap: 'Of a box: the end of the line that leads to what it measures, from the left and the top.',
	}),
	DiagramShape: describedObject(diagramShapeSchema, 'What is drawn on a diagram without a variable.', {
		...symbolTexts,
		kind: 'What is drawn. A `join` is a point where pipes meet.',
	}),
	DiagramPipe: describedObject(
		diagramPipeSchema,
		'A pipe between two symbols. It flows while its variable is above `over`, or its bit is on. Below `-over` it flows the other way.',
		{
			from: `Where it begins: ${pipeEndText}.`,
			to: `Where it ends: ${pipeEndText}.`,
			via: `Its bends in order, at most ${maxBends}: the position of each from the left and the top.`,
			varId: 'The id of an existing variable that says whether it flows. Left out: it is drawn without an arrow.',
			bit,
			over: 'What the value must be above for the pipe to flow, in the unit of the variable. Default: 0.',
			thin: 'True: a thin line, as for dosing and drains.',
		},
	),
	DiagramInput: describedObject(diagramSchema, 'A diagram to save.', diagramTexts),
	Diagram: describedObject(savedBoardSchemas.diagram, 'A saved diagram.', { ...diagramTexts, ...savedTexts }),
	AlarmInput: describedObject(alarmSchema, 'An alarm to save.', alarmTexts),
	Alarm: describedObject(savedBoardSchemas.alarm, 'A saved alarm.', { ...alarmTexts, ...savedTexts }),
	Usage: describedObject(usageSchema, 'A board, or the panel, that refers to a variable.', {
		kind: 'What refers to the variable.',
		id: 'The id of the board; 0 for the panel.',
		name: 'The name or title that users see; of a correction its reason.',
	}),
} as const;
