import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { type Acts, createActs } from '#page/core/acts.ts';
import { api, type Failure, resultOf } from '#page/core/api.ts';
import { type Chart, charts, variables } from '#page/core/definitions.ts';
import { commonText } from '#page/i18n/common.ts';
import { Banner } from '#page/parts/banner.tsx';
import { Button } from '#page/parts/button.tsx';
import { Dialog } from '#page/parts/dialog.tsx';
import { Field } from '#page/parts/field.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { Segmented } from '#page/parts/segmented.tsx';
import { SideBySide } from '#page/parts/side-by-side.tsx';
import { TextInput } from '#page/parts/text-input.tsx';
import { WriteButton } from '#page/parts/write-button.tsx';
import { type ChartInput, idsOf, seriesOf } from './chart-draft.ts';
import { trendText } from './texts.ts';

interface SaveChartProps {
	readonly ids: readonly number[];
	/** The opened board; null without one. */
	readonly board: Chart | null;
	readonly onSaved: (chart: Chart) => void;
	/** Opens the board as somebody else saved it. */
	readonly onTakeTheirs: (chart: Chart) => void;
	readonly onClose: () => void;
}

/**
 * Saves the variables of a trend as a chart: a new one, or into the opened board, on condition that nobody saved it meanwhile. Where
 * somebody did, both stand side by side, and saving is a second act.
 */
export function SaveChart({ ids, board, onSaved, onTakeTheirs, onClose }: SaveChartProps) {
	const text = trendText();
	const base = useSignal(board);
	const isNew = useSignal(board === null);
	const title = useSignal(board?.title ?? '');
	const titleError = useSignal<string | null>(null);
	const failure = useSignal<Failure | null>(null);
	const theirs = useSignal<Chart | null>(null);
	/** Whether somebody deleted the opened board meanwhile. */
	const isGone = useSignal(false);
	const isSaving = useSignal(false);
	const acts = useMemo(createActs, []);

	const save = async (event: SubmitEvent): Promise<void> => {
		event.preventDefault();
		if (isSaving.value) return;
		titleError.value = title.value.trim() === '' ? commonText().titleMissing : null;
		if (titleError.value !== null) return;
		isSaving.value = true;
		const into = isNew.value ? null : base.value;
		const input = { id: into?.id ?? 0, title: title.value.trim(), series: seriesOf(ids, base.value) };
		const result = await send(input, into, acts);
		failure.value = result.ok ? null : result.failure;
		if (result.ok) {
			await charts.load();
			onSaved(result.data.data);
		} else if (into !== null && (result.failure.status === 412 || result.failure.status === 404)) {
			await charts.load();
			theirs.value = charts.rows.value?.find(({ id }) => id === into.id) ?? null;
			isGone.value = theirs.value === null;
			if (isGone.value) isNew.value = true;
		}
		isSaving.value = false;
	};

	if (theirs.value !== null) {
		const found = theirs.value;
		return (
			<Dialog title={text.conflict} onClose={onClose}>
				<p class="dialog-text">{commonText().compareBoth}</p>
				<SideBySide
					theirs={{ head: commonText().theirs, lines: linesOf(found.title, idsOf(found)) }}
					mine={{ head: commonText().mine, lines: linesOf(title.value, ids) }}
				/>
				<div class="dialog-foot">
					<Button onClick={() => onTakeTheirs(found)}>{commonText().takeTheirs}</Button>
					<Button
						look="primary"
						onClick={() => {
							base.value = found;
							theirs.value = null;
							failure.value = null;
						}}
					>
						{commonText().keepMine}
					</Button>
				</div>
			</Dialog>
		);
	}
	return (
		<Dialog title={text.saveTitle} onClose={onClose} closeLabel={commonText().close} small>
			<form class="form" onSubmit={(event) => void save(event)} noValidate>
				{base.value !== null && !isGone.value && (
					<Segmented
						label={text.where}
						value={isNew.value ? 'new' : 'into'}
						choices={[
							{ value: 'into', label: text.saveInto(base.value.title) },
							{ value: 'new', label: text.saveNew },
						]}
						onChoose={(value) => {
							isNew.value = value === 'new';
						}}
					/>
				)}
				<Field label={commonText().title} error={titleError.value}>
					{(ties) => (
						<TextInput
							{...ties}
							autofocus
							value={title.value}
							onText={(typed) => {
								title.value = typed;
							}}
						/>
					)}
				</Field>
				{failure.value !== null &&
					(isGone.value ? (
						<Banner look="error">{text.gone}</Banner>
					) : (
						<Problems failure={failure.value} fallback={commonText().notSavedButKept} />
					))}
				<div class="dialog-foot">
					<Button onClick={onClose}>{commonText().cancel}</Button>
					<WriteButton type="submit" look="primary" disabled={isSaving.value}>
						{isSaving.value ? commonText().saving : commonText().save}
					</WriteButton>
				</div>
			</form>
		</Dialog>
	);
}

function send(body: ChartInput, into: Chart | null, acts: Acts) {
	return acts.send(body, into?.version ?? null, (header) => resultOf(api.POST('/saveChart', { params: { header }, body })));
}

/** The title, and the names of the variables. */
function linesOf(title: string, ids: readonly number[]): readonly string[] {
	return [title, ...ids.map((id) => variables.rows.value?.get(id)?.name ?? `#${id}`)];
}
