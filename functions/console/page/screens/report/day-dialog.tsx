import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { maxReasonLength } from '#domain/validation/input-limits.ts';
import { usualDecimals } from '#domain/variable/usual-decimals.ts';
import { api, type Result, resultOf, type Schemas } from '#page/core/api.ts';
import { useRequest } from '#page/core/use-request.ts';
import { noNumber } from '#page/format/number.ts';
import { actorWords } from '#page/i18n/actor-words.ts';
import { commonText } from '#page/i18n/common.ts';
import { Banner } from '#page/parts/banner.tsx';
import { DataTable } from '#page/parts/data-table.tsx';
import { Dialog } from '#page/parts/dialog.tsx';
import { ForRole } from '#page/parts/for-role.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { TextField } from '#page/parts/text-input.tsx';
import { WriteButton } from '#page/parts/write-button.tsx';
import { type CellWords, cellWords } from './report-cells.ts';
import { dateTimeIn, dayName } from './report-labels.ts';
import type { ChangedDay, ReportModel, ReportState } from './report-model.ts';
import { reportScreenText } from './texts.ts';

/** A day of a report. */
export interface ChosenDay {
	/** The local date on which it begins. */
	readonly date: string;
	/** The state of the day; null if it is not known, because the day is part of a longer window. */
	readonly state: ReportState | null;
	readonly changed: ChangedDay | undefined;
}

interface DayDialogProps {
	readonly model: ReportModel;
	readonly day: ChosenDay;
	/** Gets a sentence about what was done. */
	readonly onSealed: (announcement: string) => void;
	readonly onClose: () => void;
}

/**
 * The details of a day: its state, the reasons why its numbers would differ now, its versions, and for engineers the form that seals it.
 */
export function DayDialog({ model, day, onSealed, onClose }: DayDialogProps) {
	const text = reportScreenText();
	const { report } = model.period;
	const name = dayName(day.date, { year: 'numeric' });
	const versions = useSignal<Result<readonly Schemas['DayVersion'][]> | null>(null);
	useEffect(() => {
		void readVersions(report.id, day.date).then((result) => {
			versions.value = result;
		});
	}, []);
	/** Returns the names of the lines with these keys. */
	const lineNames = (keys: readonly string[]): string =>
		report.lines.flatMap(({ key, name: line }) => (keys.includes(key) ? [line] : [])).join(', ');
	/** A day that is over and not sealed, or sealed with numbers that would be others now. */
	const canSeal = day.state !== 'open' && (day.changed !== undefined || day.state !== 'sealed');
	return (
		<Dialog title={name} onClose={onClose} closeLabel={commonText().close}>
			{day.state !== null && <p>{text.stateOf[day.state]}</p>}
			{day.changed !== undefined && (
				<Banner look="doubt">
					<p>
						<b class="violet">{text.changedState}</b> {day.changed.causes.map((cause) => text.causes[cause]).join(', ')}.
					</p>
					<p>{text.changedLines(lineNames(day.changed.lines))}</p>
				</Banner>
			)}
			<h3>{text.versions}</h3>
			{versions.value === null && <p class="muted">{commonText().reading}</p>}
			{versions.value?.ok === false && <Problems failure={versions.value.failure} fallback={text.versionsUnread} />}
			{versions.value?.ok === true && (day.state !== 'unreadable' || versions.value.data.length > 0) && (
				<Versions versions={versions.value.data} model={model} />
			)}
			<ForRole needs="engineer">
				{canSeal && <SealForm id={report.id} day={day} onSealed={() => onSealed(text.sealedNow(name))} />}
			</ForRole>
		</Dialog>
	);
}

interface VersionsProps {
	readonly versions: readonly Schemas['DayVersion'][];
	readonly model: ReportModel;
}

/** The numbers of each version. A number that differs from the version before is bold. */
function Versions({ versions, model: { calendar, columns } }: VersionsProps) {
	const text = reportScreenText();
	if (versions.length === 0) return <p class="muted">{text.noVersions}</p>;
	const newest = versions.at(-1)?.lines ?? [];
	/** Returns the words of a line's number in the version at an index, as the table shows them; null where it has none. */
	const wordsOf = (version: number, key: string): CellWords | null => {
		const line = versions[version]?.lines.find((each) => each.key === key);
		if (line === undefined) return null;
		// Versions do not contain functions. The function of a line that was deleted since is not known.
		const lineFunction = columns.find((column) => column.line.key === key)?.function ?? null;
		const words = cellWords(line, { function: lineFunction, decimals: line.decimals ?? usualDecimals(lineFunction) });
		return words.kind === 'empty' ? null : words;
	};
	return (
		<>
			<ul class="uses">
				{versions.map(({ revision, sealedAt, actors, reason, corrections }) => (
					<li key={revision}>
						<span>
							<b>{text.revision(revision)}</b>{' '}
							{sealedAt === null
								? text.states.provisional
								: text.sealedBy(dateTimeIn(sealedAt, calendar), actorWords(actors.by) || text.service)}
							{reason !== null && <> · {reason}</>}
							{corrections.map((correction) => (
								<small key={correction.id} class="muted">
									{' '}
									· {correction.reason}
								</small>
							))}
						</span>
					</li>
				))}
			</ul>
			<DataTable
				caption={text.versions}
				rows={newest}
				keyOf={({ key }) => key}
				columns={[
					{ key: 'line', head: text.line, look: 'wide', isRowHead: true, cell: ({ name, unit }) => `${name} ${unit}`.trim() },
					...versions.map(({ revision }, version) => ({
						key: String(revision),
						head: text.revision(revision),
						look: 'end' as const,
						cell: ({ key }: { readonly key: string }) => {
							const [words, before] = [wordsOf(version, key), wordsOf(Math.max(0, version - 1), key)];
							const number = words === null ? noNumber : <VersionWords words={words} />;
							return words?.number === before?.number && words?.bounds === before?.bounds ? number : <b>{number}</b>;
						},
					})),
				]}
			/>
		</>
	);
}

/** The number, and its bounds in violet in a line of their own. */
function VersionWords({ words: { kind, number, bounds } }: { readonly words: CellWords }) {
	return (
		<>
			{kind === 'none' ? noNumber : number}
			{number !== null && bounds !== null && <br />}
			{bounds !== null && <small class="violet">{bounds}</small>}
		</>
	);
}

/** The form that seals the day, for the first time or again, with a reason. */
function SealForm({ id, day, onSealed }: { readonly id: number; readonly day: ChosenDay; readonly onSealed: () => void }) {
	const text = reportScreenText();
	const reason = useSignal('');
	const hasTried = useSignal(false);
	const isMissing = reason.value.trim() === '';
	const sealWords = day.changed === undefined ? text.sealFirst : text.seal;
	const { send, failure, isRunning } = useRequest(
		() => resultOf(api.POST('/sealReportDays', { body: { id, from: day.date, to: day.date, reason: reason.value.trim() } })),
		onSealed,
	);
	return (
		<form
			class="stack"
			onSubmit={(event) => {
				event.preventDefault();
				hasTried.value = true;
				if (!isMissing) void send();
			}}
		>
			<TextField
				label={text.sealReason}
				name="reason"
				maxLength={maxReasonLength}
				value={reason.value}
				error={hasTried.value && isMissing ? text.sealMissing : null}
				onText={(typed) => {
					reason.value = typed;
				}}
			/>
			{failure !== null && <Problems failure={failure} fallback={text.notSealed} />}
			<div class="dialog-foot">
				<WriteButton look="primary" type="submit" disabled={isRunning}>
					{isRunning ? commonText().saving : sealWords}
				</WriteButton>
			</div>
		</form>
	);
}

/** Reads the versions of a day, the oldest first; none where the day is not stored. */
async function readVersions(id: number, date: string): Promise<Result<readonly Schemas['DayVersion'][]>> {
	const result = await resultOf(api.GET('/reportDay', { params: { query: { id, date } } }));
	return result.ok ? { ...result, data: result.data.data.versions } : result;
}
