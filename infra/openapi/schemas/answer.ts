import * as v from 'valibot';
import { idSchema } from '#domain/validation/field.ts';
import { type Component, described, describedObject } from '../component.ts';
import { acknowledgedAlarmSchema, alarmStateSchema, evaluationSchema, journalEntrySchema } from './alarm.ts';
import { backtestSchema } from './backtest.ts';
import { savedBoardSchemas, usageSchema } from './board.ts';
import { triedCorrectionSchema } from './correction.ts';
import { draftHistorySchema, historySchema } from './history.ts';
import { savedPanelSchema, shownPanelSchema } from './panel.ts';
import { readingSchema } from './reading.ts';
import { readReportSchema, reportDaySchema, sealedDaySchema, triedReportSchema } from './report.ts';
import { totalsSchema } from './totals.ts';
import { variableSchema } from './variable.ts';

/** Describes the answer that holds one thing, or the list of all. */
export const answer = <Data extends v.GenericSchema>(data: Data, description: string) =>
	describedObject(v.object({ data }), description, { data: description });

const pageOf = <Row extends v.GenericSchema>(row: Row) =>
	v.object({ data: v.array(row), next: v.optional(v.nullable(idSchema)) });

const pageTexts = (things: string) => ({
	data: `The ${things}. A complete listing is in ascending order of ids.`,
	next: 'Only in a page: the value of `after` for the next page; null on the last page.',
});

/** Describes a complete listing or a page of one. */
const listing = <Row extends v.GenericSchema>(row: Row, things: string) =>
	describedObject(pageOf(row), `The ${things}, all or a page.`, pageTexts(things));

const alarms = 'alarms with their current states';

/** Describes the answer to a save with `dryRun=1`. */
const preview = <Data extends v.GenericSchema>(data: Data, description: string) =>
	describedObject(v.object({ data }), 'The answer to a dry run: nothing was stored.', { data: description });

/** Describes the answer to a save that may be a dry run. */
const savedOrPreviewed = <Saved extends v.GenericSchema, Previewed extends v.GenericSchema>(
	saved: Component<Saved>,
	previewed: Component<Previewed>,
	description: string,
) => described(v.union([saved.schema, previewed.schema]), description);

const variableAnswer = answer(variableSchema, 'The variable as stored.');

const variablePreview = preview(
	v.object({ variable: variableSchema, reading: readingSchema, history: v.optional(draftHistorySchema) }),
	'The variable as it would be stored (id 0 where it is new), and what it reads now; with `start` and `period` also its history before and after.',
);

const alarmAnswer = answer(savedBoardSchemas.alarm, 'The alarm as stored.');

const alarmPreview = preview(
	v.object({ alarm: savedBoardSchemas.alarm, backtest: v.optional(backtestSchema) }),
	'The alarm as it would be stored (id 0 where it is new), and with `start` and `end` what it would have done.',
);

const correctionAnswer = answer(savedBoardSchemas.correction, 'The correction as stored.');

const correctionPreview = preview(
	triedCorrectionSchema,
	'The correction as it would be stored (id 0 where it is new), and the days that it is about.',
);

const savedReportAnswer = answer(savedBoardSchemas.report, 'The report as stored.');

const reportPreview = preview(
	triedReportSchema,
	'The report as it would be stored (id 0 where it is new), and its numbers of yesterday.',
);

/** The bodies of answers. */
export const answerComponents = {
	VariableListing: listing(variableSchema, 'variables'),
	VariableAnswer: variableAnswer,
	VariablePreview: variablePreview,
	SavedOrPreviewedVariable: savedOrPreviewed(
		variableAnswer,
		variablePreview,
		'The variable as stored, or with `dryRun=1` as it would be stored, with its reading.',
	),
	VariableDeletion: answer(
		v.object({ tsdbVar: v.boolean(), usages: v.optional(v.array(usageSchema)) }),
		'`tsdbVar`: whether there was such a variable. With `dryRun=1` also its `usages`: alarms and corrections that would be deleted, charts, diagrams and reports that would lose its items or lines, and the panel, which keeps them. Nothing is deleted then.',
	),
	ReadingsAnswer: answer(v.array(readingSchema), 'The readings, in the order of the request; by ascending id for all variables.'),
	TotalsAnswer: answer(totalsSchema, 'The lines, with the windows that they share.'),
	HistoryAnswer: answer(historySchema, 'The histories, with the windows that they share.'),
	UsagesAnswer: answer(
		v.array(usageSchema),
		'The charts, diagrams, alarms, corrections, reports and the panel that refer to the variable.',
	),
	ChartListing: listing(savedBoardSchemas.chart, 'charts'),
	ChartAnswer: answer(savedBoardSchemas.chart, 'The chart as stored.'),
	ChartDeletion: answer(v.object({ chart: v.boolean() }), '`chart`: whether there was such a chart.'),
	DiagramListing: listing(savedBoardSchemas.diagram, 'diagrams'),
	DiagramAnswer: answer(savedBoardSchemas.diagram, 'The diagram as stored.'),
	DiagramDeletion: answer(v.object({ diagram: v.boolean() }), '`diagram`: whether there was such a diagram.'),
	AlarmListing: describedObject(
		v.object({ ...pageOf(alarmStateSchema).entries, evaluation: evaluationSchema }),
		`The ${alarms}, all or a page.`,
		{ ...pageTexts(alarms), evaluation: 'How far the alarms are evaluated.' },
	),
	AlarmAnswer: alarmAnswer,
	AlarmPreview: alarmPreview,
	SavedOrPreviewedAlarm: savedOrPreviewed(
		alarmAnswer,
		alarmPreview,
		'The alarm as stored, or with `dryRun=1` as it would be stored.',
	),
	CorrectionListing: listing(savedBoardSchemas.correction, 'corrections'),
	CorrectionAnswer: correctionAnswer,
	CorrectionPreview: correctionPreview,
	SavedOrPreviewedCorrection: savedOrPreviewed(
		correctionAnswer,
		correctionPreview,
		'The correction as stored, or with `dryRun=1` as it would be stored, with its days before and after.',
	),
	CorrectionDeletion: answer(v.object({ correction: v.boolean() }), '`correction`: whether there was such a correction.'),
	ReportListing: listing(savedBoardSchemas.report, 'reports'),
	// `ReportAnswer` has the numbers of a report.
	SavedReportAnswer: savedReportAnswer,
	ReportPreview: reportPreview,
	SavedOrPreviewedReport: savedOrPreviewed(
		savedReportAnswer,
		reportPreview,
		'The report as stored, or with `dryRun=1` as it would be stored, with its numbers of yesterday.',
	),
	ReportDeletion: answer(v.object({ report: v.boolean() }), '`report`: whether there was such a report.'),
	EntryListing: listing(savedBoardSchemas.entry, 'entries'),
	EntryAnswer: answer(savedBoardSchemas.entry, 'The entry as stored.'),
	EntryDeletion: answer(v.object({ entry: v.boolean() }), '`entry`: whether there was such an entry.'),
	ReportAnswer: answer(readReportSchema, 'The lines, with the windows that they share.'),
	ReportDayAnswer: answer(reportDaySchema, 'The versions of the day.'),
	SealAnswer: answer(v.object({ days: v.array(sealedDaySchema) }), '`days`: the days of the request, as they are stored now.'),
	AlarmDeletion: answer(v.object({ alarm: v.boolean() }), '`alarm`: whether there was such an alarm.'),
	AcknowledgementAnswer: answer(v.array(acknowledgedAlarmSchema), 'What became of each alarm, in the order of the request.'),
	ShelvingAnswer: answer(alarmStateSchema, 'The alarm as it is listed.'),
	JournalPage: describedObject(
		v.object({ data: v.array(journalEntrySchema), next: v.nullable(v.string()) }),
		'A page of the journal of alarms.',
		{
			data: 'The entries, newest first.',
			next: 'The value of `after` for the next page, not to be read; null on the last page.',
		},
	),
	PanelAnswer: answer(savedPanelSchema, 'The panel as stored.'),
	ShownPanelAnswer: answer(shownPanelSchema, 'The panel with the current state of each item.'),
} as const;
