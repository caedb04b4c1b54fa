/**
 * The functions that write what answers hold, each beside the schema that describes it. A function that forgets a field, writes a field of
 * another type, or adds a field that the document does not name is an error of types in its row. Nothing of this file runs.
 */
import type { jsonOf } from '#domain/alarm/notification-text.ts';
import type { reportJson } from '#domain/report/report-notification.ts';
import type { changeEntryToJson, itemVersionToJson } from '#http/change-page.ts';
import type { errorBody } from '#http/error-response.ts';
import type * as serialize from '#http/serialize.ts';
import type * as alarm from '#http/serialize-alarm.ts';
import type * as report from '#http/serialize-report.ts';
import type * as totals from '#http/serialize-totals.ts';
import type { tableToJson } from '#http/table/table.ts';
import type { describedSeriesToJson, listedSeriesToJson } from '#http/topic-page.ts';
import type { Schemas } from './api.ts';
import type { ComponentName } from './components.ts';

/** What is written, by the name of its schema. */
export interface Serialized {
	readonly Variable: Written<'Variable', typeof serialize.variableToJson>;
	readonly Reading: Written<'Reading', typeof serialize.readingToJson>;
	readonly History: Written<'History', typeof serialize.historyToJson>;
	readonly DraftHistory: Written<'DraftHistory', typeof serialize.draftHistoryToJson>;
	readonly Panel: Written<'Panel', typeof serialize.panelToJson>;
	readonly ShownPanel: Written<'ShownPanel', typeof serialize.shownPanelToJson>;
	readonly Chart: Written<'Chart', typeof serialize.boardToJson<'chart'>>;
	readonly Diagram: Written<'Diagram', typeof serialize.boardToJson<'diagram'>>;
	readonly Alarm: Written<'Alarm', typeof serialize.boardToJson<'alarm'>>;
	readonly Correction: Written<'Correction', typeof serialize.boardToJson<'correction'>>;
	readonly Entry: Written<'Entry', typeof serialize.boardToJson<'entry'>>;
	readonly Report: Written<'Report', typeof serialize.boardToJson<'report'>>;
	readonly Person: Written<'Person', typeof serialize.personToJson>;
	readonly Machine: Written<'Machine', typeof serialize.machineToJson>;
	readonly AlarmState: Written<'AlarmState', typeof alarm.alarmToJson>;
	readonly Evaluation: Written<'Evaluation', typeof alarm.evaluationToJson>;
	readonly JournalEntry: Written<'JournalEntry', typeof alarm.alarmEventToJson>;
	readonly Backtest: Written<'Backtest', typeof alarm.backtestToJson>;
	readonly ReadReport: Written<'ReadReport', typeof report.reportToJson>;
	readonly DayVersion: Written<'DayVersion', typeof report.reportDayToJson>;
	readonly ReferenceNights: Written<'ReferenceNights', typeof report.referenceToJson>;
	readonly SealedDay: Written<'SealedDay', typeof report.sealToJson>;
	readonly Totals: Written<'Totals', typeof totals.totalsToJson>;
	readonly CountedLine: Written<'CountedLine', typeof totals.lineToJson>;
	readonly RangeTotal: Written<'RangeTotal', typeof totals.numberToJson>;
	readonly Table: Written<'Table', typeof tableToJson>;
	readonly ListedTopic: Written<'ListedTopic', typeof listedSeriesToJson>;
	readonly DescribedTopic: Written<'DescribedTopic', typeof describedSeriesToJson>;
	readonly ChangeEntry: Written<'ChangeEntry', typeof changeEntryToJson>;
	readonly ItemVersion: Written<'ItemVersion', typeof itemVersionToJson>;
	readonly AlarmMessage: Written<'AlarmMessage', typeof jsonOf>;
	readonly ReportMessage: Written<'ReportMessage', typeof reportJson>;
	readonly FieldErrors: Written<'FieldErrors', typeof errorBody>;
}

/** What a function returns, which must be what the schema describes, and no more. */
export type Written<
	Name extends ComponentName,
	Write extends (...args: never) => Answered<Schemas[Name]> & Only<ReturnType<Write>, Schemas[Name]>,
> = ReturnType<Write>;

/**
 * What a function that follows a schema may return. A choice between objects becomes one object: a field that some of them lack may be
 * missing. TypeScript cannot see which of the objects a function returns where it builds them field by field.
 */
type Answered<Told> =
	| Exclude<Told, object>
	| ([ListIn<Told>] extends [never] ? never : readonly Answered<ListIn<Told>[number]>[])
	| ([ObjectIn<Told>] extends [never] ? never : Merged<ObjectIn<Told>>);

type ListIn<Told> = Extract<Told, readonly unknown[]>;
type ObjectIn<Told> = Exclude<Extract<Told, object>, readonly unknown[]>;

type Merged<Told extends object> = {
	readonly [Key in Exclude<keyof Told, OptionalKeyOf<Told>>]: Answered<Told[Key]>;
} & {
	readonly [Key in OptionalKeyOf<Told> | Exclude<KeyOf<Told>, keyof Told>]?: Answered<FieldOf<Told, Key>>;
};

type KeyOf<Told> = Told extends unknown ? keyof Told : never;
type OptionalKeyOf<Told> = Told extends unknown
	? { [Key in keyof Told]-?: undefined extends Told[Key] ? Key : never }[keyof Told]
	: never;
type FieldOf<Told, Key> = Told extends unknown ? (Key extends keyof Told ? Told[Key] : never) : never;

/** What a function returns, with the type `never` for each field that the schema does not name. */
type Only<Sent, Told> = Sent extends readonly (infer Item)[]
	? readonly Only<Item, ListIn<Told>[number]>[]
	: Sent extends object
		? { readonly [Key in keyof Sent]: OnlyField<Sent, Key, ObjectIn<Told>> }
		: Sent;

/** A field that is undefined is not sent. The fields of a record have any name. */
type OnlyField<Sent, Key extends keyof Sent, Told> =
	Key extends KeyOf<Told> ? Only<Sent[Key], FieldOf<Told, Key>> : string extends Key ? Sent[Key] : Extract<Sent[Key], undefined>;
